#pragma once

#include "core/base/types.h"

/// Dense eigenvalue problems of any size: the reference for closed forms. Compiled once, for
/// Eigen's solvers take seconds wherever they are instantiated.
namespace selvage::test
{

/// Of the symmetric part of A.
double min_eigenvalue(const MatX& A);

/// The nearest positive semi-definite matrix to a symmetric one: negative eigenvalues become zero.
MatX clamp_eigenvalues(const MatX& A);

/// Of a symmetric matrix, ascending.
VecX eigenvalues(const MatX& A);

} // namespace selvage::test
