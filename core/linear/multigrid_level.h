#pragma once

#include "core/linear/block_rows.h"

namespace selvage
{

/// One level of a multigrid hierarchy: its matrix of B×B blocks, and Chebyshev smoothing on D⁻¹A
/// with D the block diagonal. Smoothers are polynomials in D⁻¹A, hence symmetric in the energy
/// product: a cycle made of them is a symmetric preconditioner [Tamstorf 2016, App. A].
template <class S, int B> class MultigridLevel
{
public:
    BlockRows<S, B, B> A;
    Buffer<S> inverse; ///< D⁻¹, B×B per row
    Buffer<S> f, x;    ///< right-hand side and solution of a cycle

    std::size_t rows() const { return A.rows(); }

    /// Sizes the vectors; A must have its pattern.
    void prepare();
    /// Inverts the diagonal blocks of A; false where one is not positive definite beyond rounding.
    bool invert_diagonal();
    /// ‖A_ij‖ / √(‖A_ii‖‖A_jj‖) in the Frobenius norm for each block, 0 on the diagonal.
    void strengths(Buffer<float>& out) const;
    /// Largest eigenvalue of D⁻¹A, from below, by `steps` of Lanczos' method from a fixed start.
    double estimate_spectrum(int steps);
    /// Chooses the smoother, of degree 2 or 3.
    void set_spectrum(double largest, int degree = 2);
    double spectrum() const { return spectrum_; }

    /// x = p(D⁻¹A) D⁻¹ f: smoothing from zero. Leaves the residual f − A x in `residual()`.
    void smooth_from_zero();
    const S* residual() const { return r_.data(); }
    /// Smooths x further.
    void smooth_again();

    /// For a second cycle on what the first left over: sets x aside and puts f − A x in f's place…
    void begin_again();
    /// …and adds it to what the second found.
    void add_first();

    /// Memory held, but for the pattern, which may be shared.
    std::size_t bytes() const;

private:
    void third_step(const S* before, Buffer<S>& to);

    Buffer<S> d_, r_;
    Buffer<S> first_x_; ///< of the first of two cycles; empty where there is one
    double spectrum_ = 0;
    S first_ = 0, keep_ = 0, add_ = 0; ///< Chebyshev's coefficients: d = first D⁻¹r, then
                                       ///< d = keep d + add D⁻¹r
    S keep_third_ = 0, add_third_ = 0; ///< of the third step; add 0: none
};

} // namespace selvage
