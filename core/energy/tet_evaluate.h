#pragma once

// Definitions of the templates of tet_term.h, for the sources of laws:
//   SELVAGE_INSTANTIATE_SOLID(StableNeoHookean)

#include "core/energy/batch_loop.h"
#include "core/energy/tet_term.h"

namespace selvage
{

namespace detail
{
template <class Law>
ElementResult<double, 4> tet_one(const Vec12& x, const TetRest& rest,
                                 const typename Law::Moduli& moduli, Want want)
{
    using Response = typename Law::template Response<double>;
    Vec3T<double> p[4];
    unstack<4>(x, p);
    const auto numbers = Law::pack(moduli);
    ElementResult<double, 4> result;
    tet_kernel<double, Response>(p, packed_rest(rest).data(), want, result,
                                 [&](const Vec3T<double>(&F)[3], Want what, Response& r) {
                                     Law::respond(F, numbers.data(), what, r);
                                 });
    return result;
}
} // namespace detail

template <class Law>
TetTerm<Law>::TetTerm(const std::vector<std::int32_t>& tets, std::vector<TetRest> rest,
                      const std::vector<Moduli>& moduli, int vertex_count)
    : tets_(tets),
      rest_(std::move(rest)),
      batches_(make_batches(4, tets, vertex_count)),
      packed_rest_(batches_, [&](std::size_t e) { return packed_rest(rest_[e]); })
{
    assert(rest_.size() == tets_.size() / 4);
    set_moduli(moduli);
}

template <class Law> void TetTerm<Law>::set_moduli(const std::vector<Moduli>& moduli)
{
    assert(moduli.size() == 1 || moduli.size() == rest_.size());
    numbers_.assign(batches_,
                    [&](std::size_t e) { return Law::pack(moduli[moduli.size() == 1 ? 0 : e]); });
}

template <class Law> void TetTerm<Law>::evaluate(const VecX& x, Want want, Sink& out) const
{
    using Response = typename Law::template Response<Real4>;
    for_each_batch<4>(
        batches_, x, want, out,
        [&](std::size_t b, const Vec3T<Real4>(&p)[4], Want w, ElementResult<Real4, 4>& result) {
            const Real4* numbers = numbers_[b];
            tet_kernel<Real4, Response>(p, packed_rest_[b], w, result,
                                        [&](const Vec3T<Real4>(&F)[3], Want what, Response& r) {
                                            Law::respond(F, numbers, what, r);
                                        });
        });
}

template <class Law> double TetTerm<Law>::max_step(const VecX& x, const VecX& p) const
{
    if constexpr (!Law::injective) return 1;
    constexpr std::size_t grain = 512;
    std::vector<double> least((rest_.size() + grain - 1) / grain, infinity);
    parallel_chunks(rest_.size(), grain, [&](std::size_t begin, std::size_t end) {
        double first = infinity;
        for (std::size_t e = begin; e < end; ++e) {
            Vec12 position, direction;
            for (int i = 0; i < 4; ++i) {
                const std::ptrdiff_t v = 3 * std::ptrdiff_t(tets_[4 * e + std::size_t(i)]);
                position.segment<3>(3 * i) = x.segment<3>(v);
                direction.segment<3>(3 * i) = p.segment<3>(v);
            }
            first = std::min(first, first_inversion(deformation_gradient(position, rest_[e]),
                                                    deformation_gradient(direction, rest_[e])));
        }
        least[begin / grain] = first;
    });
    double first = infinity;
    for (const double a : least) first = std::min(first, a);
    return first < infinity ? 0.8 * first : 1.0;
}

template <class Law>
double tet_energy(const Vec12& x, const TetRest& rest, const typename Law::Moduli& moduli)
{
    return detail::tet_one<Law>(x, rest, moduli, {true, false, false, Psd::exact}).energy;
}

template <class Law>
Vec12 tet_gradient(const Vec12& x, const TetRest& rest, const typename Law::Moduli& moduli)
{
    return stacked_gradient<4>(
        detail::tet_one<Law>(x, rest, moduli, {false, true, false, Psd::exact}));
}

template <class Law>
Mat12 tet_hessian(const Vec12& x, const TetRest& rest, const typename Law::Moduli& moduli, Psd psd)
{
    return stacked_hessian<4>(detail::tet_one<Law>(x, rest, moduli, {false, false, true, psd}));
}

template <class Law>
SolidDensity solid_density(const Mat3& F, const typename Law::Moduli& moduli, Psd psd)
{
    Vec3T<double> f[3];
    for (int c = 0; c < 3; ++c) f[c] = {F(0, c), F(1, c), F(2, c)};
    typename Law::template Response<double> r;
    Law::respond(f, Law::pack(moduli).data(), {true, true, true, psd}, r);
    SolidDensity d;
    d.energy = r.psi;
    const auto axis = [](int j) {
        return Vec3T<double>{double(j == 0), double(j == 1), double(j == 2)};
    };
    for (int j = 0; j < 3; ++j) {
        d.stress.col(j) << r.P[j].x, r.P[j].y, r.P[j].z;
        for (int l = 0; l < 3; ++l) {
            const Mat3T<double> block = r.block(axis(j), axis(l));
            d.hessian.block<3, 3>(3 * j, 3 * l) =
                Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(block.m);
        }
    }
    return d;
}

#define SELVAGE_INSTANTIATE_SOLID(Law)                                                             \
    template class TetTerm<Law>;                                                                   \
    template double tet_energy<Law>(const Vec12&, const TetRest&, const Law::Moduli&);             \
    template Vec12 tet_gradient<Law>(const Vec12&, const TetRest&, const Law::Moduli&);            \
    template Mat12 tet_hessian<Law>(const Vec12&, const TetRest&, const Law::Moduli&, Psd);        \
    template SolidDensity solid_density<Law>(const Mat3&, const Law::Moduli&, Psd);

} // namespace selvage
