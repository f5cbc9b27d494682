#pragma once

// Definitions of the templates of membrane_term.h, for the sources of laws:
//   SELVAGE_INSTANTIATE_MEMBRANE(NeoHookeanMembrane)

#include "core/energy/batch_loop.h"
#include "core/energy/membrane_term.h"

namespace selvage
{

template <class Law>
MembraneTerm<Law>::MembraneTerm(const std::vector<std::int32_t>& triangles,
                                const std::vector<MembraneTriangle>& rest,
                                const std::vector<Moduli>& moduli, int vertex_count, Law law)
    : law_(std::move(law)),
      count_(triangles.size() / 3),
      batches_(make_batches(3, triangles, vertex_count))
{
    set_rest(rest);
    set_moduli(moduli);
}

template <class Law> void MembraneTerm<Law>::set_rest(const std::vector<MembraneTriangle>& rest)
{
    assert(rest.size() == count_);
    rest_.assign(batches_, [&](std::size_t e) -> std::array<double, 5> {
        const Mat2& B = rest[e].inverse_rest;
        return {B(0, 0), B(0, 1), B(1, 0), B(1, 1), rest[e].area};
    });
}

template <class Law> void MembraneTerm<Law>::set_moduli(const std::vector<Moduli>& moduli)
{
    assert(moduli.size() == 1 || moduli.size() == count_);
    numbers_.assign(batches_,
                    [&](std::size_t e) { return law_.pack(moduli[moduli.size() == 1 ? 0 : e]); });
}

template <class Law> void MembraneTerm<Law>::evaluate(const VecX& x, Want want, Sink& out) const
{
    for_each_batch<3>(
        batches_, x, want, out,
        [&](std::size_t b, const Vec3T<Real4>(&p)[3], Want w, ElementResult<Real4, 3>& result) {
            const Real4* numbers = numbers_[b];
            membrane_kernel(p, rest_[b], w, result,
                            [&](const Vec3T<Real4>(&F)[2], Want what, MembraneResponse<Real4>& r) {
                                law_.respond(F, numbers, what, r);
                            });
        });
}

namespace detail
{
template <class Law>
ElementResult<double, 3> membrane_one(const Vec9& x, const MembraneTriangle& t,
                                      const typename Law::Moduli& moduli, Want want, const Law& law)
{
    Vec3T<double> p[3];
    unstack<3>(x, p);
    const Mat2& B = t.inverse_rest;
    const double rest[5] = {B(0, 0), B(0, 1), B(1, 0), B(1, 1), t.area};
    const auto numbers = law.pack(moduli);
    ElementResult<double, 3> result;
    membrane_kernel(p, rest, want, result,
                    [&](const Vec3T<double>(&F)[2], Want what, MembraneResponse<double>& r) {
                        law.respond(F, numbers.data(), what, r);
                    });
    return result;
}
} // namespace detail

template <class Law>
double membrane_energy(const Vec9& x, const MembraneTriangle& triangle,
                       const typename Law::Moduli& moduli, const Law& law)
{
    return detail::membrane_one(x, triangle, moduli, {true, false, false, Psd::exact}, law).energy;
}

template <class Law>
Vec9 membrane_gradient(const Vec9& x, const MembraneTriangle& triangle,
                       const typename Law::Moduli& moduli, const Law& law)
{
    return stacked_gradient<3>(
        detail::membrane_one(x, triangle, moduli, {false, true, false, Psd::exact}, law));
}

template <class Law>
Mat9 membrane_hessian(const Vec9& x, const MembraneTriangle& triangle,
                      const typename Law::Moduli& moduli, Psd psd, const Law& law)
{
    return stacked_hessian<3>(
        detail::membrane_one(x, triangle, moduli, {false, false, true, psd}, law));
}

template <class Law>
MembraneDensity membrane_density(const Mat32& F, const typename Law::Moduli& moduli, Psd psd,
                                 const Law& law)
{
    const Vec3T<double> f[2] = {{F(0, 0), F(1, 0), F(2, 0)}, {F(0, 1), F(1, 1), F(2, 1)}};
    const auto numbers = law.pack(moduli);
    MembraneResponse<double> r;
    law.respond(f, numbers.data(), {true, true, true, psd}, r);
    MembraneDensity d;
    d.energy = r.psi;
    for (int c = 0; c < 2; ++c) d.stress.col(c) << r.P[c].x, r.P[c].y, r.P[c].z;
    using RowMajor3 = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>;
    d.hessian.block<3, 3>(0, 0) = RowMajor3(r.H00.m);
    d.hessian.block<3, 3>(0, 3) = RowMajor3(r.H01.m);
    d.hessian.block<3, 3>(3, 0) = RowMajor3(r.H01.m).transpose();
    d.hessian.block<3, 3>(3, 3) = RowMajor3(r.H11.m);
    return d;
}

#define SELVAGE_INSTANTIATE_MEMBRANE(Law)                                                          \
    template class MembraneTerm<Law>;                                                              \
    template double membrane_energy(const Vec9&, const MembraneTriangle&, const Law::Moduli&,      \
                                    const Law&);                                                   \
    template Vec9 membrane_gradient(const Vec9&, const MembraneTriangle&, const Law::Moduli&,      \
                                    const Law&);                                                   \
    template Mat9 membrane_hessian(const Vec9&, const MembraneTriangle&, const Law::Moduli&, Psd,  \
                                   const Law&);                                                    \
    template MembraneDensity membrane_density(const Mat32&, const Law::Moduli&, Psd, const Law&);

} // namespace selvage
