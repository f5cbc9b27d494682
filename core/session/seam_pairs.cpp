#include "core/session/seam_pairs.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace selvage
{
namespace
{

using Neighbours = std::map<int, std::vector<int>>;

Neighbours connect(const std::vector<Vec2i>& edges, const std::vector<std::uint8_t>& member)
{
    Neighbours n;
    for (const Vec2i& e : edges)
        if (member[std::size_t(e[0])] && member[std::size_t(e[1])]) {
            n[e[0]].push_back(e[1]);
            n[e[1]].push_back(e[0]);
        }
    return n;
}

/// A chain with its lengths, cut open: rings repeat their first point at the end.
struct Ruler {
    std::vector<int> vertices;  // of the scene
    std::vector<double> length; // [m] at rest, up to each

    Ruler(const Cloth& cloth, const EdgeChain& chain, std::size_t start, bool backwards)
    {
        const std::size_t n = chain.points.size();
        for (std::size_t k = 0; k < n + (chain.closed ? 1 : 0); ++k) {
            const std::size_t i = chain.closed ? (start + (backwards ? n - k % n : k)) % n
                                  : backwards  ? n - 1 - k
                                               : k;
            const int p = chain.points[i];
            const Vec3 at = cloth.x_rest.segment<3>(3 * p);
            length.push_back(k == 0 ? 0 : length.back() + (at - before_).norm());
            vertices.push_back(cloth.first_vertex + p);
            before_ = at;
        }
    }
    std::size_t segments() const { return vertices.size() - 1; }

    /// Segment and position in it at a part s of the whole length.
    std::pair<std::size_t, double> at(double s) const
    {
        const double l = s * length.back();
        std::size_t k = 0;
        while (k + 1 < segments() && length[k + 1] <= l) ++k;
        return {k, std::clamp((l - length[k]) / (length[k + 1] - length[k]), 0.0, 1.0)};
    }
    Vec3 place(double s, const VecX& x) const
    {
        const auto [k, t] = at(s);
        return (1 - t) * x.segment<3>(3 * vertices[k]) + t * x.segment<3>(3 * vertices[k + 1]);
    }

private:
    Vec3 before_ = Vec3::Zero();
};

/// Mean distance of partners.
double mismatch(const Ruler& a, const Ruler& b, const VecX& x)
{
    constexpr int samples = 16;
    double sum = 0;
    for (int k = 0; k <= samples; ++k) {
        const double s = double(k) / samples;
        sum += (a.place(s, x) - b.place(s, x)).norm();
    }
    return sum;
}

/// Of all starts and directions of b the one that lies along a best.
Ruler matching_ruler(const Ruler& a, const Cloth& cloth, const EdgeChain& b, const VecX& x)
{
    Ruler best(cloth, b, 0, false);
    double least = mismatch(a, best, x);
    for (std::size_t start = 0; start < (b.closed ? b.points.size() : 1); ++start)
        for (const bool backwards : {false, true}) {
            Ruler r(cloth, b, start, backwards);
            const double m = mismatch(a, r, x);
            if (m >= least) continue;
            least = m;
            best = std::move(r);
        }
    return best;
}

} // namespace

EdgeChain edge_chain(const Cloth& cloth, const std::vector<int>& points,
                     const std::vector<Vec2i>& edges, const std::string& who)
{
    if (points.size() < 2) throw InputError(who + " has fewer than two points.");
    std::vector<std::uint8_t> member(std::size_t(cloth.point_count()), 0);
    for (const int p : points) member[std::size_t(p)] = 1;
    Neighbours n = connect(edges.empty() ? cloth.mesh.boundary_edges : edges, member);
    if (n.size() < points.size()) n = connect(cloth.mesh.edges, member);

    int start = points[0], ends = 0;
    for (const int p : points) {
        const std::size_t degree = n[p].size();
        if (degree == 0 || degree > 2)
            throw InputError(fmt::format(
                "{}: point {} has {} neighbours in the group, so that it is no line. A seam needs "
                "points in a row along one edge.",
                who, p, degree));
        if (degree == 1 && ends++ == 0) start = p;
    }
    EdgeChain chain;
    chain.closed = ends == 0;
    for (int p = start, before = -1;;) {
        chain.points.push_back(p);
        const std::vector<int>& next = n[p];
        const int q = next[0] != before ? next[0] : next.size() > 1 ? next[1] : -1;
        before = p;
        p = q;
        if (p < 0 || p == start) break;
    }
    if (chain.points.size() != points.size())
        throw InputError(fmt::format(
            "{} falls into several lines (one ends after {} of {} points). Make one seam of each.",
            who, chain.points.size(), points.size()));
    return chain;
}

std::vector<Link> sew(const Cloth& cloth_a, const EdgeChain& a, const Cloth& cloth_b,
                      const EdgeChain& b, const VecX& x)
{
    if (a.points.size() < b.points.size()) return sew(cloth_b, b, cloth_a, a, x);
    const Ruler from(cloth_a, a, 0, false), to = matching_ruler(from, cloth_b, b, x);
    const bool point_by_point = a.points.size() == b.points.size() && a.closed == b.closed;
    std::vector<Link> links;
    for (std::size_t k = 0; k < a.points.size(); ++k) {
        Link l;
        l.vertex = from.vertices[k];
        const double before = k > 0      ? from.length[k] - from.length[k - 1]
                              : a.closed ? from.length.back() - from.length[a.points.size() - 1]
                                         : 0;
        const double after = k < from.segments() ? from.length[k + 1] - from.length[k] : 0;
        l.share = (before + after) / 2;
        const auto [segment, t] = to.at(from.length[k] / from.length.back());
        const int v = to.vertices[segment], w = to.vertices[segment + 1];
        constexpr double nearly = 1e-3; // of a segment: counts as at its end
        if (point_by_point || t < nearly || t > 1 - nearly) {
            l.to = Link::To::vertex;
            l.others[0] = point_by_point ? to.vertices[k] : t < 0.5 ? v : w;
            if (l.others[0] == l.vertex) continue; // where both edges meet
        } else {
            l.to = Link::To::triangle;
            l.others = {v, w, w};
            l.weights = {1 - t, t, 0};
            if (v == l.vertex || w == l.vertex) continue;
        }
        links.push_back(l);
    }
    return links;
}

} // namespace selvage
