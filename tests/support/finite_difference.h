#pragma once

#include "core/base/types.h"

namespace selvage::test
{

/// Central differences of sixth order (the errors of h², h⁴ cancelled): with h about 1e-2 of the
/// scale on which f varies, truncation and rounding both stay near 1e-12.
template <class Function> VecX fd_gradient(const Function& f, const VecX& x, double h)
{
    VecX g(x.size());
    for (Eigen::Index i = 0; i < x.size(); ++i) {
        const auto difference = [&](double step) {
            VecX forward = x, backward = x;
            forward[i] += step, backward[i] -= step;
            return (f(forward) - f(backward)) / (forward[i] - backward[i]);
        };
        g[i] = 1.5 * difference(h) - 0.6 * difference(2 * h) + 0.1 * difference(3 * h);
    }
    return g;
}

/// Column i: derivative of the vector function f along x_i.
template <class Function> MatX fd_jacobian(const Function& f, const VecX& x, double h)
{
    MatX J;
    for (Eigen::Index i = 0; i < x.size(); ++i) {
        const auto difference = [&](double step) {
            VecX forward = x, backward = x;
            forward[i] += step, backward[i] -= step;
            return VecX((VecX(f(forward)) - VecX(f(backward))) / (forward[i] - backward[i]));
        };
        const VecX column = 1.5 * difference(h) - 0.6 * difference(2 * h) + 0.1 * difference(3 * h);
        if (i == 0) J.resize(column.size(), x.size());
        J.col(i) = column;
    }
    return J;
}

/// ‖a − b‖ / ‖b‖.
template <class A, class B> double relative_error(const A& a, const B& b)
{
    return (a - b).norm() / b.norm();
}

} // namespace selvage::test
