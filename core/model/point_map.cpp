#include "core/model/point_map.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <algorithm>
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
                   bool positive, double high, const std::string& also)
{
    PointMap map;
    const double least = positive ? least_scale : 0;
    map.value = point_numbers(who, geometry, name, -anything, std::min(high, anything));
    for (Eigen::Index i = 0; positive && i < map.value.size(); ++i)
        if (map.value[i] == 0)
            throw InputError(fmt::format("{}: point {} has {} 0; it must be positive, or negative "
                                         "where the material's counts.",
                                         who, i, name));
    map.scale = point_numbers(who, geometry, name + "_scale", least, anything);
    if (also.empty()) return map;
    const VecX more = point_numbers(who, geometry, also, least, anything);
    if (more.size()) map.scale = map.scale.size() ? VecX(map.scale.cwiseProduct(more)) : more;
    return map;
}

namespace
{
const std::vector<Figure<ClothMaterial>>& figures(const ClothMaterial*)
{
    return material_values();
}
const std::vector<Figure<SolidMaterial>>& figures(const SolidMaterial*) { return solid_values(); }
} // namespace

template <class Material>
MaterialMaps<Material>::MaterialMaps(const std::string& who, const Geometry& geometry)
{
    for (const Figure<Material>& f : figures(static_cast<const Material*>(nullptr))) {
        PointMap map = point_map(who, geometry, f.name, f.positive, f.high, f.also);
        if (!map.empty()) maps_.emplace_back(f.value, std::move(map));
    }
}

template <class Material>
const PointMap* MaterialMaps<Material>::find(double Material::*value) const
{
    for (const auto& [of, map] : maps_)
        if (of == value) return &map;
    return nullptr;
}

template <class Material>
bool MaterialMaps<Material>::paints(std::initializer_list<double Material::*> values) const
{
    return std::any_of(values.begin(), values.end(), [&](auto v) { return find(v) != nullptr; });
}

template class MaterialMaps<ClothMaterial>;
template class MaterialMaps<SolidMaterial>;

} // namespace selvage
