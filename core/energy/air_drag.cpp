#include "core/energy/air_drag.h"

#include "core/energy/batch_loop.h"

#include <Eigen/Geometry>

namespace selvage
{
namespace
{

template <class T> struct Sym3T {
    T xx, xy, xz, yy, yz, zz;
};

template <class T> Vec3T<T> mean(const Vec3T<T> (&p)[3])
{
    return T(1.0 / 3.0) * (p[0] + p[1] + p[2]);
}

template <class T> struct Air {
    double density;
    T normal, tangential, lift;
};

Air<double> air_of(const AirProperties& a) { return {a.density, a.normal, a.tangential, a.lift}; }

/// ½ρA‖u‖ (c_n nnᵀ + c_t (I − nnᵀ)); c_t alone where the triangle has no normal.
template <class T>
Sym3T<T> drag_matrix(const Vec3T<T> (&p)[3], const Vec3T<T>& u, const Air<T>& air)
{
    const Vec3T<T> twice_area = cross(p[1] - p[0], p[2] - p[0]);
    const T square = dot(twice_area, twice_area), length = square_root(square);
    const T k = T(0.25 * air.density) * length * square_root(dot(u, u));
    const T across = air.tangential * k;
    const T along = (air.normal - air.tangential) * k / maximum(square, T(1e-300));
    const Vec3T<T> a = along * twice_area, &n = twice_area;
    return {a.x * n.x + across, a.x * n.y, a.x * n.z,
            a.y * n.y + across, a.y * n.z, a.z * n.z + across};
}

/// c_l part of the force; zero where the triangle has no normal.
template <class T> Vec3T<T> lift_force(const Vec3T<T> (&p)[3], const Vec3T<T>& u, const Air<T>& air)
{
    const Vec3T<T> twice_area = cross(p[1] - p[0], p[2] - p[0]);
    const T area = square_root(dot(twice_area, twice_area)), speed = square_root(dot(u, u));
    const Vec3T<T> n = (T(1.0) / maximum(area, T(1e-300))) * twice_area;
    const T facing = dot(n, u), k = T(-0.25 * air.density) * air.lift * area * facing;
    return (k * speed) * n - (k * facing / maximum(speed, T(1e-300))) * u;
}

Vec3 mean_of(const Vec9& x) { return (x.segment<3>(0) + x.segment<3>(3) + x.segment<3>(6)) / 3; }

} // namespace

Mat3 air_drag_matrix(const Vec9& p, const Vec3& u, const AirProperties& air)
{
    Vec3T<double> q[3];
    unstack<3>(p, q);
    const Sym3T<double> d = drag_matrix(q, Vec3T<double>{u[0], u[1], u[2]}, air_of(air));
    return (Mat3() << d.xx, d.xy, d.xz, d.xy, d.yy, d.yz, d.xz, d.yz, d.zz).finished();
}

Vec3 air_lift(const Vec9& p, const Vec3& u, const AirProperties& air)
{
    Vec3T<double> q[3];
    unstack<3>(p, q);
    const Vec3T<double> f = lift_force(q, Vec3T<double>{u[0], u[1], u[2]}, air_of(air));
    return {f.x, f.y, f.z};
}

double air_drag_energy(const Vec9& x, const Vec9& x_star, double h_eff, const Mat3& D,
                       const Vec3& wind)
{
    const Vec3 u = (mean_of(x) - mean_of(x_star)) / h_eff - wind;
    return 0.5 * h_eff * u.dot(D * u);
}

Vec9 air_drag_gradient(const Vec9& x, const Vec9& x_star, double h_eff, const Mat3& D,
                       const Vec3& wind)
{
    const Vec3 u = (mean_of(x) - mean_of(x_star)) / h_eff - wind;
    return (D * u / 3).replicate<3, 1>();
}

Mat9 air_drag_hessian(double h_eff, const Mat3& D) { return (D / (9 * h_eff)).replicate<3, 3>(); }

AirDrag::AirDrag(const std::vector<std::int32_t>& triangles, const AirProperties& air,
                 int vertex_count)
    : AirDrag(triangles, std::vector<AirCoefficients>{air}, vertex_count)
{
    set_air(air.density, WindField(air.wind));
}

AirDrag::AirDrag(const std::vector<std::int32_t>& triangles,
                 const std::vector<AirCoefficients>& coefficients, int vertex_count)
    : batches_(make_batches(3, triangles, vertex_count))
{
    lagged_.resize(batches_);
    coefficients_.assign(batches_, [&](std::size_t e) -> std::array<double, 3> {
        const AirCoefficients& c = coefficients[coefficients.size() == 1 ? 0 : e];
        return {c.normal, c.tangential, c.lift};
    });
}

void AirDrag::set_air(double density, WindField wind)
{
    density_ = density;
    wind_ = std::move(wind);
}

Vec3T<Real4> AirDrag::wind_at(const Vec3T<Real4>& x, double t) const
{
    Vec3T<Real4> wind;
    for (std::size_t lane = 0; lane < batch_lanes; ++lane) {
        const Vec3 u = wind_.at({x.x[lane], x.y[lane], x.z[lane]}, t);
        wind.x[lane] = u[0], wind.y[lane] = u[1], wind.z[lane] = u[2];
    }
    return wind;
}

void AirDrag::begin_step(const StepContext& step)
{
    assert(step.x_0 && step.v_0 && step.x_star);
    inverse_step_ = step.h_eff > 0 ? 1 / step.h_eff : 0;
    const Vec3 everywhere = wind_.at(Vec3::Zero(), step.t_1);
    parallel_for(batches_.batch_count(), 256, [&](std::size_t b) {
        const std::int32_t* vertices = batches_.vertices.data() + b * (3 * batch_lanes);
        Vec3T<Real4> x[3], v[3], star[3];
        gather<3>(vertices, step.x_0->data(), x);
        gather<3>(vertices, step.v_0->data(), v);
        gather<3>(vertices, step.x_star->data(), star);
        const Vec3T<Real4> wind = wind_.uniform()
                                      ? Vec3T<Real4>{everywhere[0], everywhere[1], everywhere[2]}
                                      : wind_at(mean(x), step.t_1);
        const Real4* c = coefficients_[b];
        const Air<Real4> air{density_, c[0], c[1], c[2]};
        const Vec3T<Real4> u = mean(v) - wind, lift = lift_force(x, u, air);
        const Sym3T<Real4> D = drag_matrix(x, u, air);
        const Vec3T<Real4> origin = mean(star) + Real4(step.h_eff) * wind;
        Real4* out = lagged_[b];
        out[0] = D.xx, out[1] = D.xy, out[2] = D.xz, out[3] = D.yy, out[4] = D.yz, out[5] = D.zz;
        out[6] = origin.x, out[7] = origin.y, out[8] = origin.z;
        out[9] = lift.x, out[10] = lift.y, out[11] = lift.z;
    });
}

void AirDrag::evaluate(const VecX& x, Want want, Sink& out) const
{
    if (inverse_step_ == 0) return;
    const double rate = inverse_step_;
    for_each_batch<3>(
        batches_, x, want, out,
        [&](std::size_t b, const Vec3T<Real4>(&p)[3], Want w, ElementResult<Real4, 3>& result) {
            const Real4* d = lagged_[b];
            const Vec3T<Real4> s = mean(p) - Vec3T<Real4>{d[6], d[7], d[8]}; // h_eff u
            const Vec3T<Real4> force{rate * (d[0] * s.x + d[1] * s.y + d[2] * s.z),
                                     rate * (d[1] * s.x + d[3] * s.y + d[4] * s.z),
                                     rate * (d[2] * s.x + d[4] * s.y + d[5] * s.z)};
            const Vec3T<Real4> lift{d[9], d[10], d[11]};
            // Lift's energy counts from where the triangle would be without drag.
            if (w.energy) result.energy = 0.5 * dot(force, s) - dot(lift, s);
            if (w.gradient)
                for (Vec3T<Real4>& g : result.gradient) g = Real4(1.0 / 3.0) * (force - lift);
            if (w.hessian) {
                const Mat3T<Real4> D{{d[0], d[1], d[2], d[1], d[3], d[4], d[2], d[4], d[5]}};
                for (Mat3T<Real4>& block : result.hessian) block = Real4(rate / 9) * D;
            }
        });
}

} // namespace selvage
