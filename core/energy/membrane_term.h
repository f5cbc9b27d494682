#pragma once

#include "core/energy/batch_array.h"
#include "core/energy/membrane_element.h"

#include <string>
#include <vector>

namespace selvage
{

/// A cloth whose triangles follow a law ψ(F). A law is a small object with
///   struct Moduli;                                     // authored, per triangle
///   static constexpr int numbers;                      // how many a kernel reads per triangle
///   std::array<double, numbers> pack(const Moduli&) const;
///   static constexpr std::string_view name;
///   template <class T> void respond(const Vec3T<T> (&F)[2], const T* numbers, Want,
///                                   MembraneResponse<T>&) const;
/// written once for doubles and for batches; each law's source instantiates its term (see
/// membrane_evaluate.h).
template <class Law> class MembraneTerm final : public Term
{
public:
    using Moduli = typename Law::Moduli;

    /// `triangles`: three vertices each, counter-clockwise; one rest triangle each; moduli per
    /// triangle or one for all.
    MembraneTerm(const std::vector<std::int32_t>& triangles,
                 const std::vector<MembraneTriangle>& rest, const std::vector<Moduli>& moduli,
                 int vertex_count, Law law = {});

    std::string_view name() const override { return Law::name; }
    const Batches& stencils() const override { return batches_; }
    void evaluate(const VecX& x, Want want, Sink& out) const override;

    /// New rest state (animated rest).
    void set_rest(const std::vector<MembraneTriangle>& rest);
    /// Per triangle or one for all.
    void set_moduli(const std::vector<Moduli>& moduli);

private:
    Law law_;
    std::size_t count_ = 0;
    Batches batches_;
    BatchArray<5> rest_; // B, area
    BatchArray<Law::numbers> numbers_;
};

/// One triangle at a time, x = [x0 x1 x2]: energy [J], gradient [N], Hessian [N/m].
template <class Law>
double membrane_energy(const Vec9& x, const MembraneTriangle& triangle,
                       const typename Law::Moduli& moduli, const Law& law = {});
template <class Law>
Vec9 membrane_gradient(const Vec9& x, const MembraneTriangle& triangle,
                       const typename Law::Moduli& moduli, const Law& law = {});
/// Psd::clamp clamps ∂²ψ/∂F², as each law's header says.
template <class Law>
Mat9 membrane_hessian(const Vec9& x, const MembraneTriangle& triangle,
                      const typename Law::Moduli& moduli, Psd psd, const Law& law = {});

/// ψ [J/m²], ∂ψ/∂F [N/m] and ∂²ψ/∂F² [N/m], rows and columns in the order of F's columns.
struct MembraneDensity {
    double energy = 0;
    Mat32 stress = Mat32::Zero();
    Mat6 hessian = Mat6::Zero();
};
template <class Law>
MembraneDensity membrane_density(const Mat32& F, const typename Law::Moduli& moduli, Psd psd,
                                 const Law& law = {});

} // namespace selvage
