#include "plugin/houdini/curve_part.h"

#include "core/base/error.h"

#include <fmt/format.h>

namespace selvage::houdini
{
namespace
{

Attribute part_of(const Attribute& whole, const std::vector<std::int32_t>& elements)
{
    Attribute part = whole;
    part.resize(elements.size());
    std::visit(
        [&](auto& to) {
            const auto& from = std::get<std::decay_t<decltype(to)>>(whole.values);
            const std::size_t n = std::size_t(whole.tuple_size);
            for (std::size_t i = 0; i < elements.size(); ++i)
                std::copy_n(from.begin() + std::ptrdiff_t(std::size_t(elements[i]) * n), n,
                            to.begin() + std::ptrdiff_t(i * n));
        },
        part.values);
    return part;
}

} // namespace

bool is_curve(const Primitive& p) { return p.type == PrimitiveType::polygon && !p.closed; }

CurvePart curves_of(const Geometry& whole, const std::string& who)
{
    CurvePart part;
    std::vector<std::int32_t> number(whole.point_count(), -1), curves;
    const auto for_each_point = [&](const Primitive& p, auto&& visit) {
        for (std::int64_t k = 0; k < p.count; ++k) {
            const std::int32_t v = whole.primitive_vertices()[std::size_t(p.first + k)];
            visit(whole.vertex_point()[std::size_t(v)]);
        }
    };
    std::vector<std::vector<int>> curve_points;
    const auto& primitives = whole.primitives();
    for (std::size_t i = 0; i < primitives.size(); ++i) {
        if (!is_curve(primitives[i])) continue;
        curves.push_back(std::int32_t(i));
        curve_points.emplace_back();
        for_each_point(primitives[i], [&](std::int32_t p) {
            std::int32_t& n = number[std::size_t(p)];
            if (n < 0) {
                n = std::int32_t(part.points.size());
                part.points.push_back(p);
            }
            curve_points.back().push_back(n);
        });
    }
    for (std::size_t i = 0; i < primitives.size(); ++i)
        if (!is_curve(primitives[i]))
            for_each_point(primitives[i], [&](std::int32_t p) {
                if (number[std::size_t(p)] >= 0)
                    throw InputError(fmt::format(
                        "{}: point {} belongs to a curve and to primitive {}. Give hair points of "
                        "its own: keep the curves apart and merge them, without fusing.",
                        who, p, i));
            });
    Geometry g;
    g.set_point_count(part.points.size());
    for (const std::vector<int>& points : curve_points) g.add_polygon(points, /*closed*/ false);
    for (const auto& a : whole.attributes()) {
        if (a->is_array) continue;
        if (a->owner == Owner::point)
            g.set(part_of(*a, part.points));
        else if (a->owner == Owner::primitive)
            g.set(part_of(*a, curves));
        else if (a->owner == Owner::detail)
            g.set(a);
    }
    for (const Group& group : whole.groups()) {
        if (group.owner != Owner::point) continue;
        Group mine;
        mine.name = group.name;
        for (const std::int32_t p : part.points)
            mine.member.push_back(group.member[std::size_t(p)]);
        g.set_group(std::move(mine));
    }
    part.geometry = std::make_shared<const Geometry>(std::move(g));
    return part;
}

} // namespace selvage::houdini
