#pragma once

#include "core/geometry/geometry.h"
#include "core/render/drawable.h"
#include "core/render/scene_description.h"

#include <optional>
#include <string>
#include <vector>

namespace selvage
{

/// One number per element, read from an attribute as named in RenderObject::color_attribute.
struct AttributeValues {
    Owner owner = Owner::point;
    std::vector<float> number;

    float at(const DrawnCorner& corner, std::int32_t primitive) const;
};

/// Empty when the geometry has no such attribute. Throws InputError where it has one that cannot be
/// shown as a number (text, array) or lacks the component.
std::optional<AttributeValues> attribute_values(const Geometry& geometry, const std::string& name);

/// "sv_strain, v, P": names that could be asked for.
std::string colorable_attributes(const Geometry& geometry);

/// What the legend shows: value × scale, in `unit`. Strains are shown in percent.
struct AttributeUnit {
    std::string unit;
    double scale = 1;
};
AttributeUnit attribute_unit(const std::string& name);

/// Gathers values over a sequence (at most a fixed number per call, evenly strided) and answers
/// with robust bounds.
class RangeFinder
{
public:
    void add(const AttributeValues& values);
    bool empty() const { return sample_.empty(); }
    /// 1st and 99th percentile, or minimum and maximum where those coincide, widened if still
    /// equal; symmetric about 0 for the diverging map.
    std::pair<double, double> range(ColorMapKind map) const;

private:
    std::vector<float> sample_;
};

/// A copy of `coloring` with map and bounds decided.
Coloring resolve_coloring(const Coloring& coloring, const RangeFinder& found);

} // namespace selvage
