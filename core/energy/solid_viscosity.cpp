#include "core/energy/solid_viscosity.h"

#include "core/energy/batch_loop.h"
#include "core/math/jacobi.h"

namespace selvage
{
namespace
{

/// E: 00 01 02 11 12 22.
template <class T> SELVAGE_INLINE void strain_of(const Vec3T<T> (&F)[3], T (&E)[6])
{
    const T half(0.5);
    int k = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j, ++k) E[k] = half * (dot(F[i], F[j]) - T(i == j ? 1.0 : 0.0));
}

template <class T> struct ViscousResponse {
    T psi, lambda, mu; // with b
    Vec3T<T> P[3], F[3];
    T S[3][3];

    SELVAGE_INLINE Mat3T<T> block(const Vec3T<T>& g, const Vec3T<T>& h) const
    {
        const Vec3T<T> Fg = g.x * F[0] + g.y * F[1] + g.z * F[2];
        const Vec3T<T> Fh = h.x * F[0] + h.y * F[1] + h.z * F[2];
        const Vec3T<T> Sh = {S[0][0] * h.x + S[0][1] * h.y + S[0][2] * h.z,
                             S[1][0] * h.x + S[1][1] * h.y + S[1][2] * h.z,
                             S[2][0] * h.x + S[2][1] * h.y + S[2][2] * h.z};
        const T stress = dot(g, Sh), both = mu * dot(g, h);
        Mat3T<T> K = both * (outer(F[0], F[0]) + outer(F[1], F[1]) + outer(F[2], F[2])) +
                     mu * outer(Fh, Fg) + lambda * outer(Fg, Fh);
        for (int i = 0; i < 9; i += 4) K.m[i] = K.m[i] + stress;
        return K;
    }
};

template <class T>
SELVAGE_INLINE void respond(const Vec3T<T> (&F)[3], const T* viscosity, const T* lagged,
                            const T& rate, Want want, ViscousResponse<T>& out)
{
    const T half(0.5), two(2.0);
    T d[6];
    strain_of(F, d);
    for (int k = 0; k < 6; ++k) d[k] = d[k] - lagged[k];
    out.lambda = rate * viscosity[0], out.mu = rate * viscosity[1];
    const T trace = d[0] + d[3] + d[5];
    out.psi = out.mu * (d[0] * d[0] + d[3] * d[3] + d[5] * d[5] +
                        two * (d[1] * d[1] + d[2] * d[2] + d[4] * d[4])) +
              half * out.lambda * trace * trace;
    if (!want.gradient && !want.hessian) return;
    const int entry[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            out.S[i][j] = two * out.mu * d[entry[i][j]];
            if (i == j) out.S[i][j] = out.S[i][j] + out.lambda * trace;
        }
    for (int j = 0; j < 3; ++j) {
        out.F[j] = F[j];
        out.P[j] = out.S[0][j] * F[0] + out.S[1][j] * F[1] + out.S[2][j] * F[2];
    }
    if (want.hessian && want.psd == Psd::clamp) clamp_psd<T, 3>(out.S);
}

ElementResult<double, 4> evaluate_one(const Vec12& x, const TetRest& rest,
                                      const SolidViscosities& k, const SolidLag& lag, Want want)
{
    Vec3T<double> p[4];
    unstack<4>(x, p);
    const Mat3& E = lag.strain;
    const double viscosity[2] = {k.lambda, k.mu};
    const double lagged[6] = {E(0, 0), E(0, 1), E(0, 2), E(1, 1), E(1, 2), E(2, 2)};
    using Response = ViscousResponse<double>;
    ElementResult<double, 4> result;
    tet_kernel<double, Response>(p, packed_rest(rest).data(), want, result,
                                 [&](const Vec3T<double>(&F)[3], Want what, Response& r) {
                                     respond(F, viscosity, lagged, lag.rate, what, r);
                                 });
    return result;
}

} // namespace

Mat3 green_strain(const Vec12& x, const TetRest& rest)
{
    const Mat3 F = deformation_gradient(x, rest);
    return 0.5 * (F.transpose() * F - Mat3::Identity());
}

double solid_viscosity_energy(const Vec12& x, const TetRest& rest, const SolidViscosities& k,
                              const SolidLag& lag)
{
    return evaluate_one(x, rest, k, lag, {true, false, false, Psd::exact}).energy;
}

Vec12 solid_viscosity_gradient(const Vec12& x, const TetRest& rest, const SolidViscosities& k,
                               const SolidLag& lag)
{
    return stacked_gradient(evaluate_one(x, rest, k, lag, {false, true, false, Psd::exact}));
}

Mat12 solid_viscosity_hessian(const Vec12& x, const TetRest& rest, const SolidViscosities& k,
                              const SolidLag& lag, Psd psd)
{
    return stacked_hessian(evaluate_one(x, rest, k, lag, {false, false, true, psd}));
}

SolidViscosity::SolidViscosity(const std::vector<std::int32_t>& tets,
                               const std::vector<TetRest>& rest,
                               const std::vector<SolidViscosities>& viscosities, int vertex_count)
    : batches_(make_batches(4, tets, vertex_count)),
      rest_(batches_, [&](std::size_t e) { return packed_rest(rest[e]); }),
      viscosities_(batches_, [&](std::size_t e) -> std::array<double, 2> {
          const SolidViscosities& k = viscosities[viscosities.size() == 1 ? 0 : e];
          return {k.lambda, k.mu};
      })
{
    lagged_.resize(batches_);
}

void SolidViscosity::begin_step(const StepContext& step)
{
    inverse_step_ = step.h_eff > 0 && step.x_star ? 1 / step.h_eff : 0;
    if (inverse_step_ == 0) return;
    parallel_for(batches_.batch_count(), 256, [&](std::size_t b) {
        Vec3T<Real4> x[4], F[3];
        gather<4>(batches_.vertices.data() + b * (4 * batch_lanes), step.x_star->data(), x);
        tet_deformation(x, rest_[b], F);
        Real4 E[6];
        strain_of(F, E);
        std::copy(E, E + 6, lagged_[b]);
    });
}

void SolidViscosity::evaluate(const VecX& x, Want want, Sink& out) const
{
    if (inverse_step_ == 0) return;
    using Response = ViscousResponse<Real4>;
    for_each_batch<4>(
        batches_, x, want, out,
        [&](std::size_t b, const Vec3T<Real4>(&p)[4], Want w, ElementResult<Real4, 4>& result) {
            tet_kernel<Real4, Response>(
                p, rest_[b], w, result, [&](const Vec3T<Real4>(&F)[3], Want what, Response& r) {
                    respond(F, viscosities_[b], lagged_[b], Real4(inverse_step_), what, r);
                });
        });
}

} // namespace selvage
