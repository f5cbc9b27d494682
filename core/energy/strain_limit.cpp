#include "core/energy/strain_limit.h"

#include "core/base/parallel.h"
#include "core/energy/membrane_evaluate.h"

#include <algorithm>
#include <cmath>

namespace selvage
{
namespace
{

/// Of the way to the limit, how much one step may use up.
constexpr double most_used = 0.9;
constexpr int bisections = 8;
constexpr std::size_t grain = 1024;

/// Largest singular value of a 3×2 matrix.
double largest_stretch(const Mat32& F)
{
    const double a = F.col(0).squaredNorm(), b = F.col(1).squaredNorm(), c = F.col(0).dot(F.col(1));
    return std::sqrt(0.5 * (a + b) + std::hypot(0.5 * (a - b), c));
}

} // namespace

SELVAGE_INSTANTIATE_MEMBRANE(StrainLimitLaw)

StrainLimit::StrainLimit(const std::vector<std::int32_t>& triangles,
                         const std::vector<MembraneTriangle>& rest,
                         const std::vector<Moduli>& moduli, int vertex_count)
    : triangles_(triangles),
      rest_(rest),
      moduli_(moduli),
      barrier_(triangles, rest, moduli, vertex_count)
{
}

void StrainLimit::set_rest(const std::vector<MembraneTriangle>& rest)
{
    rest_ = rest;
    barrier_.set_rest(rest);
}

double StrainLimit::triangle_step(std::size_t t, const VecX& x, const VecX& p) const
{
    const auto gradient = [&](const VecX& y) {
        const auto at = [&](std::size_t i) {
            return y.segment<3>(3 * Eigen::Index(triangles_[3 * t + i]));
        };
        Mat32 edges;
        edges.col(0) = at(1) - at(0);
        edges.col(1) = at(2) - at(0);
        return Mat32(edges * rest_[t].inverse_rest);
    };
    const double limit = moduli_[moduli_.size() == 1 ? 0 : t].limit;
    const Mat32 F = gradient(x), way = gradient(p);
    const double now = std::max(1.0, largest_stretch(F));
    const double allowed = now + most_used * (limit - now);
    // The largest stretch is convex along the way: what holds at both ends holds between.
    if (largest_stretch(F + way) <= allowed) return 1;
    double lower = 0, upper = 1;
    for (int i = 0; i < bisections; ++i) {
        const double middle = 0.5 * (lower + upper);
        (largest_stretch(F + middle * way) <= allowed ? lower : upper) = middle;
    }
    return lower;
}

double StrainLimit::max_step(const VecX& x, const VecX& p) const
{
    const std::size_t count = triangles_.size() / 3;
    std::vector<double> steps((count + grain - 1) / grain, 1.0);
    parallel_chunks(count, grain, [&](std::size_t begin, std::size_t end) {
        double& s = steps[begin / grain];
        for (std::size_t t = begin; t < end; ++t) s = std::min(s, triangle_step(t, x, p));
    });
    return steps.empty() ? 1 : *std::min_element(steps.begin(), steps.end());
}

} // namespace selvage
