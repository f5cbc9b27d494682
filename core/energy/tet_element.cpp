#include "core/energy/tet_element.h"

#include "core/base/error.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <fmt/format.h>

namespace selvage
{

TetRest tet_rest(const Vec3& p0, const Vec3& p1, const Vec3& p2, const Vec3& p3)
{
    Mat3 D;
    D << p1 - p0, p2 - p0, p3 - p0;
    const double det = D.determinant(), size = D.norm();
    if (!(std::abs(det) > 1e-10 * size * size * size))
        throw InputError("A tetrahedron has no rest volume. Remove degenerate primitives.");
    if (det < 0)
        throw InputError("A tetrahedron is inside out at rest. Exchange two of its points.");
    return {D.inverse(), det / 6};
}

Mat3 deformation_gradient(const Vec12& x, const TetRest& rest)
{
    Mat3 D;
    for (int i = 0; i < 3; ++i) D.col(i) = x.segment<3>(3 * i + 3) - x.segment<3>(0);
    return D * rest.inverse_rest;
}

std::array<double, 10> packed_rest(const TetRest& r)
{
    const Mat3& B = r.inverse_rest;
    return {B(0, 0), B(0, 1), B(0, 2), B(1, 0), B(1, 1),
            B(1, 2), B(2, 0), B(2, 1), B(2, 2), r.volume};
}

Lame lame(double young, double poisson)
{
    if (!(young > 0) || !(poisson > -1 && poisson < 0.5))
        throw InputError(fmt::format("A solid needs a positive Young's modulus (given: {} Pa) and "
                                     "a Poisson's ratio between -1 and 0.5, at most 0.4999 in "
                                     "practice (given: {}).",
                                     young, poisson));
    return {young * poisson / ((1 + poisson) * (1 - 2 * poisson)), young / (2 * (1 + poisson))};
}

double first_inversion(const Mat3& F, const Mat3& dF)
{
    const auto cofactor = [](const Mat3& A) {
        Mat3 C;
        C << A.col(1).cross(A.col(2)), A.col(2).cross(A.col(0)), A.col(0).cross(A.col(1));
        return C;
    };
    const double c0 = F.determinant(), c1 = cofactor(F).cwiseProduct(dF).sum();
    const double c2 = cofactor(dF).cwiseProduct(F).sum(), c3 = dF.determinant();
    const auto J = [&](double t) { return c0 + t * (c1 + t * (c2 + t * c3)); };
    // Control points of the cubic on [0, 1]: all positive, no root.
    if (c0 + c1 / 3 > 0 && c0 + (2 * c1 + c2) / 3 > 0 && J(1) > 0) return infinity;

    // Between extrema the cubic is monotone: bisect in the first piece that ends below zero.
    double bounds[4] = {0, 1, 1, 1};
    const double radicand = c2 * c2 - 3 * c3 * c1;
    if (radicand > 0) {
        const double q = -(c2 + std::copysign(std::sqrt(radicand), c2));
        double a = q / (3 * c3), b = c1 / q; // NaN or infinite where there is no extremum
        if (b < a) std::swap(a, b);
        int n = 1;
        for (const double t : {a, b})
            if (t > 0 && t < 1) bounds[n++] = t;
    }
    for (int i = 0; i < 3; ++i) {
        double low = bounds[i], high = bounds[i + 1];
        if (J(high) > 0) continue;
        for (int k = 0; k < 60 && high - low > 1e-15 * high; ++k) {
            const double middle = 0.5 * (low + high);
            (J(middle) > 0 ? low : high) = middle;
        }
        return low;
    }
    return infinity;
}

} // namespace selvage
