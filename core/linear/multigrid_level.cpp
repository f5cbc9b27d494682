#include "core/linear/multigrid_level.h"

#include "core/base/parallel.h"
#include "core/base/types.h"
#include "core/linear/block_kernels.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <atomic>
#include <cmath>
#include <functional>
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

/// Rows per stretch of `sweep_twice`: few enough for all threads to have some, as far as that
/// leaves their ends a small part. Cannot be seen in the result.
template <int B> std::size_t stretch_grain(std::size_t rows)
{
    return std::max(2 * level_grain<B>, rows / (4 * std::size_t(thread_count())) + 1);
}

/// Calls first(i) for all rows, and second(i) for all rows, which may use what `first` has left at
/// all columns of row i. Each row takes the matrix's entries from memory once: the second call
/// follows as soon as the neighbours are done, while the entries are still in the cache. Rows with
/// neighbours in another stretch, or far off in their own, wait until all stretches are through.
/// The same work as in two loops, hence the same bits.
template <int B, class First, class Second>
void sweep_twice(const RowPattern& p, const First& first, const Second& second)
{
    constexpr std::size_t batch = 64; // rows that each takes in turn
    const std::size_t grain = stretch_grain<B>(p.rows());
    const auto waits = [&](std::size_t i, std::size_t begin, std::size_t end) {
        const auto low = std::size_t(p.columns[std::size_t(p.begin[i])]);
        const auto high = std::size_t(p.columns[std::size_t(p.begin[i + 1]) - 1]);
        return low < begin || high + 1 >= end || high > i + grain / 4; // packs read one row more
    };
    const auto both = [&](std::size_t begin, std::size_t end) {
        std::size_t next = begin; // of the second sweep
        for (std::size_t i = begin; i < end;) {
            const std::size_t done = std::min(i + batch, end);
            for (; i < done; ++i) first(i);
            for (; next < done; ++next) {
                if (waits(next, begin, end)) continue;
                if (std::size_t(p.columns[std::size_t(p.begin[next + 1]) - 1]) >= done) break;
                second(next);
            }
        }
    };
    const auto rest = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            if (waits(i, begin, end)) second(i);
    };
    parallel_chunks(p.rows(), grain, std::ref(both)); // a function of a lambda would allocate
    parallel_chunks(p.rows(), grain, std::ref(rest));
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
    constexpr int whole = B * B / 8 * 8; // numbers in whole registers
    const auto norm = [&](std::int64_t k) {
        const S* a = A.block(k);
        return std::sqrt(
            Eigen::Map<const Eigen::Matrix<S, whole, 1>>(a).squaredNorm() +
            Eigen::Map<const Eigen::Matrix<S, B * B - whole, 1>>(a + whole).squaredNorm());
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

/// Lanczos' method for A x = λ D x: v = w / β with wᵀD⁻¹w = β². Vectors are kept as they come, not
/// divided by β, so that a step takes two passes: A D⁻¹v and α, then the next w, D⁻¹w and β.
template <class S, int B> double MultigridLevel<S, B>::estimate_spectrum(int steps)
{
    S *w = r_.data(), *before = d_.data(), *product = f.data(), *inverse_w = x.data();
    const auto sum_rows = [&](const auto& row) {
        return parallel_sum(rows(), level_grain<B>, [&](std::size_t begin, std::size_t end) {
            double sum = 0;
            for (std::size_t i = begin; i < end; ++i) sum += row(i);
            return sum;
        });
    };
    const auto apply_inverse = [&](std::size_t i, const S* at) { // D⁻¹w; wᵀD⁻¹w
        const auto y = symmetric_product<S, B>(inverse.data() + i * B * B, at + i * B);
        double sum = 0;
        for (std::size_t k = 0; k < B; ++k) {
            sum += double(at[i * B + k]) * double(y[Eigen::Index(k)]);
            inverse_w[i * B + k] = y[Eigen::Index(k)];
        }
        return sum;
    };
    double beta = std::sqrt(sum_rows([&](std::size_t i) {
        for (std::size_t k = i * B; k < (i + 1) * B; ++k) {
            w[k] = noise<S>(k);
            before[k] = 0;
        }
        return apply_inverse(i, w);
    }));
    double beta_before = 1;
    VecX diagonal(steps), off(steps);
    int done = 0;
    for (; done < steps && beta > 0 && std::isfinite(beta); ++done) {
        const double alpha =
            sum_rows([&](std::size_t i) {
                const RowPattern& p = *A.pattern;
                const std::int64_t first = p.begin[i];
                row_product<S, B, B>(p.columns.data() + first, A.block(first),
                                     p.begin[i + 1] - first, inverse_w, product + i * B);
                double sum = 0;
                for (std::size_t k = i * B; k < (i + 1) * B; ++k)
                    sum += double(product[k]) * double(inverse_w[k]);
                return sum;
            }) /
            (beta * beta);
        diagonal[done] = alpha;
        // w ← A D⁻¹v − α v − β v₋, in the place of the vector before last
        const S scale = S(1 / beta), a = S(alpha / beta);
        const S b = S(done > 0 ? beta / beta_before : 0);
        beta_before = beta;
        beta = std::sqrt(sum_rows([&](std::size_t i) {
            for (std::size_t k = i * B; k < (i + 1) * B; ++k)
                before[k] = scale * product[k] - a * w[k] - b * before[k];
            return apply_inverse(i, before);
        }));
        std::swap(w, before);
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
    S *d = d_.data(), *to = x.data(), *r = r_.data();
    const S *from = f.data(), *inv = inverse.data();
    parallel_for(rows(), level_grain<B>, [=](std::size_t i) {
        const auto y = symmetric_product<S, B>(inv + i * B * B, from + i * B);
        for (std::size_t k = 0; k < B; ++k) d[i * B + k] = first_ * y[Eigen::Index(k)];
    });
    const auto second_step = [=](std::size_t i) {
        S res[B];
        row_residual(A, i, from, d, res);
        const auto y = symmetric_product<S, B>(inv + i * B * B, res);
        for (std::size_t k = 0; k < B; ++k)
            to[i * B + k] = (1 + keep_) * d[i * B + k] + add_ * y[Eigen::Index(k)];
    };
    const auto residual = [&](const S* at, S* out) {
        return [=](std::size_t i) {
            S res[B];
            row_residual(A, i, from, at, res);
            for (std::size_t k = 0; k < B; ++k) out[i * B + k] = res[k];
        };
    };
    if (add_third_ == 0) {
        sweep_twice<B>(*A.pattern, second_step, residual(to, r));
    } else {
        parallel_for(rows(), level_grain<B>, second_step);
        third_step(d, r_);
        parallel_for(rows(), level_grain<B>, residual(x.data(), r_.data()));
    }
}

template <class S, int B> void MultigridLevel<S, B>::smooth_again()
{
    S *d = d_.data(), *mid = r_.data();
    const S *from = f.data(), *at = x.data(), *inv = inverse.data();
    const auto first_step = [=](std::size_t i) {
        S res[B];
        row_residual(A, i, from, at, res);
        const auto y = symmetric_product<S, B>(inv + i * B * B, res);
        for (std::size_t k = 0; k < B; ++k) {
            d[i * B + k] = first_ * y[Eigen::Index(k)];
            mid[i * B + k] = at[i * B + k] + first_ * y[Eigen::Index(k)];
        }
    };
    const auto second_step = [=](std::size_t i) { // its own d alone is read: x may take its place
        S res[B];
        row_residual(A, i, from, mid, res);
        const auto y = symmetric_product<S, B>(inv + i * B * B, res);
        for (std::size_t k = 0; k < B; ++k)
            d[i * B + k] = mid[i * B + k] + keep_ * d[i * B + k] + add_ * y[Eigen::Index(k)];
    };
    sweep_twice<B>(*A.pattern, first_step, second_step);
    std::swap(x, d_);
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
