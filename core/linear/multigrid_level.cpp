#include "core/linear/multigrid_level.h"

#include "core/base/parallel.h"
#include "core/base/types.h"
#include "core/linear/block_kernels.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <atomic>
#include <cmath>
#include <utility>

namespace selvage
{

namespace
{

template <int B> constexpr std::size_t level_grain = B == 3 ? 1024 : 256; // block rows per task

/// Chebyshev smoothing damps the part of the spectrum above λ/lowest. 5 to 12 are best for degree
/// 2; 30 doubles the iterations. The smaller, the farther beyond λ the smoother still converges.
constexpr double lowest = 5;
constexpr double lowest_of_three = 10; // the same for degree 3
/// Lanczos' method approaches the largest eigenvalue from below. With `lowest` = 5 the smoother
/// converges up to another 1.2 times beyond.
constexpr double safety = 1.1;

/// In [−1, 1), from the index alone.
template <class S> S noise(std::size_t i)
{
    std::uint64_t h = (i + 1) * 0x9e3779b97f4a7c15ull;
    h ^= h >> 31;
    h *= 0xbf58476d1ce4e5b9ull;
    h ^= h >> 29;
    return S(double(h >> 11) * 0x1p-52 - 1.0);
}

/// r = f − A x in row i.
template <class S, int B>
SELVAGE_INLINE void row_residual(const BlockRows<S, B, B>& A, std::size_t i, const S* f, const S* x,
                                 S* r)
{
    const RowPattern& p = *A.pattern;
    const std::int64_t first = p.begin[i];
    row_product<S, B, B>(p.columns.data() + first, A.block(first), p.begin[i + 1] - first, x, r);
    for (int k = 0; k < B; ++k) r[k] = f[i * B + std::size_t(k)] - r[k];
}

} // namespace

template <class S, int B> void MultigridLevel<S, B>::prepare()
{
    for (Buffer<S>* v : {&f, &x, &d_, &r_}) v->resize(rows() * B);
    inverse.resize(rows() * B * B);
}

template <class S, int B> bool MultigridLevel<S, B>::invert_diagonal()
{
    using Block = Eigen::Matrix<double, B, B>;
    std::atomic<bool> definite = true;
    parallel_for(rows(), level_grain<B>, [&](std::size_t i) {
        const RowPattern& p = *A.pattern;
        std::int64_t k = p.begin[i];
        while (p.columns[std::size_t(k)] != std::int32_t(i)) ++k;
        const Block D =
            Eigen::Map<const Eigen::Matrix<S, B, B>>(A.block(k)).template cast<double>();
        const Eigen::LLT<Block> llt(D);
        const double smallest = llt.matrixLLT().diagonal().minCoeff();
        Block inverted;
        if (llt.info() == Eigen::Success && smallest * smallest > 1e-12 * D.diagonal().maxCoeff()) {
            inverted = llt.solve(Block::Identity());
        } else {
            const Eigen::SelfAdjointEigenSolver<Block> eigen(D);
            const double top = eigen.eigenvalues()[B - 1];
            if (!(top > 0) || eigen.eigenvalues()[0] < -1e-5 * top) {
                definite = false;
                inverted.setZero();
            } else {
                inverted = eigen.eigenvectors() *
                           eigen.eigenvalues().cwiseMax(1e-7 * top).cwiseInverse().asDiagonal() *
                           eigen.eigenvectors().transpose();
            }
        }
        Eigen::Map<Eigen::Matrix<S, B, B>>(inverse.data() + i * B * B) =
            (0.5 * (inverted + inverted.transpose())).template cast<S>();
    });
    return definite;
}

template <class S, int B> void MultigridLevel<S, B>::strengths(Buffer<float>& out) const
{
    const RowPattern& p = *A.pattern;
    out.resize(p.block_count());
    const auto norm = [&](std::int64_t k) {
        return Eigen::Map<const Eigen::Matrix<S, B * B, 1>>(A.block(k)).norm();
    };
    std::vector<float> scale(rows()); // 1/√‖A_ii‖
    parallel_for(rows(), level_grain<B>, [&](std::size_t i) {
        for (auto k = p.begin[i]; k < p.begin[i + 1]; ++k)
            if (p.columns[std::size_t(k)] == std::int32_t(i))
                scale[i] = 1 / std::sqrt(float(norm(k)));
    });
    parallel_for(rows(), level_grain<B>, [&](std::size_t i) {
        for (auto k = p.begin[i]; k < p.begin[i + 1]; ++k) {
            const auto j = std::size_t(p.columns[std::size_t(k)]);
            out[std::size_t(k)] = j == i ? 0 : float(norm(k)) * scale[i] * scale[j];
        }
    });
}

/// Lanczos' method for A x = λ D x: v and v̂ = D⁻¹v, w = A v̂.
template <class S, int B> double MultigridLevel<S, B>::estimate_spectrum(int steps)
{
    S *v = r_.data(), *before = d_.data(), *v_hat = x.data(), *w = f.data();
    const std::size_t n = rows() * B;
    const auto apply_inverse = [&](const S* from, S* to) {
        return parallel_sum(rows(), level_grain<B>, [&](std::size_t begin, std::size_t end) {
            double sum = 0;
            for (std::size_t i = begin; i < end; ++i) {
                const auto y = symmetric_product<S, B>(inverse.data() + i * B * B, from + i * B);
                for (std::size_t k = 0; k < B; ++k) {
                    sum += double(from[i * B + k]) * double(y[Eigen::Index(k)]);
                    to[i * B + k] = y[k];
                }
            }
            return sum;
        });
    };
    parallel_for(n, 4096, [&](std::size_t i) {
        w[i] = noise<S>(i);
        v[i] = 0;
    });
    double beta = std::sqrt(apply_inverse(w, v_hat));
    VecX diagonal(steps), off(steps);
    int done = 0;
    for (; done < steps && beta > 0 && std::isfinite(beta); ++done) {
        const S scale = S(1 / beta);
        std::swap(v, before);
        parallel_for(n, 4096, [&](std::size_t i) {
            v[i] = w[i] * scale;
            v_hat[i] *= scale;
        });
        const double alpha =
            parallel_sum(rows(), level_grain<B>, [&](std::size_t begin, std::size_t end) {
                double sum = 0;
                for (std::size_t i = begin; i < end; ++i) {
                    const RowPattern& p = *A.pattern;
                    const std::int64_t first = p.begin[i];
                    row_product<S, B, B>(p.columns.data() + first, A.block(first),
                                         p.begin[i + 1] - first, v_hat, w + i * B);
                    for (std::size_t k = i * B; k < (i + 1) * B; ++k)
                        sum += double(w[k]) * double(v_hat[k]);
                }
                return sum;
            });
        diagonal[done] = alpha;
        const S a = S(alpha), b = S(done > 0 ? beta : 0);
        parallel_for(n, 4096, [&](std::size_t i) { w[i] -= a * v[i] + b * before[i]; });
        beta = std::sqrt(apply_inverse(w, v_hat));
        off[done] = beta;
    }
    if (done == 0) return 1;
    Eigen::SelfAdjointEigenSolver<MatX> eigen;
    eigen.computeFromTridiagonal(diagonal.head(done), off.head(done - 1), Eigen::EigenvaluesOnly);
    return eigen.eigenvalues()[done - 1];
}

template <class S, int B> void MultigridLevel<S, B>::set_spectrum(double largest, int degree)
{
    spectrum_ = largest;
    const double high = safety * largest, low = high / (degree < 3 ? lowest : lowest_of_three);
    const double centre = (high + low) / 2, radius = (high - low) / 2, sigma = centre / radius;
    const double rho = 1 / sigma, next = 1 / (2 * sigma - rho);
    first_ = S(1 / centre);
    keep_ = S(next * rho);
    add_ = S(2 * next / radius);
    const double third = 1 / (2 * sigma - next);
    keep_third_ = S(degree < 3 ? 0 : third * next);
    add_third_ = S(degree < 3 ? 0 : 2 * third / radius);
}

/// x goes on from its last step, which began at `before`; its place is taken by `to`.
template <class S, int B> void MultigridLevel<S, B>::third_step(const S* before, Buffer<S>& to)
{
    if (add_third_ == 0) return;
    S* out = to.data();
    const S *from = f.data(), *at = x.data(), *inv = inverse.data();
    parallel_for(rows(), level_grain<B>, [=](std::size_t i) {
        S res[B];
        row_residual(A, i, from, at, res);
        const auto y = symmetric_product<S, B>(inv + i * B * B, res);
        for (std::size_t k = i * B; k < (i + 1) * B; ++k)
            out[k] =
                at[k] + keep_third_ * (at[k] - before[k]) + add_third_ * y[Eigen::Index(k - i * B)];
    });
    std::swap(x, to);
}

template <class S, int B> void MultigridLevel<S, B>::smooth_from_zero()
{
    S *d = d_.data(), *to = x.data();
    const S *from = f.data(), *inv = inverse.data();
    parallel_for(rows(), level_grain<B>, [=](std::size_t i) {
        const auto y = symmetric_product<S, B>(inv + i * B * B, from + i * B);
        for (std::size_t k = 0; k < B; ++k) d[i * B + k] = first_ * y[Eigen::Index(k)];
    });
    parallel_for(rows(), level_grain<B>, [=](std::size_t i) {
        S res[B];
        row_residual(A, i, from, d, res);
        const auto y = symmetric_product<S, B>(inv + i * B * B, res);
        for (std::size_t k = 0; k < B; ++k)
            to[i * B + k] = (1 + keep_) * d[i * B + k] + add_ * y[Eigen::Index(k)];
    });
    third_step(d, r_);
    S* r = r_.data();
    const S* at = x.data();
    parallel_for(rows(), level_grain<B>, [=](std::size_t i) {
        S res[B];
        row_residual(A, i, from, at, res);
        for (std::size_t k = 0; k < B; ++k) r[i * B + k] = res[k];
    });
}

template <class S, int B> void MultigridLevel<S, B>::smooth_again()
{
    S *d = d_.data(), *mid = r_.data(), *to = x.data();
    const S *from = f.data(), *inv = inverse.data();
    parallel_for(rows(), level_grain<B>, [=](std::size_t i) {
        S res[B];
        row_residual(A, i, from, to, res);
        const auto y = symmetric_product<S, B>(inv + i * B * B, res);
        for (std::size_t k = 0; k < B; ++k) {
            d[i * B + k] = first_ * y[Eigen::Index(k)];
            mid[i * B + k] = to[i * B + k] + first_ * y[Eigen::Index(k)];
        }
    });
    parallel_for(rows(), level_grain<B>, [=](std::size_t i) {
        S res[B];
        row_residual(A, i, from, mid, res);
        const auto y = symmetric_product<S, B>(inv + i * B * B, res);
        for (std::size_t k = 0; k < B; ++k)
            to[i * B + k] = mid[i * B + k] + keep_ * d[i * B + k] + add_ * y[Eigen::Index(k)];
    });
    third_step(mid, d_);
}

template <class S, int B> void MultigridLevel<S, B>::begin_again()
{
    first_x_.resize(rows() * B);
    S* to = f.data();
    const S* at = x.data();
    parallel_for(rows(), level_grain<B>, [=](std::size_t i) {
        S res[B];
        row_residual(A, i, to, at, res);
        for (std::size_t k = 0; k < B; ++k) to[i * B + k] = res[k];
    });
    std::swap(x, first_x_);
}

template <class S, int B> void MultigridLevel<S, B>::add_first()
{
    S* to = x.data();
    const S* from = first_x_.data();
    parallel_for(rows() * B, 4096, [=](std::size_t i) { to[i] += from[i]; });
}

template <class S, int B> std::size_t MultigridLevel<S, B>::bytes() const
{
    return A.values.bytes() + inverse.bytes() + f.bytes() + x.bytes() + d_.bytes() + r_.bytes() +
           first_x_.bytes();
}

template class MultigridLevel<float, 3>;
template class MultigridLevel<float, 6>;
template class MultigridLevel<double, 3>;
template class MultigridLevel<double, 6>;

} // namespace selvage
