#include "tests/support/finite_difference.h"

namespace selvage::test
{
namespace
{

/// d/dx_i of f, a function of numbers or vectors.
template <class Value>
Value derivative(const std::function<Value(const VecX&)>& f, const VecX& x, Eigen::Index i,
                 double h)
{
    const auto difference = [&](double step) -> Value {
        VecX forward = x, backward = x;
        forward[i] += step, backward[i] -= step;
        return (f(forward) - f(backward)) / (forward[i] - backward[i]);
    };
    return 1.5 * difference(h) - 0.6 * difference(2 * h) + 0.1 * difference(3 * h);
}

} // namespace

VecX fd_gradient(const std::function<double(const VecX&)>& f, const VecX& x, double h)
{
    VecX g(x.size());
    for (Eigen::Index i = 0; i < x.size(); ++i) g[i] = derivative(f, x, i, h);
    return g;
}

MatX fd_jacobian(const std::function<VecX(const VecX&)>& f, const VecX& x, double h)
{
    MatX J;
    for (Eigen::Index i = 0; i < x.size(); ++i) {
        const VecX column = derivative(f, x, i, h);
        if (i == 0) J.resize(column.size(), x.size());
        J.col(i) = column;
    }
    return J;
}

} // namespace selvage::test
