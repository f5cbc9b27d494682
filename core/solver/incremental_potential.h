#pragma once

#include "core/contact/contact_problem.h"
#include "core/contact/release_pull.h"
#include "core/energy/scatter_map.h"
#include "core/energy/sink.h"
#include "core/energy/term.h"
#include "core/linear/block_matrix.h"
#include "core/solver/rod_term.h"

#include <memory>
#include <vector>

namespace selvage
{

/// The function that one step minimises [Li et al. 2020, eq. 2; Tamstorf 2016, §6.4]:
///   f(x) = ½‖x − x̃‖²_M + ½ α h_eff ‖x − x*‖²_M + h_eff² Σ E(x)      [kg·m²]
/// x̃ = x* + h_eff v* + h_eff² g is where inertia and gravity alone would go; α [1/s] is damping
/// proportional to mass. Contact adds its barrier and friction to f as they are. Owns the matrix
/// pattern and the scatter maps of its terms.
class IncrementalPotential
{
public:
    /// The terms must outlive it. mass, mass_damping: per vertex; behind the vertices x has
    /// `further` blocks of three unknowns that only terms know about.
    IncrementalPotential(std::vector<Term*> terms, const VecX& mass, const VecX& mass_damping,
                         int further = 0);

    /// Adds contact, which must outlive the potential. `diagonal` [m] is the size of what moves.
    void set_contact(ContactProblem* contact) { contact_ = contact; }
    /// One of the terms, which bends the ways of rods; must outlive the potential.
    void set_rods(RodTerm* rods) { rods_ = rods; }
    bool bends_ways() const { return rods_ != nullptr; }
    /// x + step × p, but for rods that turn rather than stretch.
    void displace(const VecX& x, const VecX& p, double step, VecX& to) const;

    /// Balances the barrier's stiffness against what presses at x.
    void balance_contact(const VecX& x, double diagonal);
    /// Stiffens the barrier where a tiny gap goes on shrinking; f is another function afterwards.
    void adapt_contact();

    /// Prepares all terms for a step; x_tilde is copied, the context's vectors must outlive the
    /// step.
    void begin_step(const StepContext& step, VecX x_tilde);

    /// Draws vertices towards places during this step, by ½ c m ‖x − target‖² each.
    void set_pulls(std::vector<Pull> pulls) { pulls_ = std::move(pulls); }

    /// How far colliders and exact pins are on their ways through the step, in [0, 1].
    double reached() const { return reached_; }
    void set_reached(double reached);

    /// [m] What colliders have still to go, in their largest coordinate.
    double rest_of_way() const { return contact_ ? contact_->rest_of_way() : 0; }
    /// [m] d̂; 0 without contact.
    double activation() const { return contact_ ? contact_->settings().activation : 0; }

    double value(const VecX& x);
    /// ½ pᵀMp [kg·m²]: what a motion p weighs in f.
    double weight(const VecX& p) const
    {
        const auto motion = p.head(mass_.size());
        return 0.5 * motion.dot(mass_.cwiseProduct(motion));
    }
    /// Value, gradient and positive definite Hessian in one pass; `contact` receives the part of
    /// the Hessian whose pattern changes, `pull` (may be null) the change of the gradient by the
    /// rest of the colliders' way.
    double assemble(const VecX& x, VecX& gradient, BlockMatrix& hessian, BlockMatrix& contact,
                    Psd psd, VecX* pull = nullptr);
    /// Value and gradient.
    double gradient(const VecX& x, VecX& gradient);
    /// [J] Σ E(x) alone.
    double term_energy(const VecX& x);
    /// Largest feasible step along p, with colliders at rest or (`follow`) going on with it.
    double max_step(const VecX& x, const VecX& p, bool follow = false) const;
    /// What broad phase and collision detection have taken so far; null without contact.
    const ContactSeconds* contact_seconds() const
    {
        return contact_ ? &contact_->statistics().seconds : nullptr;
    }
    /// Smallest gap of all contacts over the gap at which they begin to push; 1 without any.
    double room() const;

    /// Parts of the Hessian of the last `assemble` that have no place in the sparse matrix.
    const std::vector<RankOne>& rank_one() const { return rank_one_; }

    std::shared_ptr<const BlockPattern> pattern() const { return pattern_; }

private:
    double inertia(const VecX& x, VecX* gradient) const;
    void evaluate_terms(const VecX& x, Want want, Sink& sink) const;

    std::vector<Term*> terms_;
    ContactProblem* contact_ = nullptr;
    RodTerm* rods_ = nullptr;
    StiffnessRange stiffness_range_{0, 0};
    double reached_ = 1;
    double gap_before_ = 0; ///< [m]
    std::shared_ptr<const BlockPattern> pattern_;
    std::vector<ScatterMap> scatter_;
    VecX mass_;    ///< three per vertex
    VecX damping_; ///< α, three per vertex
    VecX x_tilde_;
    std::vector<Pull> pulls_;
    StepContext step_;
    Sink sink_;
    std::vector<RankOne> rank_one_;
};

} // namespace selvage
