#pragma once

#include "core/contact/contact_scatter.h"
#include "core/contact/contact_set.h"
#include "core/energy/term.h"

#include <array>

namespace selvage
{

/// Sum of the barriers of a contact set: κ Σ m_k e_k b(D_k, D̂_k) [kg·m²] (see barrier_kernel.h,
/// mollified_barrier.h, field_contact.h). Vertices of x beyond the simulated ones are constants.
class BarrierTerm
{
public:
    /// Activation gap d̂ [m].
    explicit BarrierTerm(double d_hat, int simulated_count)
        : d_hat_(d_hat), simulated_count_(simulated_count)
    {
    }

    /// Energy at x, the configuration of the set; +∞ where a pair is at or below its thickness.
    double energy(const ContactSet& set, const VecX& x, double kappa) const;

    /// Takes the stencils of a set for assembly.
    void prepare(const ContactSet& set);
    /// Vertex tuples for the pattern, four per stencil.
    void append_pattern(std::vector<std::int32_t>& vertices) const;
    void map(const BlockPattern& pattern);
    /// Adds gradient and, where wanted, the Hessian.
    void add(const ContactSet& set, const VecX& x, double kappa, Psd psd,
             const ContactSink& sink) const;

    std::size_t bytes() const;

private:
    double d_hat_;
    int simulated_count_;
    std::array<ContactScatter, 6> scatter_; // by StencilKind, then mollified, then fields
};

} // namespace selvage
