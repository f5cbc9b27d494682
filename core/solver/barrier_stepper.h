#pragma once

#include "core/contact/contact_problem.h"
#include "core/contact/strand_cohesion.h"
#include "core/model/scene_terms.h"
#include "core/solver/incremental_potential.h"
#include "core/solver/integrator.h"
#include "core/solver/projected_newton.h"
#include "core/solver/rod_term.h"
#include "core/solver/stepper.h"

#include <memory>

namespace selvage
{

/// Projected Newton on the incremental potential, with contact as a barrier: what does not
/// intersect at the start never does. BDF-1 or BDF-2. The unknowns are all vertices, then the turns
/// of rods, see RodTerm.
class BarrierStepper final : public Stepper
{
public:
    explicit BarrierStepper(std::shared_ptr<const Scene> scene);

    std::string_view name() const override { return "barrier"; }
    StepReport step(const Drive& drive, State& state, double h, const StepSettings& settings,
                    const Cancel& cancel) override;

private:
    StepReport take_step(const Drive& drive, State& state, double h, const StepSettings& settings,
                         const Cancel& cancel);
    /// The scheme's start as seen in the world, where it differs by what a moving frame carries.
    struct WorldMotion {
        VecX x_0, v_0, x_star;
        double h_eff;
    };
    static WorldMotion world_motion(const Drive& drive, const State& state,
                                    const TimeScheme& scheme, double h);
    VecX start_guess(const VecX& x_start, const VecX& x_tilde, const VecX& held_target);
    /// One step's minimisation, and of what it needs.
    struct Solve {
        const VecX& held_target;
        double h, tolerance;
        const StepSettings& settings;
        Budget budget;
        const Cancel& cancel;
        std::vector<ReleasedVertex> let_go = {};
    };
    StepReport minimise_once(Solve& solve, VecX& x);
    StepReport minimise_step(Solve& solve, State& state, VecX& x);
    bool make_way(int attempt, Solve& solve, State& state, VecX& x);
    void begin_contact(const Drive& drive, const WorldMotion& world, const VecX& x_start, double h,
                       State& state);
    void use_releases(const Releases& releases);
    VecX all_vertices(const VecX& x) const;
    /// x with exact pins at the drive's targets.
    VecX held_targets(const Drive& drive, const VecX& x) const;

    /// With turns of rods at zero behind the vertices.
    VecX unknowns(const VecX& x) const;
    std::vector<Term*> all_terms() const;

    std::shared_ptr<const Scene> scene_;
    SceneTerms terms_;
    std::unique_ptr<RodTerm> rods_; ///< null where there are none
    IncrementalPotential potential_;
    VertexFilter filter_;
    NewtonScratch scratch_;
    std::unique_ptr<ContactProblem> contact_; ///< null where nothing collides
    Releases filtered_;                       ///< what contact_ leaves out now
    PairFilter strands_; ///< what strands collide with; empty where there are none
    std::unique_ptr<StrandCohesion> cohesion_; ///< null where no hair has any
};

} // namespace selvage
