#pragma once

#include "core/geometry/geometry.h"

#include <string>
#include <utility>
#include <vector>

namespace selvage::test
{

/// Constraint geometry as Vellum has it: the points of `cloth`, and primitives with a `type`.
inline Geometry
constraint_geometry(const Geometry& cloth,
                    const std::vector<std::pair<std::string, std::vector<int>>>& primitives)
{
    Geometry g;
    g.set_point_count(cloth.point_count());
    g.set_positions(cloth.positions());
    for (const auto& entry : primitives) g.add_polygon(entry.second, /*closed*/ false);
    Attribute type =
        make_attribute("type", Owner::primitive, Storage::string, 1, primitives.size());
    for (std::size_t i = 0; i < primitives.size(); ++i) type.set_text(i, 0, primitives[i].first);
    g.set(type);
    return g;
}

/// Adds a primitive attribute of numbers.
inline void set_numbers(Geometry& g, const char* name, const std::vector<double>& values)
{
    Attribute a = make_attribute(name, Owner::primitive, Storage::real32, 1, values.size());
    for (std::size_t i = 0; i < values.size(); ++i) a.set_number(i, 0, values[i]);
    g.set(a);
}

} // namespace selvage::test
