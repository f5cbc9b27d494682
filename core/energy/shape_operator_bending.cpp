#include "core/energy/shape_operator_bending.h"

#include "core/base/error.h"
#include "core/energy/batch_loop.h"
#include "core/energy/hinge_kernel.h"

#include <fmt/format.h>

namespace selvage
{
namespace
{

constexpr int next(int i) { return (i + 1) % 3; }
constexpr int last(int i) { return (i + 2) % 3; }

/// Number in [k00 k01 k02 k11 k12 k22].
constexpr int entry(int i, int j) { return i <= j ? pair_index(3, i, j) : pair_index(3, j, i); }

template <class T> struct ShapeMaterial {
    const T* K;
    const T* rest;     ///< φ̄
    const T* interior; ///< 1 or 0
    T least_altitude;
    T damping;       ///< b
    const T* lagged; ///< φ(θ̂)
};

/// The corners of hinge i; a missing neighbour is put where the hinge is flat.
template <class T>
SELVAGE_INLINE HingeGeometry<T> hinge_at(const Vec3T<T> (&x)[6], int i, const T& interior,
                                         const T& least_altitude)
{
    const Vec3T<T>&a = x[i], &b = x[next(i)], &c = x[last(i)];
    const Vec3T<T> far = select(interior > T(0.5), x[3 + i], b + c - a);
    const Vec3T<T> p[4] = {a, b, c, far};
    return hinge_geometry(p, least_altitude);
}

template <BendingForm form, class T>
void shape_kernel(const Vec3T<T> (&x)[6], const ShapeMaterial<T>& m, Want want,
                  ElementResult<T, 6>& out)
{
    HingeGeometry<T> g[3];
    BendMeasure<T> phi[3];
    T elastic[3], viscous[3], total[3], moment[3];
    const T zero(0.0), half(0.5), one(1.0);
    for (int i = 0; i < 3; ++i) {
        g[i] = hinge_at(x, i, m.interior[i], m.least_altitude);
        phi[i] = bend_measure<form>(g[i].half_cosine, g[i].half_sine);
        const T on = m.interior[i] * g[i].usable;
        phi[i].first = on * phi[i].first, phi[i].second = on * phi[i].second;
        elastic[i] = on * (phi[i].value - m.rest[i]);
        viscous[i] = on * (phi[i].value - m.lagged[i]);
        total[i] = elastic[i] + m.damping * viscous[i];
    }
    for (int i = 0; i < 3; ++i) {
        moment[i] = zero;
        for (int j = 0; j < 3; ++j) moment[i] = moment[i] + m.K[entry(i, j)] * total[j];
    }
    if (want.energy) {
        out.energy = zero;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                out.energy = out.energy +
                             half * m.K[entry(i, j)] *
                                 (elastic[i] * elastic[j] + m.damping * viscous[i] * viscous[j]);
    }
    if (!want.gradient && !want.hessian) return;

    // ∇φ_i on the vertices of the element.
    const Vec3T<T> none = {zero, zero, zero};
    Vec3T<T> slope[3][6];
    for (int i = 0; i < 3; ++i) {
        Vec3T<T> d[4];
        hinge_angle_gradient(g[i], d);
        for (int v = 0; v < 6; ++v) slope[i][v] = none;
        const int at[4] = {i, next(i), last(i), 3 + i};
        for (int k = 0; k < 4; ++k) slope[i][at[k]] = phi[i].first * d[k];
    }
    if (want.gradient)
        for (int v = 0; v < 6; ++v)
            out.gradient[v] =
                moment[0] * slope[0][v] + moment[1] * slope[1][v] + moment[2] * slope[2][v];
    if (!want.hessian) return;

    // (1+b) K_ij ∇φ_i ∇φ_jᵀ, then the curvature of each angle.
    const T viscosity = one + m.damping;
    for (int q = 0; q < 6; ++q) {
        Vec3T<T> across[3];
        for (int i = 0; i < 3; ++i)
            across[i] =
                viscosity * (m.K[entry(i, 0)] * slope[0][q] + m.K[entry(i, 1)] * slope[1][q] +
                             m.K[entry(i, 2)] * slope[2][q]);
        for (int p = 0; p <= q; ++p)
            assign(out.block(p, q), outer(slope[0][p], across[0]) + outer(slope[1][p], across[1]) +
                                        outer(slope[2][p], across[2]));
    }
    for (int i = 0; i < 3; ++i) {
        ElementResult<T, 4> h;
        hinge_hessian(g[i], moment[i] * phi[i].first, moment[i] * phi[i].second, want.psd, h);
        const int at[4] = {i, next(i), last(i), 3 + i};
        for (int a = 0; a < 4; ++a)
            for (int b = a; b < 4; ++b) {
                if (at[a] <= at[b]) {
                    Mat3T<T>& to = out.block(at[a], at[b]);
                    assign(to, to + h.block(a, b));
                } else {
                    Mat3T<T>& to = out.block(at[b], at[a]);
                    assign(to, to + transposed(h.block(a, b)));
                }
            }
    }
}

ElementResult<double, 6> evaluate_one(const Vec18& x, const ShapeTriangle& t, BendingForm form,
                                      const ShapeDamping& damping, Want want)
{
    Vec3T<double> p[6];
    unstack<6>(x, p);
    double rest[3], lagged[3];
    for (int i = 0; i < 3; ++i) {
        rest[i] = bend_measure_of(form, t.rest_angle[std::size_t(i)]);
        lagged[i] = bend_measure_of(form, damping.lagged_angle[i]);
    }
    const ShapeMaterial<double> m{t.stiffness.data(), rest,
                                  t.interior.data(),  degenerate_altitude * t.rest_altitude,
                                  damping.ratio,      lagged};
    ElementResult<double, 6> r;
    if (form == BendingForm::angle)
        shape_kernel<BendingForm::angle>(p, m, want, r);
    else
        shape_kernel<BendingForm::tangent>(p, m, want, r);
    return r;
}

/// Minimises over the angle of each free edge in turn: K ← K − k_b k_bᵀ / k_bb.
void condense_free_edges(const std::array<double, 3>& interior, Mat3& K)
{
    for (int b = 0; b < 3; ++b) {
        if (interior[std::size_t(b)] != 0) continue;
        const Vec3 k = K.col(b);
        if (k[b] > 0) K -= k * k.transpose() / k[b];
        K.row(b).setZero();
        K.col(b).setZero();
    }
}

} // namespace

ShapeTriangle shape_triangle(const Vec3& l, const Vec3& neighbour, const Vec3& rest_angles,
                             const Vec2& w, const PlateModuli& moduli)
{
    // Lay the triangle into the plane.
    const double px = (l[1] * l[1] + l[2] * l[2] - l[0] * l[0]) / (2 * l[2]);
    const double py = std::sqrt(std::max(0.0, l[1] * l[1] - px * px));
    const double area = 0.5 * l[2] * py;
    if (!(area > 0))
        throw InputError(fmt::format(
            "Rest lengths {:.6g}, {:.6g}, {:.6g} m do not form a triangle.", l[0], l[1], l[2]));
    const Vec2 p[3] = {{0, 0}, {l[2], 0}, {px, py}};
    const Vec2 e[3] = {p[2] - p[1], p[0] - p[2], p[1] - p[0]};
    const Vec2 across = (w[0] * e[0] + w[1] * e[1]).normalized(), warp(-across[1], across[0]);

    const double mixed = std::sqrt(moduli.bend_warp * moduli.bend_weft), nu = moduli.poisson;
    Mat3 D; // for (κ11, κ22, 2 κ12)
    D << moduli.bend_warp, nu * mixed, 0, nu * mixed, moduli.bend_weft, 0, 0, 0,
        0.5 * (1 - nu) * mixed;
    ShapeTriangle t;
    Mat3 B; // κ = B φ
    for (int i = 0; i < 3; ++i) {
        const double h = 2 * area / l[i];
        const bool inside = neighbour[i] > 0;
        const double share = inside ? h / (h + neighbour[i]) : 0.5;
        const Vec2 normal(-e[i][1] / l[i], e[i][0] / l[i]);
        const double a = normal.dot(warp), b = normal.dot(across);
        B.col(i) = share * l[i] / area * Vec3(a * a, b * b, 2 * a * b);
        t.interior[std::size_t(i)] = inside ? 1 : 0;
        t.rest_angle[std::size_t(i)] = inside ? rest_angles[i] : 0;
    }
    Mat3 K = area * B.transpose() * D * B;
    condense_free_edges(t.interior, K);
    for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j) t.stiffness[std::size_t(entry(i, j))] = K(i, j);
    t.rest_altitude = 2 * area / l.maxCoeff();
    return t;
}

double shape_operator_energy(const Vec18& x, const ShapeTriangle& triangle, BendingForm form,
                             const ShapeDamping& damping)
{
    return evaluate_one(x, triangle, form, damping, {true, false, false, Psd::exact}).energy;
}

Vec18 shape_operator_gradient(const Vec18& x, const ShapeTriangle& triangle, BendingForm form,
                              const ShapeDamping& damping)
{
    return stacked_gradient(
        evaluate_one(x, triangle, form, damping, {false, true, false, Psd::exact}));
}

Mat18 shape_operator_hessian(const Vec18& x, const ShapeTriangle& triangle, BendingForm form,
                             Psd psd, const ShapeDamping& damping)
{
    return stacked_hessian(evaluate_one(x, triangle, form, damping, {false, false, true, psd}));
}

ShapeOperatorBending::ShapeOperatorBending(const std::vector<std::int32_t>& triangles,
                                           std::vector<ShapeTriangle> rest, BendingForm form,
                                           const std::vector<double>& damping, int vertex_count)
    : form_(form), batches_(make_batches(6, triangles, vertex_count))
{
    set_rest(rest);
    damped_ = std::any_of(damping.begin(), damping.end(), [](double b) { return b > 0; });
    damping_.assign(batches_, [&](std::size_t e) -> std::array<double, 1> {
        return {damping.empty() ? 0.0 : damping[damping.size() == 1 ? 0 : e]};
    });
    lagged_.resize(batches_);
}

void ShapeOperatorBending::set_rest(const std::vector<ShapeTriangle>& rest)
{
    material_.assign(batches_, [&](std::size_t e) {
        const ShapeTriangle& t = rest[e];
        std::array<double, 13> a;
        std::copy(t.stiffness.begin(), t.stiffness.end(), a.begin());
        for (std::size_t i = 0; i < 3; ++i) {
            a[6 + i] = bend_measure_of(form_, t.rest_angle[i]);
            a[9 + i] = t.interior[i];
        }
        a[12] = degenerate_altitude * t.rest_altitude;
        return a;
    });
}

template <BendingForm form> void ShapeOperatorBending::begin(const VecX& x_star)
{
    parallel_for(batches_.batch_count(), 256, [&](std::size_t b) {
        Vec3T<Real4> x[6];
        gather<6>(batches_.vertices.data() + b * (6 * batch_lanes), x_star.data(), x);
        const Real4* m = material_[b];
        for (int i = 0; i < 3; ++i) {
            const HingeGeometry<Real4> g = hinge_at(x, i, m[9 + i], m[12]);
            lagged_[b][i] = bend_measure<form>(g.half_cosine, g.half_sine).value;
        }
    });
}

void ShapeOperatorBending::begin_step(const StepContext& step)
{
    inverse_step_ = step.h_eff > 0 ? 1 / step.h_eff : 0;
    if (!damped_ || !step.x_star) return;
    if (form_ == BendingForm::angle)
        begin<BendingForm::angle>(*step.x_star);
    else
        begin<BendingForm::tangent>(*step.x_star);
}

template <BendingForm form>
void ShapeOperatorBending::evaluate_as(const VecX& x, Want want, Sink& out) const
{
    const double rate = damped_ ? inverse_step_ : 0;
    for_each_batch<6>(
        batches_, x, want, out,
        [&](std::size_t b, const Vec3T<Real4>(&p)[6], Want w, ElementResult<Real4, 6>& result) {
            const Real4* m = material_[b];
            shape_kernel<form>(
                p, ShapeMaterial<Real4>{m, m + 6, m + 9, m[12], rate * damping_[b][0], lagged_[b]},
                w, result);
        });
}

void ShapeOperatorBending::evaluate(const VecX& x, Want want, Sink& out) const
{
    if (form_ == BendingForm::angle)
        evaluate_as<BendingForm::angle>(x, want, out);
    else
        evaluate_as<BendingForm::tangent>(x, want, out);
}

} // namespace selvage
