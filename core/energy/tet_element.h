#pragma once

#include "core/energy/element.h"
#include "core/energy/term.h"

#include <array>

namespace selvage
{

/// A rest tetrahedron with constant strain:
///   F = [x1 − x0, x2 − x0, x3 − x0] B,   B = [X1 − X0, …]⁻¹,   W = volume · ψ(F),  ψ in J/m³.
/// Vertices in the order that makes det [X1 − X0, X2 − X0, X3 − X0] positive.
struct TetRest {
    Mat3 inverse_rest = Mat3::Identity(); ///< B [1/m]
    double volume = 0;                    ///< [m³]
};

/// Throws InputError where the tetrahedron is flat or its vertices are ordered inside out.
TetRest tet_rest(const Vec3& p0, const Vec3& p1, const Vec3& p2, const Vec3& p3);

Mat3 deformation_gradient(const Vec12& x, const TetRest& rest);

/// As kernels read it: B row by row, volume.
std::array<double, 10> packed_rest(const TetRest& rest);

/// Lamé's constants [Pa] of Young's modulus [Pa] and Poisson's ratio:
///   μ = E/(2(1 + ν)),   λ = Eν/((1 + ν)(1 − 2ν)).
/// Throws InputError unless E > 0 and −1 < ν < 1/2.
struct Lame {
    double lambda = 0, mu = 0;
};
Lame lame(double young, double poisson);

/// Smallest α in (0, 1] at which det(F + α dF) falls to zero, from just below; infinity if it does
/// not. det F must be positive.
double first_inversion(const Mat3& F, const Mat3& dF);

/// F by columns; rest as packed_rest gives it.
template <class T>
SELVAGE_INLINE void tet_deformation(const Vec3T<T> (&x)[4], const T* rest, Vec3T<T> (&F)[3])
{
    const Vec3T<T> e[3] = {x[1] - x[0], x[2] - x[0], x[3] - x[0]};
    for (int j = 0; j < 3; ++j) F[j] = rest[j] * e[0] + rest[3 + j] * e[1] + rest[6 + j] * e[2];
}

/// Energy, gradient and Hessian of one element or a batch; rest as packed_rest gives it. The law's
/// response carries ψ, P by columns, and block(g, h) = Σ_jl g_j h_l ∂²ψ/∂F_j∂F_l.
template <class T, class Response, class Law>
SELVAGE_INLINE void tet_kernel(const Vec3T<T> (&x)[4], const T* rest, Want want,
                               ElementResult<T, 4>& out, const Law& respond)
{
    Vec3T<T> F[3];
    tet_deformation(x, rest, F);
    Response r;
    respond(F, want, r);

    const T volume = rest[9];
    if (want.energy) out.energy = volume * r.psi;
    // ∂F/∂x_{a+1} is row a of B; x0 takes the rest.
    Vec3T<T> g[3];
    for (int a = 0; a < 3; ++a) g[a] = {rest[3 * a], rest[3 * a + 1], rest[3 * a + 2]};
    if (want.gradient) {
        for (int a = 0; a < 3; ++a)
            out.gradient[a + 1] = volume * (g[a].x * r.P[0] + g[a].y * r.P[1] + g[a].z * r.P[2]);
        out.gradient[0] = -(out.gradient[1] + out.gradient[2] + out.gradient[3]);
    }
    if (!want.hessian) return;
    for (int a = 0; a < 3; ++a)
        for (int b = a; b < 3; ++b) assign(out.block(a + 1, b + 1), r.block(volume * g[a], g[b]));
    // Rows sum to zero: translations cost nothing.
    const T minus(-1.0);
    const Mat3T<T> H01 =
        minus * (out.block(1, 1) + transposed(out.block(1, 2)) + transposed(out.block(1, 3)));
    const Mat3T<T> H02 = minus * (out.block(1, 2) + out.block(2, 2) + transposed(out.block(2, 3)));
    const Mat3T<T> H03 = minus * (out.block(1, 3) + out.block(2, 3) + out.block(3, 3));
    assign(out.block(0, 1), H01), assign(out.block(0, 2), H02), assign(out.block(0, 3), H03);
    assign(out.block(0, 0), minus * (H01 + H02 + H03));
}

} // namespace selvage
