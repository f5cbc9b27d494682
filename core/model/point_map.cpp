#include "core/model/point_map.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <limits>

namespace selvage
{
namespace
{

constexpr double anything = std::numeric_limits<double>::max();
constexpr double least_scale = 1e-6; // of moduli that must stay positive

} // namespace

VecX point_numbers(const std::string& who, const Geometry& geometry, const std::string& attribute,
                   double low, double high)
{
    const Attribute* a = geometry.find(Owner::point, attribute);
    if (!a || is_text(a->storage) || a->is_array) return {};
    VecX numbers(Eigen::Index(geometry.point_count()));
    for (Eigen::Index i = 0; i < numbers.size(); ++i) {
        numbers[i] = a->number(std::size_t(i));
        if (!(numbers[i] >= low && numbers[i] <= high))
            throw InputError(fmt::format("{}: point {} has {} {}, outside {:g} … {:g}.", who, i,
                                         attribute, numbers[i], low, high));
    }
    return numbers;
}

PointMap point_map(const std::string& who, const Geometry& geometry, const std::string& name,
                   double low, const std::string& also)
{
    PointMap map;
    const double least = low > 0 ? least_scale : 0;
    map.value = point_numbers(who, geometry, name, -anything, anything);
    for (Eigen::Index i = 0; i < map.value.size(); ++i)
        if (map.value[i] >= 0 && map.value[i] < low)
            throw InputError(fmt::format("{}: point {} has {} {}; it must be positive, or negative "
                                         "where the material's counts.",
                                         who, i, name, map.value[i]));
    map.scale = point_numbers(who, geometry, name + "_scale", least, anything);
    if (also.empty()) return map;
    const VecX more = point_numbers(who, geometry, also, least, anything);
    if (more.size()) map.scale = map.scale.size() ? VecX(map.scale.cwiseProduct(more)) : more;
    return map;
}

ClothMaps cloth_maps(const std::string& who, const Geometry& g)
{
    constexpr double positive = std::numeric_limits<double>::min();
    ClothMaps m;
    m.young_warp = point_map(who, g, "young_warp", positive, "stretch_scale");
    m.young_weft = point_map(who, g, "young_weft", positive, "stretch_scale");
    m.shear = point_map(who, g, "shear", positive, "stretch_scale");
    m.bend_warp = point_map(who, g, "bend_warp", 0, "bend_scale");
    m.bend_weft = point_map(who, g, "bend_weft", 0, "bend_scale");
    m.density = point_map(who, g, "density", positive);
    return m;
}

} // namespace selvage
