#include "core/session/hair_maps.h"

#include "core/base/error.h"
#include "core/geometry/geometry.h"
#include "core/model/point_map.h"

#include <fmt/format.h>

namespace selvage
{
namespace
{

/// Linear between its points, constant beyond them; 1 where there are none.
double ramp_at(const std::vector<Vec2>& ramp, double t)
{
    if (ramp.empty()) return 1;
    if (t <= ramp.front()[0]) return ramp.front()[1];
    for (std::size_t i = 1; i < ramp.size(); ++i) {
        const Vec2 &a = ramp[i - 1], &b = ramp[i];
        if (t <= b[0]) return a[1] + (t - a[0]) / (b[0] - a[0]) * (b[1] - a[1]);
    }
    return ramp.back()[1];
}

std::vector<Vec2> read_ramp(const ParameterSet& parameters, const std::string& who,
                            const std::string& name)
{
    const std::vector<Vec2> ramp = parameters.curve(name);
    for (std::size_t i = 0; i < ramp.size(); ++i)
        if (!(ramp[i][0] >= 0 && ramp[i][0] <= 1) || (i > 0 && !(ramp[i][0] > ramp[i - 1][0])))
            throw InputError(fmt::format("{}: {} wants places between 0 (root) and 1 (tip) in "
                                         "ascending order; entry {} is at {:g}.",
                                         who, name, i, ramp[i][0]));
    return ramp;
}

/// Numbers of curves; empty where there are none.
VecX curve_numbers(const std::string& who, const Geometry& geometry, const Hair& hair,
                   const std::string& name)
{
    const Attribute* a = geometry.find(Owner::primitive, name);
    if (!a || is_text(a->storage) || a->is_array) return {};
    VecX out(hair.strand_count());
    for (int s = 0; s < hair.strand_count(); ++s) {
        const int primitive = hair.strand_primitive[std::size_t(s)];
        out[s] = a->number(std::size_t(primitive));
        if (!(out[s] >= 0 && out[s] < infinity))
            throw InputError(fmt::format("{}: curve {} has {} {}; it must not be negative.", who,
                                         primitive, name, out[s]));
    }
    return out;
}

} // namespace

void apply_hair_maps(const ParameterSet& parameters, const Geometry& geometry, Hair& hair)
{
    const std::string who = fmt::format("Hair '{}'", hair.name);
    hair.target_rate.setConstant(2 * M_PI * parameters.real("target_rate"));
    const struct {
        const char* name;
        VecX& values;
        bool points; ///< whether points' attribute is still to be applied
    } maps[] = {{"radius", hair.radius, true},
                {"stiffness", hair.stiffness_scale, false},
                {"target", hair.target_rate, true}};
    for (const auto& map : maps) {
        const std::string name = map.name;
        const std::vector<Vec2> ramp = read_ramp(parameters, who, name + "_ramp");
        const VecX curves = curve_numbers(who, geometry, hair, name + "_scale");
        const VecX painted =
            map.points ? point_numbers(who, geometry, name + "_scale", 0, infinity) : VecX();
        for (int s = 0; s < hair.strand_count(); ++s) {
            const int begin = hair.strand_begin[std::size_t(s)];
            const int end = hair.strand_begin[std::size_t(s) + 1];
            const double length = hair.rest_length.segment(begin, end - 1 - begin).sum();
            double at = 0;
            for (int k = begin; k < end; ++k) {
                map.values[k] *= ramp_at(ramp, at / length) * (curves.size() ? curves[s] : 1.0);
                if (painted.size()) map.values[k] *= painted[hair.points[std::size_t(k)]];
                at += hair.rest_length[k];
            }
        }
    }
    for (int k = 0; k < hair.rod_points(); ++k)
        if (!(hair.radius[k] > 0))
            throw InputError(
                fmt::format("{}: the radius of point {} is {:g}. Keep radius_scale and "
                            "radius_ramp above 0.",
                            who, hair.points[std::size_t(k)], hair.radius[k]));
}

} // namespace selvage
