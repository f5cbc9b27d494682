#pragma once

#include "tests/support/meshes.h"

#include <gtest/gtest.h>

/// What densities of triangles and of tetrahedra have in common.
namespace selvage::test
{

/// Error of plain central differences along p falls with h² while h is halved four times (V2).
/// at(t) gives energy, stress and hessian at F + t p; `flat` turns a stress into a vector.
template <class At, class Flat> void check_slope(const At& at, const Flat& flat, const VecX& p)
{
    const auto d = at(0);
    const auto errors = [&](double h) {
        const double e = (at(h).energy - at(-h).energy) / (2 * h) - flat(d.stress).dot(p);
        const VecX g = flat(at(h).stress - at(-h).stress) / (2 * h) - d.hessian * p;
        return Vec2(std::abs(e), g.norm());
    };
    double h = 0.02;
    Vec2 last = errors(h);
    for (int i = 0; i < 4; ++i) {
        const Vec2 next = errors(h /= 2);
        // A density that is quadratic along p has no error to shrink.
        for (int k = 0; k < 2; ++k)
            if (last[k] > 1e-7 * d.hessian.norm()) {
                EXPECT_NEAR(std::log2(last[k] / next[k]), 2, 0.1) << h;
            }
        last = next;
    }
}

} // namespace selvage::test
