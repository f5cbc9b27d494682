#pragma once

#include "tests/support/meshes.h"

#include <gtest/gtest.h>

/// What densities of triangles and of tetrahedra have in common.
namespace selvage::test
{

/// Error of plain central differences along p falls with h² while h is halved four times (V2).
/// at(t) gives energy, stress and hessian at F + t p; `flat` turns a stress into a vector.
template <class At, class Flat>
void check_slope(const At& at, const Flat& flat, const VecX& p, double h = 0.02)
{
    const auto d = at(0);
    const auto errors = [&] {
        const double e = (at(h).energy - at(-h).energy) / (2 * h) - flat(d.stress).dot(p);
        const VecX g = flat(at(h).stress - at(-h).stress) / (2 * h) - d.hessian * p;
        return Vec2(std::abs(e), g.norm());
    };
    Vec2 last = errors();
    for (int i = 0; i < 4; ++i) {
        h /= 2;
        const Vec2 next = errors();
        // A density that is quadratic along p has no error to shrink.
        for (int k = 0; k < 2; ++k)
            if (last[k] > 1e-7 * d.hessian.norm()) {
                EXPECT_NEAR(std::log2(last[k] / next[k]), 2, 0.1) << h;
            }
        last = next;
    }
}

/// Energy, gradient and Hessian of an element at one place.
struct ElementDerivatives {
    double energy;
    VecX stress;
    MatX hessian;
};

/// The same for functions of an element's positions, from x along a random direction.
template <class Energy, class Gradient, class Hessian>
void check_element_slope(const VecX& x, double h, Random& random, const Energy& energy,
                         const Gradient& gradient, const Hessian& hessian)
{
    const VecX p = random.vector(x.size());
    check_slope(
        [&](double t) {
            const VecX y = x + t * p;
            return ElementDerivatives{energy(y), gradient(y), hessian(y)};
        },
        [](const VecX& g) { return g; }, p, h);
}

} // namespace selvage::test
