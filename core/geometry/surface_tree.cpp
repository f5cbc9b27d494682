#include "core/geometry/surface_tree.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace selvage
{
namespace
{

constexpr double pi = 3.14159265358979323846;
constexpr std::int32_t leaf_size = 8;
/// A cluster counts as one dipole from this many radii on; its error is then below a per cent.
constexpr double far_away = 3;
/// Part of a closed surface that may be missing.
constexpr double largest_holes = 0.02;

/// Solid angle over 4π of the triangle (a, b, c) seen from the origin
/// [Van Oosterom and Strackee 1983].
double solid_angle(const Vec3& a, const Vec3& b, const Vec3& c)
{
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    const double det = a.dot(b.cross(c));
    const double rest = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    return det == 0 ? 0 : std::atan2(det, rest) / (2 * pi);
}

double squared_distance(const Vec3& p, const Vec3& lower, const Vec3& upper)
{
    return (lower - p).cwiseMax(p - upper).cwiseMax(0.0).squaredNorm();
}

} // namespace

SurfaceTree::SurfaceTree(std::vector<Vec3i> triangles, const VecX& x)
    : triangles_(std::move(triangles)), order_(triangles_.size())
{
    corners_.reserve(3 * triangles_.size());
    for (const Vec3i& t : triangles_)
        for (int k = 0; k < 3; ++k) corners_.push_back(x.segment<3>(3 * Eigen::Index(t[k])));
    std::iota(order_.begin(), order_.end(), 0);
    if (order_.empty()) return;
    nodes_.reserve(triangles_.size());
    build(0, std::int32_t(order_.size()));
    closed_ = find_closed();
}

std::int32_t SurfaceTree::build(std::int32_t begin, std::int32_t end)
{
    Node n;
    n.lower = Vec3::Constant(infinity);
    n.upper = -n.lower;
    n.begin = begin;
    n.end = end;
    double area = 0;
    Vec3 middle = Vec3::Zero();
    for (std::int32_t i = begin; i < end; ++i) {
        const std::int32_t t = order_[std::size_t(i)];
        const Vec3 &a = corner(t, 0), &b = corner(t, 1), &c = corner(t, 2);
        for (const Vec3* p : {&a, &b, &c}) {
            n.lower = n.lower.cwiseMin(*p);
            n.upper = n.upper.cwiseMax(*p);
        }
        const Vec3 v = 0.5 * (b - a).cross(c - a);
        n.vector_area += v;
        area += v.norm();
        middle += v.norm() * (a + b + c) / 3;
    }
    n.centre = area > 0 ? Vec3(middle / area) : Vec3(0.5 * (n.lower + n.upper));
    for (std::int32_t i = begin; i < end; ++i)
        for (int k = 0; k < 3; ++k)
            n.radius = std::max(n.radius, (corner(order_[std::size_t(i)], k) - n.centre).norm());
    const std::int32_t number = std::int32_t(nodes_.size());
    nodes_.push_back(n);
    if (end - begin <= leaf_size) return number;

    int axis = 0;
    (n.upper - n.lower).maxCoeff(&axis);
    const auto along = [&](std::int32_t t) {
        return corner(t, 0)[axis] + corner(t, 1)[axis] + corner(t, 2)[axis];
    };
    const std::int32_t half = begin + (end - begin) / 2;
    std::nth_element(order_.begin() + begin, order_.begin() + half, order_.begin() + end,
                     [&](std::int32_t s, std::int32_t t) {
                         return along(s) != along(t) ? along(s) < along(t) : s < t;
                     });
    build(begin, half);
    const std::int32_t right = build(half, end);
    nodes_[std::size_t(number)].right = right;
    return number;
}

/// Holes are measured by the circles that their rims could span.
bool SurfaceTree::find_closed() const
{
    std::map<std::pair<int, int>, int> balance; // how much oftener an edge runs up than down
    for (const Vec3i& t : triangles_)
        for (int k = 0; k < 3; ++k) {
            const int a = t[k], b = t[(k + 1) % 3];
            balance[std::minmax(a, b)] += a < b ? 1 : -1;
        }
    std::map<int, Vec3> position;
    for (std::size_t t = 0; t < triangles_.size(); ++t)
        for (int k = 0; k < 3; ++k) position[triangles_[t][k]] = corner(std::int32_t(t), k);
    std::map<int, int> rim; // union of rims by their points
    const auto root = [&](int p) {
        while (rim[p] != p) p = rim[p] = rim[rim[p]];
        return p;
    };
    for (const auto& [edge, count] : balance) {
        if (count == 0) continue;
        rim.emplace(edge.first, edge.first);
        rim.emplace(edge.second, edge.second);
        rim[root(edge.first)] = root(edge.second);
    }
    std::map<int, double> length;
    for (const auto& [edge, count] : balance)
        if (count != 0)
            length[root(edge.first)] += (position[edge.first] - position[edge.second]).norm();
    double holes = 0, area = 0;
    for (const auto& [p, l] : length) holes += l * l / (4 * pi);
    for (std::size_t t = 0; t < triangles_.size(); ++t) {
        const Vec3& a = corner(std::int32_t(t), 0);
        area += 0.5 * (corner(std::int32_t(t), 1) - a).cross(corner(std::int32_t(t), 2) - a).norm();
    }
    return holes <= largest_holes * area;
}

Vec3 SurfaceTree::normal(int t) const
{
    const Vec3& a = corner(t, 0);
    const Vec3 n = (corner(t, 1) - a).cross(corner(t, 2) - a);
    const double l = n.norm();
    return l > 0 ? Vec3(n / l) : Vec3::Zero();
}

SurfacePlace SurfaceTree::nearest(const Vec3& p) const
{
    SurfacePlace best;
    if (nodes_.empty()) return best;
    std::vector<std::int32_t> stack = {0};
    double least = infinity;
    while (!stack.empty()) {
        const std::int32_t number = stack.back();
        stack.pop_back();
        const Node& n = nodes_[std::size_t(number)];
        if (squared_distance(p, n.lower, n.upper) > least) continue;
        if (n.right >= 0) {
            const auto distance = [&](std::int32_t k) {
                return squared_distance(p, nodes_[std::size_t(k)].lower,
                                        nodes_[std::size_t(k)].upper);
            };
            const bool left_first = distance(number + 1) <= distance(n.right);
            stack.push_back(left_first ? n.right : number + 1);
            stack.push_back(left_first ? number + 1 : n.right);
            continue;
        }
        for (std::int32_t i = n.begin; i < n.end; ++i) {
            const std::int32_t t = order_[std::size_t(i)];
            const Vec3 w = nearest_in_triangle(p, corner(t, 0), corner(t, 1), corner(t, 2));
            const double d =
                (w[0] * corner(t, 0) + w[1] * corner(t, 1) + w[2] * corner(t, 2) - p).squaredNorm();
            if (d > least || (d == least && t > best.triangle)) continue;
            least = d;
            best = {t, w, std::sqrt(d)};
        }
    }
    return best;
}

double SurfaceTree::winding_number(const Vec3& p) const
{
    double sum = 0;
    std::vector<std::int32_t> stack;
    if (!nodes_.empty()) stack.push_back(0);
    while (!stack.empty()) {
        const std::int32_t number = stack.back();
        stack.pop_back();
        const Node& n = nodes_[std::size_t(number)];
        const Vec3 to = n.centre - p;
        const double distance = to.norm();
        if (distance > far_away * n.radius) {
            sum += n.vector_area.dot(to) / (4 * pi * distance * distance * distance);
        } else if (n.right >= 0) {
            stack.push_back(n.right);
            stack.push_back(number + 1);
        } else
            for (std::int32_t i = n.begin; i < n.end; ++i) {
                const std::int32_t t = order_[std::size_t(i)];
                sum += solid_angle(corner(t, 0) - p, corner(t, 1) - p, corner(t, 2) - p);
            }
    }
    return sum;
}

bool SurfaceTree::inside(const Vec3& p) const
{
    if (!closed_) return false;
    const Node& all = nodes_.front();
    return squared_distance(p, all.lower, all.upper) == 0 && std::abs(winding_number(p)) > 0.5;
}

} // namespace selvage
