#include "core/check/gap.h"

#include "core/base/parallel.h"
#include "core/check/box_tree.h"
#include "core/check/distance.h"

#include <algorithm>
#include <atomic>

namespace selvage
{
namespace
{

constexpr std::size_t gap_grain = 512; // points or edges per chunk

bool nearer(const GapPair& a, const GapPair& b)
{
    if (a.distance != b.distance) return a.distance < b.distance;
    return a.a == b.a ? a.b < b.b : a.a < b.a;
}

/// Points against triangles, then edges against edges, both through box trees. A task is one point
/// or one edge.
class PairSearch
{
public:
    PairSearch(const Elements& e, const GapOptions& options)
        : e_(e),
          triangles_(triangle_boxes(e)),
          edges_(edge_boxes(e)),
          judged_objects_(options.judged_objects)
    {
        for (std::size_t i = 0; i < e.x.size(); ++i)
            if (e.point_primitive[i] >= 0 && e.x[i].allFinite()) points_.push_back(int(i));
        if (!options.skip_curve_roots) return;
        std::vector<std::uint8_t> is_root(e.x.size(), 0);
        for (const auto& edge : e.edges)
            if (edge.root) is_root[std::size_t(edge.points[0])] = 1;
        points_.erase(std::remove_if(points_.begin(), points_.end(),
                                     [&](int p) { return is_root[std::size_t(p)] != 0; }),
                      points_.end());
        skip_roots_ = true;
    }

    std::size_t task_count() const { return points_.size() + e_.edges.size(); }

    /// Calls found(distance, task, other) for what lies within limit() [squared distance].
    template <class Limit, class Found>
    void run(std::size_t task, Limit&& limit, Found&& found) const
    {
        if (task < points_.size())
            run_point(task, limit, found);
        else
            run_edge(task, limit, found);
    }

    GapPair pair(double distance, std::size_t task, std::int32_t other) const
    {
        if (task < points_.size())
            return {distance, e_.point_id(points_[task]), e_.id(e_.triangles[std::size_t(other)])};
        return {distance, e_.id(e_.edges[task - points_.size()]),
                e_.id(e_.edges[std::size_t(other)])};
    }

private:
    template <class Limit, class Found>
    void run_point(std::size_t task, Limit& limit, Found& found) const
    {
        const int p = points_[task];
        const bool judged = e_.point_id(p).object < judged_objects_;
        Box box;
        box.add(x(p));
        triangles_.within(box, limit, [&](std::int32_t i) {
            if (!judged && e_.triangles[std::size_t(i)].object >= judged_objects_) return;
            const Vec3i& t = e_.triangles[std::size_t(i)].points;
            if (together(p, t[0]) || together(p, t[1]) || together(p, t[2])) return;
            found(check_distance::point_triangle(x(p), x(t[0]), x(t[1]), x(t[2])), task, i);
        });
    }

    template <class Limit, class Found>
    void run_edge(std::size_t task, Limit& limit, Found& found) const
    {
        const auto first = std::int32_t(task - points_.size());
        const Elements::Edge& edge = e_.edges[std::size_t(first)];
        const Vec2i& s = edge.points;
        Box box;
        box.add(x(s[0]));
        box.add(x(s[1]));
        edges_.within(box, limit, [&](std::int32_t i) {
            if (i <= first) return;
            const Elements::Edge& other = e_.edges[std::size_t(i)];
            if (std::min(edge.object, other.object) >= judged_objects_) return;
            // A root stands on its skin, but two roots may still come too close.
            if (skip_roots_ && ((edge.root && !other.curve) || (other.root && !edge.curve))) return;
            const Vec2i& t = other.points;
            if (together(s[0], t[0]) || together(s[0], t[1]) || together(s[1], t[0]) ||
                together(s[1], t[1]))
                return;
            found(check_distance::segment_segment(x(s[0]), x(s[1]), x(t[0]), x(t[1])), task, i);
        });
    }

    const Vec3& x(int point) const { return e_.x[std::size_t(point)]; }
    bool together(int p, int q) const
    {
        return e_.place[std::size_t(p)] == e_.place[std::size_t(q)];
    }

    static std::vector<Box> triangle_boxes(const Elements& e)
    {
        std::vector<Box> boxes(e.triangles.size());
        for (std::size_t i = 0; i < boxes.size(); ++i)
            for (const int p : e.triangles[i].points) boxes[i].add(e.x[std::size_t(p)]);
        return boxes;
    }
    static std::vector<Box> edge_boxes(const Elements& e)
    {
        std::vector<Box> boxes(e.edges.size());
        for (std::size_t i = 0; i < boxes.size(); ++i)
            for (const int p : e.edges[i].points) boxes[i].add(e.x[std::size_t(p)]);
        return boxes;
    }

    const Elements& e_;
    BoxTree triangles_, edges_;
    std::int32_t judged_objects_;
    std::vector<int> points_;
    bool skip_roots_ = false;
};

double largest_coordinate(const Elements& e)
{
    double largest = 0;
    for (const Vec3& p : e.x)
        if (p.allFinite()) largest = std::max(largest, p.cwiseAbs().maxCoeff());
    return largest;
}

void lower(std::atomic<double>& value, double candidate)
{
    double old = value.load();
    while (candidate < old && !value.compare_exchange_weak(old, candidate)) {}
}

} // namespace

std::optional<GapPair> smallest_gap(const Elements& e, double bound, const GapOptions& options)
{
    const PairSearch search(e, options);
    // Threads share the best distance so far; slack beyond rounding keeps ties from being pruned,
    // so that the lowest pair wins whatever the order of work.
    const double slack = 1e-14 * largest_coordinate(e);
    std::atomic<double> best{bound};
    const auto limit = [&] {
        const double d = best.load(std::memory_order_relaxed) * (1 + 1e-9) + slack;
        return d * d;
    };
    std::vector<GapPair> parts((search.task_count() + gap_grain - 1) / gap_grain);
    parallel_chunks(search.task_count(), gap_grain, [&](std::size_t begin, std::size_t end) {
        GapPair& part = parts[begin / gap_grain];
        for (std::size_t task = begin; task < end; ++task)
            search.run(task, limit, [&](double d, std::size_t t, std::int32_t other) {
                if (!(d < bound) || d > part.distance) return;
                const GapPair pair = search.pair(d, t, other);
                if (nearer(pair, part)) part = pair;
                lower(best, d);
            });
    });
    const auto closest = std::min_element(parts.begin(), parts.end(), nearer);
    if (closest == parts.end() || closest->distance == infinity) return std::nullopt;
    return *closest;
}

GapReport gaps_below(const Elements& e, double thickness, std::size_t max_listed,
                     const GapOptions& options)
{
    const PairSearch search(e, options);
    const double reach = thickness * (1 + 1e-9) + 1e-14 * largest_coordinate(e);
    const auto limit = [&] { return reach * reach; };
    const auto keep_nearest = [&](std::vector<GapPair>& list) {
        std::sort(list.begin(), list.end(), nearer);
        if (list.size() > max_listed) list.resize(max_listed);
    };
    std::vector<GapReport> parts((search.task_count() + gap_grain - 1) / gap_grain);
    parallel_chunks(search.task_count(), gap_grain, [&](std::size_t begin, std::size_t end) {
        GapReport& part = parts[begin / gap_grain];
        for (std::size_t task = begin; task < end; ++task)
            search.run(task, limit, [&](double d, std::size_t t, std::int32_t other) {
                if (!(d < thickness)) return;
                ++part.count;
                part.closest.push_back(search.pair(d, t, other));
                if (part.closest.size() > 2 * max_listed + 64) keep_nearest(part.closest);
            });
        keep_nearest(part.closest);
    });
    GapReport report;
    for (const GapReport& part : parts) {
        report.count += part.count;
        report.closest.insert(report.closest.end(), part.closest.begin(), part.closest.end());
        keep_nearest(report.closest);
    }
    return report;
}

} // namespace selvage
