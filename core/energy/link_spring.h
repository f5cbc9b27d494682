#pragma once

#include "core/base/types.h"
#include "core/energy/batch_array.h"
#include "core/energy/term.h"

#include <vector>

namespace selvage
{

/// What a link resists, and how strongly.
struct LinkLaw {
    double stretch = 0;     ///< k [N/m] while l > L
    double compression = 0; ///< k [N/m] while l < L; 0: a string, not a rod
    double rest_length = 0; ///< L [m]
};

/// A spring of rest length L between two places whose difference is d:
///   E = ½ k (l − L)²,   l = ‖d‖   [J]
/// Gradient and Hessian are those with respect to d. With L = 0 it is the spring of a soft pin,
/// smooth everywhere; with L > 0 the gradient at l = 0 is taken as zero. Gradient, Hessian and its
/// clamp as in [Liu, "Towards Real-Time Simulation of Hyperelastic Materials", thesis,
/// eqs. 4.3–4.8]; different stiffnesses on both sides of L are ours.
double link_energy(const Vec3& d, const LinkLaw& law);
Vec3 link_gradient(const Vec3& d, const LinkLaw& law);
/// k along d, k (1 − L/l) across it, negative in compression: clamped to zero for Psd::clamp.
Mat3 link_hessian(const Vec3& d, const LinkLaw& law, Psd psd);

/// Links whose difference is d = Σ w_i x_i − a over N vertices, a being an animated place:
///   N = 1: a point and an animated place, w = 1. Soft pins, attachments to animated surfaces.
///   N = 2: two points, w = 1, −1. Stitches, welds, strings.
///   N = 4: a point and a place in a triangle, w = 1, −b0, −b1, −b2.
/// A place on a mesh is a weighted sum of points and hands its forces on with the same weights
/// [Kim & Eberle 2022].
///
/// Damping acts on the velocity ḋ along the link (in all directions where L = 0), with β [s] as in
/// Rayleigh damping; direction and state of the link are those of the start of the step:
///   E_d = ½ (β k / h_eff) ‖P (d − d_star)‖²,  ḋ = (d − d_star)/h_eff,  P = n nᵀ or I.
template <int N> class LinkSpring final : public Term
{
public:
    /// What may change from step to step.
    struct Values {
        LinkLaw law;
        double damping = 0;          ///< β [s]
        Vec3 place_0 = Vec3::Zero(); ///< a [m] at the start of the step…
        Vec3 place_1 = Vec3::Zero(); ///< …and at its end
    };

    /// N vertices and N weights per link.
    LinkSpring(std::string_view name, const std::vector<std::int32_t>& vertices,
               std::vector<double> weights, int vertex_count);

    std::string_view name() const override { return name_; }
    const Batches& stencils() const override { return batches_; }
    void begin_step(const StepContext& step) override;
    void evaluate(const VecX& x, Want want, Sink& out) const override;

    /// For the coming steps, one per link.
    void set_values(std::vector<Values> values);
    std::size_t size() const { return values_.size(); }

private:
    Vec3 difference(std::size_t link, const VecX& x) const;

    std::string_view name_;
    std::vector<std::int32_t> vertices_;
    std::vector<double> weights_;
    std::vector<Values> values_;
    Batches batches_;
    BatchArray<N + 6> links_; // w, a, stretch, compression, L
    BatchArray<7> damping_; // β k/h_eff where it acts in all directions; its root × n; d_star + a
    bool damped_ = false;
};

extern template class LinkSpring<1>;
extern template class LinkSpring<2>;
extern template class LinkSpring<4>;

} // namespace selvage
