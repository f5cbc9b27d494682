#include "core/session/point_selection.h"

#include "core/base/error.h"

#include <fmt/format.h>

namespace selvage
{

std::vector<int> group_points(const Geometry& geometry, const std::string& group,
                              const std::string& who)
{
    const Group* g = geometry.find_group(Owner::point, group);
    if (!g) {
        std::string known;
        for (const Group& other : geometry.groups())
            if (other.owner == Owner::point) known += (known.empty() ? "" : ", ") + other.name;
        throw InputError(fmt::format("{} '{}' is not a point group of the geometry ({}).", who,
                                     group, known.empty() ? "it has none" : "it has: " + known));
    }
    std::vector<int> points;
    for (std::size_t p = 0; p < g->member.size(); ++p)
        if (g->member[p]) points.push_back(int(p));
    return points;
}

VecX painted_map(const Geometry& geometry, Owner owner, const std::string& name,
                 const std::string& who)
{
    VecX map = VecX::Ones(Eigen::Index(geometry.element_count(owner)));
    if (name.empty()) return map;
    const Attribute* a = geometry.find(owner, name);
    if (!a || is_text(a->storage) || a->is_array)
        throw InputError(fmt::format("{} '{}' is not a {} attribute of numbers.", who, name,
                                     owner == Owner::point ? "point" : "primitive"));
    for (Eigen::Index i = 0; i < map.size(); ++i) {
        map[i] = a->number(std::size_t(i));
        if (!(map[i] >= 0 && std::isfinite(map[i])))
            throw InputError(fmt::format("{} '{}' is {} at element {}; it must not be negative.",
                                         who, name, map[i], i));
    }
    return map;
}

} // namespace selvage
