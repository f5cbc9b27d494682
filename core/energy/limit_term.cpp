#include "core/energy/limit_term.h"

#include "core/base/parallel.h"
#include "core/energy/directional_limit.h"
#include "core/energy/membrane_evaluate.h"
#include "core/energy/strain_limit.h"

#include <algorithm>

namespace selvage
{
namespace
{

constexpr std::size_t grain = 1024;

} // namespace

template <class Law>
LimitTerm<Law>::LimitTerm(const std::vector<std::int32_t>& triangles,
                          const std::vector<MembraneTriangle>& rest,
                          const std::vector<Moduli>& moduli, int vertex_count)
    : triangles_(triangles),
      rest_(rest),
      moduli_(moduli.size() == 1 ? std::vector<Moduli>(rest.size(), moduli[0]) : moduli),
      widened_(moduli_),
      barrier_(triangles, rest, moduli, vertex_count)
{
}

template <class Law> void LimitTerm<Law>::set_rest(const std::vector<MembraneTriangle>& rest)
{
    rest_ = rest;
    barrier_.set_rest(rest);
}

template <class Law> Mat32 LimitTerm<Law>::gradient(std::size_t t, const VecX& x) const
{
    const auto at = [&](std::size_t i) {
        return x.segment<3>(3 * Eigen::Index(triangles_[3 * t + i]));
    };
    Mat32 edges;
    edges.col(0) = at(1) - at(0);
    edges.col(1) = at(2) - at(0);
    return edges * rest_[t].inverse_rest;
}

template <class Law> void LimitTerm<Law>::begin_step(const StepContext& step)
{
    if (!step.x_0) return;
    const int before = exceeded_;
    exceeded_ = int(parallel_sum(rest_.size(), grain, [&](std::size_t begin, std::size_t end) {
        int count = 0;
        for (std::size_t t = begin; t < end; ++t) {
            widened_[t] = moduli_[t];
            count += Law::widen(gradient(t, *step.x_0), widened_[t]);
        }
        return double(count);
    }));
    if (before > 0 || exceeded_ > 0) barrier_.set_moduli(widened_);
}

template <class Law> double LimitTerm<Law>::max_step(const VecX& x, const VecX& p) const
{
    std::vector<double> steps((rest_.size() + grain - 1) / grain, 1.0);
    parallel_chunks(rest_.size(), grain, [&](std::size_t begin, std::size_t end) {
        double& s = steps[begin / grain];
        for (std::size_t t = begin; t < end; ++t)
            s = std::min(s, Law::longest_step(gradient(t, x), gradient(t, p), widened_[t]));
    });
    return steps.empty() ? 1 : *std::min_element(steps.begin(), steps.end());
}

template class LimitTerm<StrainLimitLaw>;
template class LimitTerm<DirectionalLimitLaw>;

} // namespace selvage
