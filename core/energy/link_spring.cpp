#include "core/energy/link_spring.h"

#include "core/energy/batch_loop.h"

namespace selvage
{
namespace
{

template <class T> struct LinkResponse {
    T energy;
    Vec3T<T> gradient;
    Mat3T<T> hessian;
};

template <class T>
SELVAGE_INLINE LinkResponse<T> respond(const Vec3T<T>& d, const T& stretch, const T& compression,
                                       const T& L, Want want)
{
    const T l = square_root(dot(d, d)), k = select(l >= L, stretch, compression);
    const T inverse = T(1.0) / maximum(l, T(1e-300));
    const Vec3T<T> n = inverse * d;
    LinkResponse<T> r{};
    if (want.energy) r.energy = T(0.5) * k * (l - L) * (l - L);
    if (want.gradient) r.gradient = (k * (l - L)) * n;
    if (want.hessian) {
        T across = k * (T(1.0) - select(L > T(0.0), L * inverse, T(0.0)));
        if (want.psd == Psd::clamp) across = maximum(across, T(0.0));
        r.hessian = outer((k - across) * n, n);
        for (int i = 0; i < 9; i += 4) r.hessian.m[i] = r.hessian.m[i] + across;
    }
    return r;
}

LinkResponse<double> respond(const Vec3& d, const LinkLaw& law, Want want)
{
    return respond(Vec3T<double>{d[0], d[1], d[2]}, law.stretch, law.compression, law.rest_length,
                   want);
}

} // namespace

double link_energy(const Vec3& d, const LinkLaw& law)
{
    return respond(d, law, {true, false, false, Psd::exact}).energy;
}

Vec3 link_gradient(const Vec3& d, const LinkLaw& law)
{
    const Vec3T<double> g = respond(d, law, {false, true, false, Psd::exact}).gradient;
    return {g.x, g.y, g.z};
}

Mat3 link_hessian(const Vec3& d, const LinkLaw& law, Psd psd)
{
    const Mat3T<double> H = respond(d, law, {false, false, true, psd}).hessian;
    return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(H.m);
}

template <int N>
LinkSpring<N>::LinkSpring(std::string_view name, const std::vector<std::int32_t>& vertices,
                          std::vector<double> weights, int vertex_count)
    : name_(name),
      vertices_(vertices),
      weights_(std::move(weights)),
      values_(vertices.size() / N),
      batches_(make_batches(N, vertices, vertex_count))
{
    assert(weights_.size() == vertices_.size());
    damping_.resize(batches_);
    set_values(values_);
}

template <int N> void LinkSpring<N>::set_values(std::vector<Values> values)
{
    assert(values.size() == values_.size());
    values_ = std::move(values);
    links_.assign(batches_, [&](std::size_t e) {
        const Values& v = values_[e];
        std::array<double, N + 6> out{};
        for (std::size_t i = 0; i < N; ++i) out[i] = weights_[e * N + i];
        for (int c = 0; c < 3; ++c) out[N + std::size_t(c)] = v.place_1[c];
        out[N + 3] = v.law.stretch, out[N + 4] = v.law.compression, out[N + 5] = v.law.rest_length;
        return out;
    });
}

template <int N> Vec3 LinkSpring<N>::difference(std::size_t link, const VecX& x) const
{
    Vec3 d = Vec3::Zero();
    for (std::size_t i = link * N; i < (link + 1) * N; ++i)
        d += weights_[i] * x.segment<3>(3 * Eigen::Index(vertices_[i]));
    return d;
}

template <int N> void LinkSpring<N>::begin_step(const StepContext& step)
{
    assert(step.x_0 && step.x_star);
    damped_ = false;
    for (const Values& v : values_) damped_ = damped_ || v.damping > 0;
    if (!damped_ || !(step.h_eff > 0)) return;
    // Places, and other cloths, do not ride along with a moving frame: the world's velocities
    // count.
    const VecX& x_0 = step.world_x_0 ? *step.world_x_0 : *step.x_0;
    const VecX& x_star = step.world_x_star ? *step.world_x_star : *step.x_star;
    damping_.assign(batches_, [&](std::size_t e) {
        const Values& v = values_[e];
        const Vec3 d = difference(e, x_0) - v.place_0;
        const double l = d.norm(), L = v.law.rest_length;
        const double c = v.damping * (l >= L ? v.law.stretch : v.law.compression) / step.h_eff;
        const Vec3 m = L > 0 && l > 0 ? Vec3(std::sqrt(c) * d / l) : Vec3::Zero();
        // The place moves on evenly: as seen from it, this is where the link's end was.
        const Vec3 star = difference(e, x_star) + step.h_eff / step.h * (v.place_1 - v.place_0);
        return std::array<double, 7>{L > 0 ? 0 : c, m[0], m[1], m[2], star[0], star[1], star[2]};
    });
}

template <int N> void LinkSpring<N>::evaluate(const VecX& x, Want want, Sink& out) const
{
    for_each_batch<N>(
        batches_, x, want, out,
        [&](std::size_t b, const Vec3T<Real4>(&p)[N], Want w, ElementResult<Real4, N>& result) {
            const Real4* s = links_[b];
            Vec3T<Real4> sum = s[0] * p[0];
            for (int i = 1; i < N; ++i) sum = sum + s[i] * p[i];
            const Real4* law = s + N + 3;
            LinkResponse<Real4> r =
                respond(sum - Vec3T<Real4>{s[N], s[N + 1], s[N + 2]}, law[0], law[1], law[2], w);
            if (damped_) {
                const Real4* c = damping_[b];
                const Vec3T<Real4> m{c[1], c[2], c[3]}, q = sum - Vec3T<Real4>{c[4], c[5], c[6]};
                const Real4 along = dot(m, q);
                r.energy += Real4(0.5) * (c[0] * dot(q, q) + along * along);
                r.gradient = r.gradient + c[0] * q + along * m;
                r.hessian = r.hessian + outer(m, m);
                for (int i = 0; i < 9; i += 4) r.hessian.m[i] += c[0];
            }
            result.energy = r.energy;
            for (int i = 0; i < N; ++i) {
                result.gradient[i] = s[i] * r.gradient;
                for (int j = i; j < N; ++j) assign(result.block(i, j), (s[i] * s[j]) * r.hessian);
            }
        });
}

template class LinkSpring<1>;
template class LinkSpring<2>;
template class LinkSpring<4>;

} // namespace selvage
