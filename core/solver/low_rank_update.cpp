#include "core/solver/low_rank_update.h"

#include <Eigen/Cholesky>

#include <cassert>

namespace selvage
{

void LowRankUpdate::add(double scale, VecX u, VecX z)
{
    assert(scale > 0 && u.size() == z.size());
    scale_.push_back(scale);
    u_.push_back(std::move(u));
    z_.push_back(std::move(z));
}

void LowRankUpdate::apply(VecX& y) const
{
    const Eigen::Index n = Eigen::Index(u_.size());
    if (n == 0) return;
    MatX small(n, n);
    VecX right(n);
    for (Eigen::Index i = 0; i < n; ++i) {
        const VecX& u = u_[std::size_t(i)];
        right[i] = u.dot(y);
        for (Eigen::Index j = 0; j < n; ++j)
            small(i, j) = u.dot(z_[std::size_t(j)]) + (i == j ? 1 / scale_[std::size_t(i)] : 0);
    }
    const VecX c = small.ldlt().solve(right);
    for (Eigen::Index i = 0; i < n; ++i) y -= c[i] * z_[std::size_t(i)];
}

} // namespace selvage
