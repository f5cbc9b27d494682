#pragma once

#include "core/energy/batch_array.h"
#include "core/energy/tet_element.h"

#include <string>
#include <vector>

namespace selvage
{

/// A solid of constant-strain tetrahedra that follow a law ψ(F). A law has
///   struct Moduli;  static constexpr int numbers;  static constexpr std::string_view name;
///   static std::array<double, numbers> pack(const Moduli&);
///   static constexpr bool injective;        // ψ = +∞ where det F <= 0: steps must stop before
///   template <class T> struct / using Response;   // see tet_kernel
///   template <class T> static void respond(const Vec3T<T> (&F)[3], const T* numbers, Want,
///                                          Response<T>&);
/// written once for doubles and batches; each law's source instantiates its term.
template <class Law> class TetTerm final : public Term
{
public:
    using Moduli = typename Law::Moduli;

    /// `tets`: four vertices each; one rest shape each; moduli per tetrahedron or one for all.
    TetTerm(const std::vector<std::int32_t>& tets, std::vector<TetRest> rest,
            const std::vector<Moduli>& moduli, int vertex_count);

    std::string_view name() const override { return Law::name; }
    const Batches& stencils() const override { return batches_; }
    void evaluate(const VecX& x, Want want, Sink& out) const override;
    /// Injective laws: 0.8 of the way to the first inversion [Li 2020, §2.3]; others: 1.
    double max_step(const VecX& x, const VecX& p) const override;

    void set_moduli(const std::vector<Moduli>& moduli);

private:
    std::vector<std::int32_t> tets_;
    std::vector<TetRest> rest_;
    Batches batches_;
    BatchArray<10> packed_rest_; // B row by row, volume
    BatchArray<Law::numbers> numbers_;
};

/// One tetrahedron at a time, x = [x0 x1 x2 x3]: energy [J], gradient [N], Hessian [N/m].
template <class Law>
double tet_energy(const Vec12& x, const TetRest& rest, const typename Law::Moduli& moduli);
template <class Law>
Vec12 tet_gradient(const Vec12& x, const TetRest& rest, const typename Law::Moduli& moduli);
/// Psd::clamp clamps the eigenvalues of ∂²ψ/∂F².
template <class Law>
Mat12 tet_hessian(const Vec12& x, const TetRest& rest, const typename Law::Moduli& moduli, Psd psd);

/// ψ [J/m³], ∂ψ/∂F [Pa] and ∂²ψ/∂F² [Pa], rows and columns in the order of F's columns.
struct SolidDensity {
    double energy = 0;
    Mat3 stress = Mat3::Zero();
    Mat9 hessian = Mat9::Zero();
};
template <class Law>
SolidDensity solid_density(const Mat3& F, const typename Law::Moduli& moduli, Psd psd);

} // namespace selvage
