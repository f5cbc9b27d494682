#pragma once

#include "core/math/jacobi.h"
#include "core/math/parallel_transport.h"

namespace selvage
{

/// A discrete elastic rod [Bergou et al. 2008, 2010] is a chain of points with a material frame
/// (m1, m2, t) on each edge; stretch acts on edges, bending and twist at the points between two
/// edges e (before) and f (after).
///
/// Frames are carried from one configuration to the next, never stored as angles against a
/// reference: a displacement of the points takes each m1 along by parallel transport of its edge,
/// and an increment θ turns it about the edge. Energies depend on points and frames alone, so
/// nothing depends on the path. Derivatives are those with respect to
///   q = [e f θ_e θ_f]   at   θ = 0
/// of the energy after such a displacement: the gradient of Bergou et al., and the symmetric
/// Hessian of E(retract(q)).

/// A row of derivatives by q.
template <class T> struct RodGradient {
    Vec3T<T> e, f;
    T a, b; ///< by θ_e and θ_f
};

/// A symmetric matrix of second derivatives by q.
template <class T> struct RodHessian {
    Mat3T<T> ee, ef, ff;     ///< ef: rows e, columns f
    Vec3T<T> ea, eb, fa, fb; ///< e or f with θ_e (a) or θ_f (b)
    T aa, ab, bb;
};

template <class T> struct RodResult {
    T energy;
    RodGradient<T> gradient;
    RodHessian<T> hessian;
};

template <class T> SELVAGE_INLINE void set_zero(RodResult<T>& r)
{
    const T zero(0.0);
    const Vec3T<T> none = {zero, zero, zero};
    r.energy = zero;
    r.gradient = {none, none, zero, zero};
    RodHessian<T>& h = r.hessian;
#pragma GCC unroll 9
    for (int i = 0; i < 9; ++i) h.ee.m[i] = h.ef.m[i] = h.ff.m[i] = zero;
    h.ea = h.eb = h.fa = h.fb = none;
    h.aa = h.ab = h.bb = zero;
}

/// What bending and twist see of two edges and their frames.
template <class T> struct RodVertex {
    Vec3T<T> t_e, t_f;               ///< unit tangents
    Vec3T<T> m1_e, m2_e, m1_f, m2_f; ///< material frames
    T inverse_e, inverse_f;          ///< 1/‖e‖, 1/‖f‖
    T inverse_chi;                   ///< 1/χ, χ = 1 + t_e·t_f; capped where the rod folds back
    Vec3T<T> binormal;               ///< κb = 2 t_e × t_f / χ, of length 2 tan(φ/2)
    Vec3T<T> tilde;                  ///< t̃ = (t_e + t_f)/χ
};

/// Unit tangents, m1 orthogonal to them.
template <class T>
SELVAGE_INLINE RodVertex<T> rod_vertex(const Vec3T<T>& t_e, const T& inverse_e,
                                       const Vec3T<T>& m1_e, const Vec3T<T>& t_f,
                                       const T& inverse_f, const Vec3T<T>& m1_f)
{
    constexpr double least_chi = 1e-9; // energy finite, if huge, where the rod folds back
    const T one(1.0);
    RodVertex<T> v;
    v.t_e = t_e, v.t_f = t_f, v.inverse_e = inverse_e, v.inverse_f = inverse_f;
    v.m1_e = m1_e, v.m2_e = cross(t_e, m1_e), v.m1_f = m1_f, v.m2_f = cross(t_f, m1_f);
    v.inverse_chi = one / maximum(one + dot(t_e, t_f), T(least_chi));
    v.binormal = (T(2.0) * v.inverse_chi) * cross(t_e, t_f);
    v.tilde = v.inverse_chi * (t_e + t_f);
    return v;
}

/// h += g1 g2ᵀ, whose sum over all calls must be symmetric: only the upper triangle is kept.
template <class T>
SELVAGE_INLINE void add_product(RodHessian<T>& h, const RodGradient<T>& g1,
                                const RodGradient<T>& g2)
{
    h.ee = h.ee + outer(g1.e, g2.e), h.ef = h.ef + outer(g1.e, g2.f),
    h.ff = h.ff + outer(g1.f, g2.f);
    h.ea = h.ea + g2.a * g1.e, h.eb = h.eb + g2.b * g1.e;
    h.fa = h.fa + g2.a * g1.f, h.fb = h.fb + g2.b * g1.f;
    h.aa = h.aa + g1.a * g2.a, h.ab = h.ab + g1.a * g2.b, h.bb = h.bb + g1.b * g2.b;
}

/// Negative eigenvalues become zero, in coordinates without units (edges by their lengths): the
/// least addition that makes h positive semi-definite there, so the result is nowhere below h.
/// By Jacobi rotations, about ten times as dear as all the rest: for rods that need it.
template <class T> inline void clamp_psd(RodHessian<T>& h, const T& inverse_e, const T& inverse_f)
{
    const T scale[8] = {inverse_e, inverse_e, inverse_e, inverse_f,
                        inverse_f, inverse_f, T(1.0),    T(1.0)};
    T A[8][8];
    const auto each = [&](auto&& visit) { // upper triangle: entry of h, row, column
        for (int i = 0; i < 3; ++i) {
            for (int j = i; j < 3; ++j) {
                visit(h.ee.m[3 * i + j], i, j);
                visit(h.ff.m[3 * i + j], 3 + i, 3 + j);
            }
            for (int j = 0; j < 3; ++j) visit(h.ef.m[3 * i + j], i, 3 + j);
        }
        const auto column = [&](Vec3T<T>& v, int row, int col) {
            visit(v.x, row, col), visit(v.y, row + 1, col), visit(v.z, row + 2, col);
        };
        column(h.ea, 0, 6), column(h.eb, 0, 7), column(h.fa, 3, 6), column(h.fb, 3, 7);
        visit(h.aa, 6, 6), visit(h.ab, 6, 7), visit(h.bb, 7, 7);
    };
    each([&](T& value, int i, int j) { A[i][j] = A[j][i] = value / (scale[i] * scale[j]); });
    clamp_psd<T, 8>(A);
    each([&](T& value, int i, int j) { value = A[i][j] * scale[i] * scale[j]; });
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < i; ++j) {
            h.ee.m[3 * i + j] = h.ee.m[3 * j + i];
            h.ff.m[3 * i + j] = h.ff.m[3 * j + i];
        }
}

template <class T>
SELVAGE_INLINE void add_scaled(RodGradient<T>& sum, const T& k, const RodGradient<T>& g)
{
    sum.e = sum.e + k * g.e, sum.f = sum.f + k * g.f;
    sum.a = sum.a + k * g.a, sum.b = sum.b + k * g.b;
}

} // namespace selvage
