#pragma once

#include "core/base/types.h"

#include <functional>

namespace selvage::test
{

/// Central differences of sixth order (the errors of h², h⁴ cancelled): with h about 1e-2 of the
/// scale on which f varies, truncation and rounding both stay near 1e-12.
VecX fd_gradient(const std::function<double(const VecX&)>& f, const VecX& x, double h);

/// Column i: derivative of the vector function f along x_i.
MatX fd_jacobian(const std::function<VecX(const VecX&)>& f, const VecX& x, double h);

/// ‖a − b‖ / ‖b‖.
template <class A, class B> double relative_error(const A& a, const B& b)
{
    return (a - b).norm() / b.norm();
}

} // namespace selvage::test
