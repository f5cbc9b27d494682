#include "core/check/passings.h"

#include "core/base/parallel.h"
#include "core/check/box_tree.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <array>

namespace selvage
{
namespace
{

constexpr std::size_t segment_grain = 128;

/// Four points on straight ways.
struct Ways {
    std::array<Vec3, 4> from, to;

    Vec3 at(int i, double t) const
    {
        return from[std::size_t(i)] + t * (to[std::size_t(i)] - from[std::size_t(i)]);
    }
    /// Six times the volume they span.
    double volume(double t) const
    {
        const Vec3 o = at(0, t);
        return (at(1, t) - o).dot((at(2, t) - o).cross(at(3, t) - o));
    }
};

/// Times in [0, 1] at which the four points lie in a plane: roots of a cubic, between its
/// stationary points, which are found from values at 0, ⅓, ⅔ and 1.
std::vector<double> coplanar_times(const Ways& w)
{
    const double y0 = w.volume(0), y1 = w.volume(1. / 3), y2 = w.volume(2. / 3), y3 = w.volume(1);
    const double d = y0;
    const double a = 4.5 * (-y0 + 3 * y1 - 3 * y2 + y3);
    const double b = 4.5 * (2 * y0 - 5 * y1 + 4 * y2 - y3);
    const double c = 0.5 * (-11 * y0 + 18 * y1 - 9 * y2 + 2 * y3);
    const auto value = [&](double t) { return ((a * t + b) * t + c) * t + d; };
    std::vector<double> stops = {0};
    const double inside = b * b - 3 * a * c;
    if (inside >= 0) {
        const double q = -(b + std::copysign(std::sqrt(inside), b));
        for (const double t : {a != 0 ? q / (3 * a) : -1, q != 0 ? c / q : -1})
            if (t > 0 && t < 1) stops.push_back(t);
    }
    std::sort(stops.begin(), stops.end());
    stops.push_back(1);
    std::vector<double> times;
    for (std::size_t k = 0; k + 1 < stops.size(); ++k) {
        double low = stops[k], high = stops[k + 1];
        const bool rising = value(low) < value(high);
        if ((value(low) > 0) == (value(high) > 0) && value(low) != 0 && value(high) != 0) continue;
        for (int i = 0; i < 60; ++i) {
            const double middle = 0.5 * (low + high);
            ((value(middle) < 0) == rising ? low : high) = middle;
        }
        times.push_back(0.5 * (low + high));
    }
    return times;
}

/// Whether segments (0 1) and (2 3), which lie in a plane at time t, cross there.
bool segments_cross(const Ways& w, double t)
{
    const Vec3 a = w.at(0, t), u = w.at(1, t) - a, v = w.at(3, t) - w.at(2, t);
    const Vec3 r = w.at(2, t) - a, n = u.cross(v);
    const double n2 = n.squaredNorm();
    if (!(n2 > 1e-24 * u.squaredNorm() * v.squaredNorm())) return false; // parallel
    const double s = r.cross(v).dot(n) / n2, k = r.cross(u).dot(n) / n2;
    return s >= 0 && s <= 1 && k >= 0 && k <= 1;
}

/// Whether point 0, which lies in the plane of triangle (1 2 3) at time t, is in it.
bool point_in_triangle(const Ways& w, double t)
{
    const Vec3 p = w.at(0, t), a = w.at(1, t), b = w.at(2, t), c = w.at(3, t);
    const Vec3 n = (b - a).cross(c - a);
    return n.dot((b - a).cross(p - a)) >= 0 && n.dot((c - b).cross(p - b)) >= 0 &&
           n.dot((a - c).cross(p - c)) >= 0;
}

class PassingSearch
{
public:
    PassingSearch(const Elements& before, const Elements& after, bool skip_roots)
        : a_(before),
          b_(after),
          skip_roots_(skip_roots),
          edges_(boxes(before.edges)),
          triangles_(boxes(before.triangles))
    {
        for (std::size_t e = 0; e < a_.edges.size(); ++e)
            if (a_.edges[e].curve) curves_.push_back(int(e));
    }

    std::size_t task_count() const { return curves_.size(); }

    void run(std::size_t task, std::vector<Passing>& found) const
    {
        const int number = curves_[task];
        const Elements::Edge& edge = a_.edges[std::size_t(number)];
        Box box;
        for (const int p : edge.points) add(p, box);
        edges_.overlapping(box, [&](std::int32_t i) {
            const Elements::Edge& other = a_.edges[std::size_t(i)];
            if (other.curve && i <= number) return;
            if (skip_roots_ && edge.root && !other.curve) return;
            const Vec2i &p = edge.points, &q = other.points;
            test({p[0], p[1], q[0], q[1]}, 2, segments_cross, a_.id(edge), a_.id(other), found);
        });
        // The first segment of a curve has two points of its own, the others one.
        for (int k = edge.root ? 0 : 1; k < 2; ++k) {
            if (skip_roots_ && edge.root) continue;
            const int p = edge.points[k];
            Box point;
            add(p, point);
            triangles_.overlapping(point, [&](std::int32_t i) {
                const Elements::Triangle& t = a_.triangles[std::size_t(i)];
                test({p, t.points[0], t.points[1], t.points[2]}, 1, point_in_triangle,
                     a_.point_id(p), a_.id(t), found);
            });
        }
    }

private:
    void add(int point, Box& box) const
    {
        box.add(a_.x[std::size_t(point)]);
        box.add(b_.x[std::size_t(point)]);
    }
    template <class List> std::vector<Box> boxes(const List& elements) const
    {
        std::vector<Box> out(elements.size());
        for (std::size_t i = 0; i < out.size(); ++i)
            for (const int p : elements[i].points) add(p, out[i]);
        return out;
    }

    template <class Meet>
    void test(const std::array<int, 4>& v, std::size_t split, const Meet& meet, const ElementId& a,
              const ElementId& b, std::vector<Passing>& found) const
    {
        for (std::size_t i = 0; i < split; ++i)
            for (std::size_t j = split; j < 4; ++j)
                if (a_.place[std::size_t(v[i])] == a_.place[std::size_t(v[j])]) return;
        Ways w;
        for (std::size_t i = 0; i < 4; ++i) {
            w.from[i] = a_.x[std::size_t(v[i])];
            w.to[i] = b_.x[std::size_t(v[i])];
        }
        for (const double t : coplanar_times(w))
            if (meet(w, t)) {
                found.push_back({a, b, t});
                return;
            }
    }

    const Elements &a_, &b_;
    bool skip_roots_;
    BoxTree edges_, triangles_;
    std::vector<int> curves_;
};

} // namespace

std::vector<Passing> find_passings(const Elements& before, const Elements& after, bool skip_roots)
{
    const PassingSearch search(before, after, skip_roots);
    std::vector<std::vector<Passing>> parts((search.task_count() + segment_grain - 1) /
                                            segment_grain);
    parallel_chunks(search.task_count(), segment_grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t task = begin; task < end; ++task)
            search.run(task, parts[begin / segment_grain]);
    });
    std::vector<Passing> all;
    for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
    std::sort(all.begin(), all.end(), [](const Passing& p, const Passing& q) {
        return p.a == q.a ? p.b < q.b : p.a < q.a;
    });
    return all;
}

} // namespace selvage
