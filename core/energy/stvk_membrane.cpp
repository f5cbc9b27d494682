#include "core/energy/stvk_membrane.h"

#include "core/base/error.h"
#include "core/energy/batch_loop.h"
#include "core/math/psd.h"

#include <Eigen/Geometry>
#include <fmt/format.h>

namespace selvage
{
namespace
{

template <class T> struct StvkMaterial {
    const T* stiffness;    // t00 t01 t02 t11 t12 t22
    const T* rest_squared; // 3
    T rate;                // b = 1/h_eff
    const T* viscosity;    // D, as stiffness; null where nothing is damped
    const T* lagged;       // ŝ, 3
};

template <class T> SELVAGE_INLINE Vec3T<T> multiply(const T* t, const Vec3T<T>& s)
{
    return {t[0] * s.x + t[1] * s.y + t[2] * s.z, t[1] * s.x + t[3] * s.y + t[4] * s.z,
            t[2] * s.x + t[4] * s.y + t[5] * s.z};
}

template <class T> SELVAGE_INLINE Vec3T<T> strain(const Vec3T<T> (&e)[3], const T* rest_squared)
{
    return {T(0.5) * (dot(e[0], e[0]) - rest_squared[0]),
            T(0.5) * (dot(e[1], e[1]) - rest_squared[1]),
            T(0.5) * (dot(e[2], e[2]) - rest_squared[2])};
}

template <class T> SELVAGE_INLINE void edges(const Vec3T<T> (&x)[3], Vec3T<T> (&e)[3])
{
    e[0] = x[2] - x[1], e[1] = x[0] - x[2], e[2] = x[1] - x[0];
}

template <class T>
SELVAGE_INLINE void stvk_kernel(const Vec3T<T> (&x)[3], const StvkMaterial<T>& m, Want want,
                                ElementResult<T, 3>& out)
{
    Vec3T<T> e[3];
    edges(x, e);
    const Vec3T<T> s = strain(e, m.rest_squared);
    const Vec3T<T> Ts = multiply(m.stiffness, s);
    Vec3T<T> r = T(2.0) * Ts;
    if (want.energy) out.energy = dot(s, Ts);
    if (m.viscosity) {
        const Vec3T<T> d = s - Vec3T<T>{m.lagged[0], m.lagged[1], m.lagged[2]};
        const Vec3T<T> Dd = m.rate * multiply(m.viscosity, d);
        r = r + T(2.0) * Dd;
        if (want.energy) out.energy = out.energy + dot(d, Dd);
    }
    if (want.gradient) {
        const Vec3T<T> f0 = r.x * e[0], f1 = r.y * e[1], f2 = r.z * e[2];
        out.gradient[0] = f1 - f2, out.gradient[1] = f2 - f0, out.gradient[2] = f0 - f1;
    }
    if (!want.hessian) return;

    // Off-diagonal blocks of 2BᵀTB with T + bD for T: (Bᵀ)_m T = 2 (T_{m+1} e_{m+1} − T_{m+2}
    // e_{m+2}).
    const Vec3T<T> E[3] = {T(2.0) * e[0], T(2.0) * e[1], T(2.0) * e[2]};
    T t[6];
    for (int k = 0; k < 6; ++k)
        t[k] = m.viscosity ? m.stiffness[k] + m.rate * m.viscosity[k] : m.stiffness[k];
    const T full[3][3] = {{t[0], t[1], t[2]}, {t[1], t[3], t[4]}, {t[2], t[4], t[5]}};
    const auto column = [&](int v, int k) __attribute__((always_inline))
    {
        const int a = (v + 1) % 3, b = (v + 2) % 3;
        return full[a][k] * E[a] - full[b][k] * E[b];
    };
    const auto off_diagonal = [&](int i, int j, const T& weight) __attribute__((always_inline))
    {
        const int a = (j + 1) % 3, b = (j + 2) % 3;
        Mat3T<T> H = outer(column(i, a), e[a]) - outer(column(i, b), e[b]);
        H.m[0] = H.m[0] - weight, H.m[4] = H.m[4] - weight, H.m[8] = H.m[8] - weight;
        return H;
    };
    const Vec3T<T> w = want.psd == Psd::clamp ? clamp_triangle_laplacian(r) : r;
    const Mat3T<T> H01 = off_diagonal(0, 1, w.z), H02 = off_diagonal(0, 2, w.y),
                   H12 = off_diagonal(1, 2, w.x);
    assign(out.block(0, 1), H01), assign(out.block(0, 2), H02), assign(out.block(1, 2), H12);
    // Rows sum to zero: translations cost nothing.
    const T minus(-1.0);
    assign(out.block(0, 0), minus * (H01 + H02));
    assign(out.block(1, 1), minus * (transposed(H01) + H12));
    assign(out.block(2, 2), minus * (transposed(H02) + transposed(H12)));
}

ElementResult<double, 3> evaluate_one(const Vec9& x, const StvkTriangle& t, const StvkDamping& d,
                                      Want want)
{
    Vec3T<double> p[3];
    unstack<3>(x, p);
    ElementResult<double, 3> r;
    stvk_kernel(p,
                StvkMaterial<double>{t.stiffness.data(), t.rest_squared.data(), d.rate,
                                     t.viscosity.data(), d.lagged_strain.data()},
                want, r);
    return r;
}

/// ē_j·ē_k for each i, from squared lengths.
Vec3 edge_products(const Vec3& q)
{
    return 0.5 * Vec3(q[0] - q[1] - q[2], q[1] - q[2] - q[0], q[2] - q[0] - q[1]);
}

/// 16 × squared area.
double heron(const Vec3& q) { return q.sum() * q.sum() - 2 * q.squaredNorm(); }

} // namespace

OrthotropicConstants orthotropic_constants(const MembraneModuli& m)
{
    if (!(m.young_warp > 0 && m.young_weft > 0 && m.shear > 0))
        throw InputError(fmt::format("Membrane moduli must be positive (warp {} N/m, weft {} N/m, "
                                     "shear {} N/m).",
                                     m.young_warp, m.young_weft, m.shear));
    // In the source's letters: Y across â, ηY along â, ν = contraction along â per stretch across.
    const double Y = m.young_weft, eta = m.young_warp / m.young_weft, nu = m.poisson / eta;
    const double G = 2 * m.shear, one = 1 - eta * nu * nu;
    if (!(one > 0))
        throw InputError(fmt::format("Poisson's ratio {} is too large for warp {} N/m and weft {} "
                                     "N/m: it must lie below {:.4g}.",
                                     m.poisson, m.young_warp, m.young_weft, std::sqrt(eta)));
    return {Y / one - G, G / 2, (eta * nu - 1) * Y / one + G,
            (1 + eta - 2 * eta * nu) * Y / (2 * one) - G};
}

OrthotropicConstants viscous_constants(const MembraneModuli& m, double stretch, double shear)
{
    const OrthotropicConstants k = orthotropic_constants(m);
    const double G = 2 * m.shear, more = shear - stretch; // shear alone: (−G, G/2, G, −G)
    return {stretch * k.lambda - more * G, stretch * k.mu + more * G / 2,
            stretch * k.alpha + more * G, stretch * k.beta - more * G};
}

Vec2 warp_weights(const Vec3& p0, const Vec3& p1, const Vec3& p2, const Vec3& warp)
{
    const Vec3 e0 = p2 - p1, e1 = p0 - p2, n = e0.cross(e1);
    const Vec3 across = n.cross(warp);
    // n × warp lies in the plane; relative to both lengths it is the sine of warp against n.
    if (!(across.norm() > 1e-6 * n.norm() * warp.norm()) || !(n.norm() > 0))
        throw InputError("A triangle is degenerate or its warp direction is orthogonal to it. Give "
                         "a warp direction that lies in the cloth.");
    const Vec3 a = across.normalized();
    Mat2 gram;
    gram << e0.dot(e0), e0.dot(e1), e0.dot(e1), e1.dot(e1);
    const double det = n.squaredNorm();
    const Vec2 right(a.dot(e0), a.dot(e1));
    return Vec2(gram(1, 1) * right[0] - gram(0, 1) * right[1],
                gram(0, 0) * right[1] - gram(0, 1) * right[0]) /
           det;
}

StvkTriangle stvk_triangle(const Vec3& rest_lengths, const Vec2& w, const OrthotropicConstants& k,
                           const OrthotropicConstants& viscous)
{
    const Vec3 q = rest_lengths.cwiseProduct(rest_lengths), off = edge_products(q);
    const double radicand = heron(q);
    if (!(radicand > 1e-20 * q.sum() * q.sum()))
        throw InputError(
            fmt::format("Rest lengths {:.6g}, {:.6g}, {:.6g} m do not form a triangle.",
                        rest_lengths[0], rest_lengths[1], rest_lengths[2]));
    const double A = 0.25 * std::sqrt(radicand);
    Mat3 d;
    d << q[0], off[2], off[1], off[2], q[1], off[0], off[1], off[0], q[2];
    const double across =
        std::sqrt(w[0] * w[0] * q[0] + 2 * w[0] * w[1] * off[2] + w[1] * w[1] * q[1]);
    const Vec3 c = (w[0] * d.col(0) + w[1] * d.col(1)) / across;

    const double scale = 1 / (32 * A * A * A);
    StvkTriangle t;
    std::size_t entry = 0;
    for (int i = 0; i < 3; ++i)
        for (int l = i; l < 3; ++l, ++entry) {
            const int j = (i + 1) % 3, kk = (i + 2) % 3, m = (l + 1) % 3, n = (l + 2) % 3;
            const double T1 = d(j, kk) * d(m, n);
            const double T2 = d(kk, m) * d(j, n) + d(kk, n) * d(j, m);
            const double T3 = c[j] * c[kk] * c[m] * c[n];
            const double T4 = d(j, kk) * c[m] * c[n] + d(m, n) * c[j] * c[kk];
            const auto tensor = [&](const OrthotropicConstants& o) {
                return scale * (o.lambda * T1 + o.mu * T2 + 2 * o.beta * T3 + o.alpha * T4);
            };
            t.stiffness[entry] = tensor(k);
            t.viscosity[entry] = tensor(viscous);
        }
    for (int i = 0; i < 3; ++i) t.rest_squared[std::size_t(i)] = q[i];
    return t;
}

StvkTriangle stvk_triangle(const Vec3& p0, const Vec3& p1, const Vec3& p2, const Vec3& warp,
                           const OrthotropicConstants& constants,
                           const OrthotropicConstants& viscous)
{
    return stvk_triangle(Vec3((p2 - p1).norm(), (p0 - p2).norm(), (p1 - p0).norm()),
                         warp_weights(p0, p1, p2, warp), constants, viscous);
}

Vec3 stvk_membrane_strain(const Vec9& x, const StvkTriangle& triangle)
{
    Vec3T<double> p[3], e[3];
    unstack<3>(x, p);
    edges(p, e);
    const Vec3T<double> s = strain(e, triangle.rest_squared.data());
    return {s.x, s.y, s.z};
}

double stvk_membrane_energy(const Vec9& x, const StvkTriangle& triangle, const StvkDamping& damping)
{
    return evaluate_one(x, triangle, damping, {true, false, false, Psd::exact}).energy;
}

Vec9 stvk_membrane_gradient(const Vec9& x, const StvkTriangle& triangle, const StvkDamping& damping)
{
    return stacked_gradient(evaluate_one(x, triangle, damping, {false, true, false, Psd::exact}));
}

Mat9 stvk_membrane_hessian(const Vec9& x, const StvkTriangle& triangle, Psd psd,
                           const StvkDamping& damping)
{
    return stacked_hessian(evaluate_one(x, triangle, damping, {false, false, true, psd}));
}

StvkMembrane::StvkMembrane(const std::vector<std::int32_t>& triangles,
                           const std::vector<StvkTriangle>& rest, int vertex_count)
    : count_(triangles.size() / 3), batches_(make_batches(3, triangles, vertex_count))
{
    set_rest(rest);
    lagged_.resize(batches_);
}

void StvkMembrane::set_rest(const std::vector<StvkTriangle>& rest)
{
    assert(rest.size() == count_);
    material_.assign(batches_, [&](std::size_t e) {
        const StvkTriangle& t = rest[e];
        std::array<double, 9> a;
        std::copy(t.stiffness.begin(), t.stiffness.end(), a.begin());
        std::copy(t.rest_squared.begin(), t.rest_squared.end(), a.begin() + 6);
        return a;
    });
    damped_ = std::any_of(rest.begin(), rest.end(), [](const StvkTriangle& t) {
        return t.viscosity[0] > 0 || t.viscosity[3] > 0 || t.viscosity[5] > 0;
    });
    if (damped_) viscosity_.assign(batches_, [&](std::size_t e) { return rest[e].viscosity; });
}

void StvkMembrane::begin_step(const StepContext& step)
{
    inverse_step_ = step.h_eff > 0 ? 1 / step.h_eff : 0;
    if (!damped_ || !step.x_star) return;
    parallel_for(batches_.batch_count(), 256, [&](std::size_t b) {
        Vec3T<Real4> x[3], e[3];
        gather<3>(batches_.vertices.data() + b * (3 * batch_lanes), step.x_star->data(), x);
        edges(x, e);
        const Vec3T<Real4> s = strain(e, material_[b] + 6);
        lagged_[b][0] = s.x, lagged_[b][1] = s.y, lagged_[b][2] = s.z;
    });
}

void StvkMembrane::evaluate(const VecX& x, Want want, Sink& out) const
{
    const bool damped = damped_ && inverse_step_ > 0;
    for_each_batch<3>(
        batches_, x, want, out,
        [&](std::size_t b, const Vec3T<Real4>(&p)[3], Want w, ElementResult<Real4, 3>& result) {
            const Real4* m = material_[b];
            stvk_kernel(p,
                        StvkMaterial<Real4>{m, m + 6, Real4(inverse_step_),
                                            damped ? viscosity_[b] : nullptr, lagged_[b]},
                        w, result);
        });
}

} // namespace selvage
