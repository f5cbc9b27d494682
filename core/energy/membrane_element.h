#pragma once

#include "core/energy/element.h"
#include "core/energy/term.h"

namespace selvage
{

/// A rest triangle in the frame of its fabric: first axis along the warp, second along the weft.
///   F = [x1 − x0, x2 − x0] B,   B = [X1 − X0, X2 − X0]⁻¹   (3×2 and 2×2)
/// so that the columns of F are the images of the unit warp and weft; W = area · ψ(F).
/// Laws on F use thickness-integrated moduli: ψ in J/m², stresses in N/m.
struct MembraneTriangle {
    Mat2 inverse_rest = Mat2::Identity(); ///< B [1/m]
    double area = 0;                      ///< [m²]
};

/// `warp` need not lie in the triangle: it is projected onto it. Throws InputError where it is
/// orthogonal to the triangle or the triangle is degenerate.
MembraneTriangle membrane_triangle(const Vec3& p0, const Vec3& p1, const Vec3& p2,
                                   const Vec3& warp);
/// From rest lengths (of the edges opposite vertices 0, 1, 2) and the warp as weights of rest edges
/// (stvk_membrane.h), as needed for animated rest states. Throws InputError where the lengths do
/// not form a triangle.
MembraneTriangle membrane_triangle(const Vec3& rest_lengths, const Vec2& warp_weights);

Mat32 deformation_gradient(const Vec9& x, const MembraneTriangle& triangle);

/// What a law returns: ψ, P = ∂ψ/∂F by columns, and ∂²ψ/∂F² by pairs of columns of F (H10 = H01ᵀ).
template <class T> struct MembraneResponse {
    T psi;
    Vec3T<T> P[2];
    Mat3T<T> H00, H01, H11;
};

/// Energy, gradient and Hessian of one element (T = double) or a batch; rest = [B00 B01 B10 B11
/// area]. response(F, want, MembraneResponse<T>&) fills what is wanted.
template <class T, class Response>
SELVAGE_INLINE void membrane_kernel(const Vec3T<T> (&x)[3], const T* rest, Want want,
                                    ElementResult<T, 3>& out, const Response& response)
{
    const Vec3T<T> e1 = x[1] - x[0], e2 = x[2] - x[0];
    const Vec3T<T> F[2] = {rest[0] * e1 + rest[2] * e2, rest[1] * e1 + rest[3] * e2};
    MembraneResponse<T> r;
    response(F, want, r);

    const T area = rest[4];
    if (want.energy) out.energy = area * r.psi;
    // ∂F/∂x1 = row 0 of B, ∂F/∂x2 = row 1, x0 takes the rest.
    const T g[2][2] = {{rest[0], rest[1]}, {rest[2], rest[3]}};
    if (want.gradient) {
        for (int a = 0; a < 2; ++a)
            out.gradient[a + 1] = area * (g[a][0] * r.P[0] + g[a][1] * r.P[1]);
        out.gradient[0] = -(out.gradient[1] + out.gradient[2]);
    }
    if (!want.hessian) return;
    const auto block = [&](int a, int b) __attribute__((always_inline))
    {
        const T h00 = area * g[a][0] * g[b][0], h01 = area * g[a][0] * g[b][1];
        const T h10 = area * g[a][1] * g[b][0], h11 = area * g[a][1] * g[b][1];
        return h00 * r.H00 + h01 * r.H01 + h10 * transposed(r.H01) + h11 * r.H11;
    };
    const Mat3T<T> H11 = block(0, 0), H12 = block(0, 1), H22 = block(1, 1);
    // Rows sum to zero: translations cost nothing.
    const T minus(-1.0);
    const Mat3T<T> H01 = minus * (H11 + transposed(H12)), H02 = minus * (H12 + H22);
    assign(out.block(1, 1), H11), assign(out.block(1, 2), H12), assign(out.block(2, 2), H22);
    assign(out.block(0, 1), H01), assign(out.block(0, 2), H02);
    assign(out.block(0, 0), minus * (H01 + H02));
}

} // namespace selvage
