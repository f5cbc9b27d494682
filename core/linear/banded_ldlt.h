#pragma once

#include "core/math/simd.h"

#include <vector>

namespace selvage
{

/// Lower band of a symmetric matrix, column after column: column c holds A(c … c + W, c). With
/// T = Real4 it is four matrices side by side, one per lane.
template <class T, int W> class BandMatrix
{
public:
    /// All zero; memory is kept between calls.
    void set_zero(int size)
    {
        size_ = size;
        // W columns of padding: elimination may write past the end without asking.
        values_.assign(std::size_t(size + W) * (W + 1), T(0.0));
    }
    int size() const { return size_; }
    T* column(int c) { return values_.data() + std::size_t(c) * (W + 1); }
    const T* column(int c) const { return values_.data() + std::size_t(c) * (W + 1); }
    /// row − W <= col <= row
    T& operator()(int row, int col) { return column(col)[row - col]; }
    const T& operator()(int row, int col) const { return column(col)[row - col]; }

private:
    int size_ = 0;
    std::vector<T> values_;
};

/// What the pivots of a factorisation say.
template <class T> struct BandPivots {
    T least;    ///< smallest pivot over the diagonal entry it came from; > 0: positive definite
    T negative; ///< number of negative pivots, which is that of negative eigenvalues
};

/// A = L D Lᵀ in place, without pivoting: O(n W²). A vanishing pivot is replaced by a tiny one; the
/// caller looks at BandPivots::least.
template <class T, int W> BandPivots<T> factor(BandMatrix<T, W>& A)
{
    const T zero(0.0), one(1.0);
    BandPivots<T> pivots{one, zero};
    std::vector<T> diagonal(std::size_t(A.size()));
    for (int c = 0; c < A.size(); ++c) diagonal[std::size_t(c)] = A(c, c);
    for (int c = 0; c < A.size(); ++c) {
        T* column = A.column(c);
        const T scale = maximum(absolute(diagonal[std::size_t(c)]), T(1e-300));
        pivots.least = minimum(pivots.least, column[0] / scale);
        pivots.negative = pivots.negative + select(column[0] < zero, one, zero);
        const T pivot = select(absolute(column[0]) > T(1e-300), column[0], T(1e-300));
        column[0] = pivot;
        const T inverse = one / pivot;
        T l[W + 1];
#pragma GCC unroll 16
        for (int k = 1; k <= W; ++k) l[k] = inverse * column[k];
#pragma GCC unroll 16
        for (int k = 1; k <= W; ++k) {
            T* target = A.column(c + k);
#pragma GCC unroll 16
            for (int m = k; m <= W; ++m) target[m - k] = target[m - k] - l[k] * column[m];
        }
#pragma GCC unroll 16
        for (int k = 1; k <= W; ++k) column[k] = l[k];
    }
    return pivots;
}

/// The entries from `first` on of A⁻¹ b, where b vanishes before them: half the work for a column
/// of the inverse, whose upper half is known by symmetry. b has room for W more
/// entries, which are ignored.
template <class T, int W> void solve_from(const BandMatrix<T, W>& A, int first, T* b)
{
    for (int c = first; c < A.size(); ++c) {
        const T* column = A.column(c);
#pragma GCC unroll 16
        for (int k = 1; k <= W; ++k) b[c + k] = b[c + k] - column[k] * b[c];
    }
    for (int k = 0; k < W; ++k) b[A.size() + k] = T(0.0);
    for (int c = A.size() - 1; c >= first; --c) {
        const T* column = A.column(c);
        T sum = b[c] / column[0];
#pragma GCC unroll 16
        for (int k = 1; k <= W; ++k) sum = sum - column[k] * b[c + k];
        b[c] = sum;
    }
}

/// b becomes A⁻¹ b.
template <class T, int W> void solve(const BandMatrix<T, W>& A, T* b) { solve_from(A, 0, b); }

} // namespace selvage
