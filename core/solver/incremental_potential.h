#pragma once

#include "core/energy/scatter_map.h"
#include "core/energy/sink.h"
#include "core/energy/term.h"
#include "core/linear/block_matrix.h"

#include <memory>
#include <vector>

namespace selvage
{

/// The function that one step minimises [Li et al. 2020, eq. 2; Tamstorf 2016, §6.4]:
///   f(x) = ½‖x − x̃‖²_M + ½ α h_eff ‖x − x*‖²_M + h_eff² Σ E(x)      [kg·m²]
/// x̃ = x* + h_eff v* + h_eff² g is where inertia and gravity alone would go; α [1/s] is damping
/// proportional to mass. Owns the matrix pattern and the scatter maps of its terms.
class IncrementalPotential
{
public:
    /// The terms must outlive it. mass, mass_damping: per vertex.
    IncrementalPotential(std::vector<Term*> terms, const VecX& mass, const VecX& mass_damping);

    /// Prepares all terms for a step; x_tilde is copied, the context's vectors must outlive the
    /// step.
    void begin_step(const StepContext& step, VecX x_tilde);

    double value(const VecX& x);
    /// Value, gradient and positive definite Hessian in one pass.
    double assemble(const VecX& x, VecX& gradient, BlockMatrix& hessian, Psd psd);
    double gradient(const VecX& x, VecX& gradient);
    /// [J] Σ E(x) alone.
    double term_energy(const VecX& x);
    /// Largest feasible step along p.
    double max_step(const VecX& x, const VecX& p) const;

    std::shared_ptr<const BlockPattern> pattern() const { return pattern_; }

private:
    double inertia(const VecX& x, VecX* gradient) const;
    void evaluate_terms(const VecX& x, Want want, Sink& sink) const;

    std::vector<Term*> terms_;
    std::shared_ptr<const BlockPattern> pattern_;
    std::vector<ScatterMap> scatter_;
    VecX mass_;    ///< three per vertex
    VecX damping_; ///< α, three per vertex
    VecX x_tilde_;
    StepContext step_;
    Sink sink_;
};

} // namespace selvage
