#pragma once

#include "core/energy/sink.h"
#include "core/energy/term.h"
#include "tests/support/finite_difference.h"
#include "tests/support/meshes.h"

#include <gtest/gtest.h>

/// Terms against sums of their per-element functions.
namespace selvage::test
{

inline constexpr Want all_clamped{true, true, true, Psd::clamp};
inline constexpr Want all_exact{true, true, true, Psd::exact};

/// Energy, gradient and matrix of one term.
struct Evaluation {
    double energy = 0;
    VecX gradient;
    BlockMatrix matrix;
};

inline Evaluation evaluated(const Term& term, const VecX& x, Want want, double scale = 1)
{
    Evaluation e;
    const int vertices = int(x.size() / 3);
    e.matrix = BlockMatrix(make_pattern(vertices, {&term.stencils()}));
    const ScatterMap map(term.stencils(), *e.matrix.pattern);
    e.gradient = VecX::Zero(x.size());
    Sink sink;
    sink.scale = scale;
    sink.gradient = &e.gradient;
    sink.hessian = &e.matrix;
    sink.scatter = &map;
    term.evaluate(x, want, sink);
    e.energy = sink.energy;
    return e;
}

/// Dense sums of per-element functions of stacked positions.
template <int N, class Energy, class Gradient, class Hessian>
void expect_equal_to_sum(const Term& term, const std::vector<std::int32_t>& elements, const VecX& x,
                         Want want, Energy&& energy, Gradient&& gradient, Hessian&& hessian)
{
    const double tolerance = 1e-11; // closed forms and vector functions differ by a few ulp
    const double scale = 0.37;
    double E = 0;
    VecX g = VecX::Zero(x.size());
    MatX H = MatX::Zero(x.size(), x.size());
    for (std::size_t e = 0; e < elements.size() / N; ++e) {
        const auto p = element_positions<N>(x, elements, e);
        E += scale * energy(e, p);
        const auto ge = gradient(e, p);
        const auto He = hessian(e, p);
        for (int i = 0; i < N; ++i) {
            const int v = elements[e * N + std::size_t(i)];
            g.segment<3>(3 * v) += scale * ge.template segment<3>(3 * i);
            for (int j = 0; j < N; ++j)
                H.block<3, 3>(3 * v, 3 * elements[e * N + std::size_t(j)]) +=
                    scale * He.template block<3, 3>(3 * i, 3 * j);
        }
    }
    const Evaluation batch = evaluated(term, x, want, scale);
    EXPECT_NEAR(batch.energy, E, tolerance * std::abs(E));
    EXPECT_LT(relative_error(batch.gradient, g), tolerance);
    EXPECT_LT(relative_error(batch.matrix.dense(), H), tolerance);
}

} // namespace selvage::test
