#include "core/session/pin_assembly.h"

#include "core/base/error.h"
#include "core/session/point_selection.h"

#include <fmt/format.h>

#include <queue>

namespace selvage
{
namespace
{

/// [m] Along edges of the rest shape from the nearest of the points, as far as `reach`; ∞ beyond.
std::vector<double> distances_along(const PinnedObject& object, const std::vector<int>& from,
                                    double reach)
{
    std::vector<std::vector<std::pair<int, double>>> neighbours(
        std::size_t(object.x_rest.size() / 3));
    for (const Vec2i& e : object.edges) {
        const double l =
            (object.x_rest.segment<3>(3 * e[0]) - object.x_rest.segment<3>(3 * e[1])).norm();
        neighbours[std::size_t(e[0])].emplace_back(e[1], l);
        neighbours[std::size_t(e[1])].emplace_back(e[0], l);
    }
    using Entry = std::pair<double, int>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> next;
    std::vector<double> distance(neighbours.size(), infinity);
    for (const int p : from) {
        distance[std::size_t(p)] = 0;
        next.emplace(0, p);
    }
    while (!next.empty()) {
        const auto [d, p] = next.top();
        next.pop();
        if (d > distance[std::size_t(p)]) continue;
        for (const auto& [q, l] : neighbours[std::size_t(p)])
            if (d + l < std::min(reach, distance[std::size_t(q)])) {
                distance[std::size_t(q)] = d + l;
                next.emplace(d + l, q);
            }
    }
    return distance;
}

/// 1 at s = 0, 0 at s = 1, level at both.
double fade(double s) { return (1 - s) * (1 - s) * (1 + 2 * s); }

} // namespace

bool pinned_by_attribute(const Geometry& geometry, int point)
{
    if (const Attribute* s = geometry.find(Owner::point, "stopped");
        s && !is_text(s->storage) && !s->is_array)
        if (s->integer(std::size_t(point)) & 1) return true;
    if (const Attribute* m = geometry.find(Owner::point, "mass");
        m && !is_text(m->storage) && !m->is_array)
        if (m->number(std::size_t(point)) == 0) return true;
    return false;
}

std::vector<Pin> pins_of(const ParameterSet& p, const PinnedObject& object,
                         const Geometry& geometry, LogSink& log)
{
    const std::string who = object.who + ": pins.";
    std::vector<int> members;
    if (!p.text("group").empty()) {
        members = group_points(geometry, p.text("group"), who + "group");
        if (members.empty())
            log.message(Severity::warning,
                        fmt::format("{}: pin group '{}' is empty.", object.who, p.text("group")));
    }
    const VecX map =
        painted_map(geometry, Owner::point, p.text("stiffness_map"), who + "stiffness_map");
    const double stiffness = p.real("stiffness"), damping = p.real("damping");
    const double falloff = p.real("falloff");
    const double edge = p.has("falloff_stiffness") ? p.real("falloff_stiffness") : stiffness;
    if (falloff > 0 && edge == 0)
        throw InputError(who + "falloff needs pins.stiffness or, with exact pins, "
                               "pins.falloff_stiffness in N/m.");
    // −1: free; 0: exact.
    VecX strength = VecX::Constant(object.x_rest.size() / 3, -1);
    if (falloff > 0) {
        const std::vector<double> distance = distances_along(object, members, falloff);
        for (Eigen::Index i = 0; i < strength.size(); ++i)
            if (const double d = distance[std::size_t(i)]; d < falloff)
                strength[i] = edge * fade(d / falloff) * map[i];
    }
    for (const int i : members) strength[i] = stiffness * map[i];
    // A painted zero frees the point; only a stiffness of zero means exact.
    for (Eigen::Index i = 0; i < strength.size(); ++i)
        if (strength[i] == 0 && (stiffness > 0 || map[i] == 0)) strength[i] = -1;
    for (const int i : object.loose) strength[i] = 0;

    std::vector<Pin> pins;
    for (int i = 0; i < int(strength.size()); ++i) {
        if (pinned_by_attribute(geometry, i)) strength[i] = 0;
        if (strength[i] >= 0) pins.push_back({object.first_vertex + i, strength[i], damping});
    }
    if (!p.text("target").empty() && pins.size() == object.loose.size())
        log.message(Severity::warning,
                    fmt::format("{}: pins.target moves nothing, for no point is pinned. Name a "
                                "point group in pins.group, or set `stopped` to 1.",
                                object.who));
    return pins;
}

} // namespace selvage
