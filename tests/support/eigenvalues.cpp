#include "tests/support/eigenvalues.h"

#include <Eigen/Eigenvalues>

namespace selvage::test
{

double min_eigenvalue(const MatX& A) { return eigenvalues(0.5 * (A + A.transpose()))[0]; }

MatX clamp_eigenvalues(const MatX& A)
{
    const Eigen::SelfAdjointEigenSolver<MatX> eigen(A);
    if (eigen.eigenvalues()[0] >= 0) return A;
    return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).asDiagonal() *
           eigen.eigenvectors().transpose();
}

VecX eigenvalues(const MatX& A)
{
    return Eigen::SelfAdjointEigenSolver<MatX>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

} // namespace selvage::test
