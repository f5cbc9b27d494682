#include "core/check/intersections.h"

#include "core/base/parallel.h"
#include "core/check/box_tree.h"

#include <algorithm>
#include <tuple>

namespace selvage
{
namespace
{

constexpr std::size_t edge_grain = 1024; // edges per chunk

Box box_of(const Elements& e, const Elements::Triangle& t)
{
    Box box;
    for (const int p : t.points) box.add(e.x[std::size_t(p)]);
    return box;
}

bool share_a_point(const Elements::Edge& edge, const Elements::Triangle& t)
{
    for (const int p : t.points)
        if (p == edge.points[0] || p == edge.points[1]) return true;
    return false;
}

bool has_released_point(const Elements& e, const Elements::Edge& edge, const Elements::Triangle& t)
{
    const auto released = [&](int p) { return e.released[std::size_t(p)] != 0; };
    return released(edge.points[0]) || released(edge.points[1]) || released(t.points[0]) ||
           released(t.points[1]) || released(t.points[2]);
}

void add_up(IntersectionReport& sum, const IntersectionReport& part, std::size_t max_listed)
{
    const auto append = [&](auto& list, const auto& more) {
        const std::size_t count = std::min(max_listed - list.size(), more.size());
        list.insert(list.end(), more.begin(), more.begin() + std::ptrdiff_t(count));
    };
    append(sum.crossing, part.crossing);
    append(sum.touching, part.touching);
    sum.crossing_count += part.crossing_count;
    sum.touching_count += part.touching_count;
    sum.released_count += part.released_count;
}

} // namespace

IntersectionReport find_intersections(const Elements& e, const IntersectionOptions& options)
{
    std::vector<Box> boxes;
    boxes.reserve(e.triangles.size());
    for (const auto& t : e.triangles) boxes.push_back(box_of(e, t));
    const BoxTree tree(std::move(boxes));

    std::vector<IntersectionReport> parts((e.edges.size() + edge_grain - 1) / edge_grain);
    parallel_chunks(e.edges.size(), edge_grain, [&](std::size_t begin, std::size_t end) {
        IntersectionReport& part = parts[begin / edge_grain];
        std::vector<std::int32_t> near;
        for (std::size_t i = begin; i < end; ++i) {
            const Elements::Edge& edge = e.edges[i];
            if (edge.root && options.skip_curve_roots) continue;
            const Vec3 &a = e.x[std::size_t(edge.points[0])], &b = e.x[std::size_t(edge.points[1])];
            Box box;
            box.add(a);
            box.add(b);
            near.clear();
            tree.overlapping(box, [&](std::int32_t t) { near.push_back(t); });
            std::sort(near.begin(), near.end());
            for (const std::int32_t n : near) {
                const Elements::Triangle& t = e.triangles[std::size_t(n)];
                if (share_a_point(edge, t)) continue;
                if (std::min(edge.object, t.object) >= options.judged_objects) continue;
                const Contact contact = edge_triangle_contact(a, b, e.x[std::size_t(t.points[0])],
                                                              e.x[std::size_t(t.points[1])],
                                                              e.x[std::size_t(t.points[2])]);
                if (contact == Contact::none) continue;
                const bool crosses = contact == Contact::crossing;
                if (crosses && options.allow_released && has_released_point(e, edge, t)) {
                    ++part.released_count;
                    continue;
                }
                ++(crosses ? part.crossing_count : part.touching_count);
                auto& list = crosses ? part.crossing : part.touching;
                if (list.size() < options.max_listed) list.push_back({e.id(edge), e.id(t)});
            }
        }
    });
    IntersectionReport report;
    for (const IntersectionReport& part : parts) add_up(report, part, options.max_listed);
    return report;
}

std::vector<CoincidentTriangles> find_coincident_triangles(const Elements& e)
{
    using Corners = std::array<std::int32_t, 3>;
    struct Placed {
        Corners places;
        std::size_t triangle;
        bool operator<(const Placed& o) const
        {
            return std::tie(places, triangle) < std::tie(o.places, o.triangle);
        }
    };
    const auto sorted_points = [](const Vec3i& p) {
        Corners c = {p[0], p[1], p[2]};
        std::sort(c.begin(), c.end());
        return c;
    };
    const auto place = [&](int p) { return e.place[std::size_t(p)]; };
    std::vector<Placed> placed;
    placed.reserve(e.triangles.size());
    for (std::size_t i = 0; i < e.triangles.size(); ++i) {
        const Vec3i& p = e.triangles[i].points;
        placed.push_back({sorted_points({place(p[0]), place(p[1]), place(p[2])}), i});
    }
    std::sort(placed.begin(), placed.end());

    std::vector<CoincidentTriangles> pairs;
    for (std::size_t i = 1; i < placed.size(); ++i) {
        if (placed[i].places != placed[i - 1].places) continue;
        const auto &a = e.triangles[placed[i - 1].triangle], &b = e.triangles[placed[i].triangle];
        if (sorted_points(a.points) != sorted_points(b.points)) pairs.push_back({e.id(a), e.id(b)});
    }
    std::sort(pairs.begin(), pairs.end(),
              [](const auto& s, const auto& t) { return s.a == t.a ? s.b < t.b : s.a < t.a; });
    return pairs;
}

} // namespace selvage
