#pragma once

#include "core/base/types.h"

#include <vector>

namespace selvage
{

/// Solutions of (A + Σ σ_i u_i u_iᵀ) p = b from those of A, by Sherman, Morrison and Woodbury:
///   p = y − Z (Σ⁻¹ + Uᵀ Z)⁻¹ Uᵀ y,   A y = b,   A Z = U.
/// For A and all σ positive (definite) the small matrix is so too.
class LowRankUpdate
{
public:
    /// σ > 0, u, and z with A z = u.
    void add(double scale, VecX u, VecX z);
    /// Turns y into p.
    void apply(VecX& y) const;

private:
    std::vector<double> scale_;
    std::vector<VecX> u_, z_;
};

} // namespace selvage
