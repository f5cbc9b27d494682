#pragma once

#include "core/math/simd.h"

#include <Eigen/Core>

#include <cstdint>
#include <type_traits>

namespace selvage
{

/// Products of small dense blocks, one row of a block per SIMD pack. Rows of three are loaded as
/// four numbers and rows of six as eight; the surplus lanes hold neighbours and are dropped when a
/// result is stored. Arrays therefore need the tail that Buffer gives them.
template <class S, int C> using RowPack = Eigen::Matrix<S, (C <= 4 ? 4 : 8), 1>;

template <class S, int C> SELVAGE_INLINE Eigen::Map<const RowPack<S, C>> load_row(const S* p)
{
    return Eigen::Map<const RowPack<S, C>>(p);
}

/// y_r = the sum of the first C lanes of rows[r].
template <class S, int R, int C> SELVAGE_INLINE void add_lanes(const RowPack<S, C>* rows, S* y)
{
#ifdef __AVX__
    if constexpr (std::is_same_v<S, float> && R == 6 && C == 6) { // a fifth of a row's product else
        const auto pair = [rows](int r) { // lanes 0+1, 2+3 and 4+5 of rows r and r + 1
            const __m256 a = _mm256_loadu_ps(rows[r].data()),
                         b = _mm256_loadu_ps(rows[r + 1].data());
            return _mm256_blend_ps(_mm256_hadd_ps(a, b), _mm256_setzero_ps(), 0xA0);
        };
        const auto halves = [](__m256 a) {
            return _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
        };
        const __m256 last = pair(4);
        _mm_storeu_ps(y, halves(_mm256_hadd_ps(pair(0), pair(2))));
        _mm_storel_pi(reinterpret_cast<__m64*>(y + 4), halves(_mm256_hadd_ps(last, last)));
        return;
    }
#endif
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r) y[r] = rows[r].template head<C>().sum();
}

/// y = Σ_k A_k x_{columns[k]} for one row of R×C blocks.
template <class S, int R, int C>
SELVAGE_INLINE void row_product(const std::int32_t* columns, const S* a, std::int64_t count,
                                const S* x, S* y)
{
    RowPack<S, C> sum[R];
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r) sum[r].setZero();
    for (std::int64_t k = 0; k < count; ++k, a += R * C) {
        const RowPack<S, C> p = load_row<S, C>(x + C * std::ptrdiff_t(columns[k]));
#pragma GCC unroll 6
        for (int r = 0; r < R; ++r) sum[r] += load_row<S, C>(a + C * r).cwiseProduct(p);
    }
    add_lanes<S, R, C>(sum, y);
}

/// D x for a symmetric B×B block: its rows are its columns, so that x may be loose numbers.
template <class S, int B> SELVAGE_INLINE RowPack<S, B> symmetric_product(const S* d, const S* x)
{
    RowPack<S, B> y = x[0] * load_row<S, B>(d);
#pragma GCC unroll 6
    for (int k = 1; k < B; ++k) y += x[k] * load_row<S, B>(d + B * k);
    return y;
}

/// sum += A P, A of B×B, P of B×K in packs, one per row; so is sum.
template <class S, int B, int K>
SELVAGE_INLINE void add_block_product(const S* a, const RowPack<S, K>* p, RowPack<S, K>* sum)
{
#pragma GCC unroll 6
    for (int r = 0; r < B; ++r) {
        RowPack<S, K> row = sum[r];
#pragma GCC unroll 6
        for (int k = 0; k < B; ++k) row += a[B * r + k] * p[k];
        sum[r] = row;
    }
}
template <class S, int B, int K>
SELVAGE_INLINE void add_block_product(const S* a, const S* p, RowPack<S, K>* sum)
{
    RowPack<S, K> rows[B];
#pragma GCC unroll 6
    for (int k = 0; k < B; ++k) rows[k] = load_row<S, K>(p + K * k);
    add_block_product<S, B, K>(a, rows, sum);
}

/// sum += Pᵀ Q, both of B×K, Q in packs; sum has one pack for each of the K rows.
template <class S, int B, int K>
SELVAGE_INLINE void add_transposed_product(const S* p, const RowPack<S, K>* q, RowPack<S, K>* sum)
{
    RowPack<S, K> row[B];
#pragma GCC unroll 6
    for (int k = 0; k < B; ++k) row[k] = q[k];
#pragma GCC unroll 6
    for (int r = 0; r < K; ++r) {
        RowPack<S, K> s = sum[r];
#pragma GCC unroll 6
        for (int k = 0; k < B; ++k) s += p[K * k + r] * row[k];
        sum[r] = s;
    }
}

/// Stores R rows of K numbers each. Surplus lanes are overwritten by the row after; the last row is
/// stored without them, for what follows may be another thread's.
template <class S, int R, int K> SELVAGE_INLINE void store_rows(const RowPack<S, K>* rows, S* out)
{
#pragma GCC unroll 6
    for (int r = 0; r + 1 < R; ++r) Eigen::Map<RowPack<S, K>>(out + K * r) = rows[r];
    if constexpr (K == 6)
        Eigen::Map<RowPack<S, 4>>(out + K * (R - 1)) = rows[R - 1].template head<4>();
#pragma GCC unroll 6
    for (int c = K == 6 ? 4 : 0; c < K; ++c) out[K * (R - 1) + c] = rows[R - 1][c];
}

} // namespace selvage
