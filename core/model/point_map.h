#pragma once

#include "core/base/types.h"
#include "core/geometry/geometry.h"

#include <string>

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

/// What can be painted on a cloth: point attributes named like the parameter give its value (a
/// negative one leaves the material's), with `_scale` behind it they multiply. `stretch_scale`
/// multiplies young_warp, young_weft and shear, `bend_scale` bend_warp and bend_weft.
struct ClothMaps {
    PointMap young_warp, young_weft, shear, bend_warp, bend_weft, density;

    bool paints_membrane() const
    {
        return !(young_warp.empty() && young_weft.empty() && shear.empty());
    }
};
ClothMaps cloth_maps(const std::string& who, const Geometry& geometry);

/// Attributes `name` (at least `low`, or negative) and `name_scale`, the latter multiplied by
/// attribute `also` where that exists. Throws InputError naming `who` and the point.
PointMap point_map(const std::string& who, const Geometry& geometry, const std::string& name,
                   double low, const std::string& also = "");

/// A painted number per point within [low, high]; empty where there is no such attribute.
VecX point_numbers(const std::string& who, const Geometry& geometry, const std::string& attribute,
                   double low, double high);

} // namespace selvage
