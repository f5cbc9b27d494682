#pragma once

#include "core/base/types.h"
#include "core/geometry/geometry.h"
#include "core/model/solid_material.h"

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace selvage
{

/// A material value painted on points: replaced, multiplied, or both.
struct PointMap {
    VecX value; ///< replaces the material's where it is not negative; empty: nowhere
    VecX scale; ///< multiplies; empty: by 1

    bool empty() const { return value.size() == 0 && scale.size() == 0; }
    double at(int point, double of_material) const
    {
        const double v = value.size() && value[point] >= 0 ? value[point] : of_material;
        return scale.size() ? v * scale[point] : v;
    }
    /// Mean over the points of an element.
    template <class Points> double mean(const Points& points, double of_material) const
    {
        if (empty()) return of_material;
        double sum = 0;
        for (const int p : points) sum += at(p, of_material);
        return sum / double(points.size());
    }
};

/// What is painted on an object: point attributes named like a figure of its material give its
/// value (a negative one leaves the material's), with `_scale` behind it they multiply. On cloth
/// `stretch_scale` multiplies young_warp, young_weft and shear, `bend_scale` bend_warp, bend_weft
/// and bend_young.
template <class Material> class MaterialMaps
{
public:
    MaterialMaps() = default;
    MaterialMaps(const std::string& who, const Geometry& geometry);

    /// Null where nothing is painted.
    const PointMap* find(double Material::*value) const;
    bool empty() const { return maps_.empty(); }
    bool paints(std::initializer_list<double Material::*> values) const;
    /// A figure of `material` at some points: the mean of what is painted there.
    template <class Points>
    double mean(const Points& points, const Material& material, double Material::*value) const
    {
        const PointMap* map = find(value);
        return map ? map->mean(points, material.*value) : material.*value;
    }
    /// Every figure of it.
    template <class Points> Material mean(const Points& points, const Material& material) const
    {
        Material m = material;
        for (const auto& [value, map] : maps_) m.*value = map.mean(points, material.*value);
        return m;
    }

private:
    std::vector<std::pair<double Material::*, PointMap>> maps_;
};
using ClothMaps = MaterialMaps<ClothMaterial>;
using SolidMaps = MaterialMaps<SolidMaterial>;

/// Attributes `name` and `name_scale`, the latter multiplied by attribute `also` where that exists.
/// Values lie in [0, high], without 0 where they must be `positive`, or are negative. Throws
/// InputError naming `who` and the point.
PointMap point_map(const std::string& who, const Geometry& geometry, const std::string& name,
                   bool positive, double high = infinity, const std::string& also = "");

/// A painted number per point within [low, high]; empty where there is no such attribute.
VecX point_numbers(const std::string& who, const Geometry& geometry, const std::string& attribute,
                   double low, double high);

} // namespace selvage
