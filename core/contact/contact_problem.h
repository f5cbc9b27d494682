#pragma once

#include "core/contact/barrier.h"
#include "core/contact/barrier_term.h"
#include "core/contact/broad_phase.h"
#include "core/contact/contact_set.h"
#include "core/contact/friction_term.h"

#include <memory>

namespace selvage
{

struct ContactSettings {
    /// d̂ [m]: the gap at which surfaces begin to push. Normal: 1 mm for cloth. Larger is softer and
    /// gives more contacts; thickness + d̂ should stay below the shortest edge.
    double activation = 1e-3;
    /// ε_v [m/s]: sliding slower than this counts as sticking. Normal: 1e-3 × scene size; smaller
    /// sticks better and converges more slowly.
    double stick_speed = 1e-3;
    /// Freedom around the motion for which candidates were sought, as a fraction of d̂. Larger means
    /// fewer searches and longer lists.
    double margin = 0.1;
    /// Fraction of a gap that one step must leave, in (0, 1).
    double ccd_slack = 0.1;
};

/// Where contact's time went [s].
struct ContactSeconds {
    double broad_phase = 0;
    double ccd = 0;
};

/// What contact did since begin_step.
struct ContactStatistics {
    int searches = 0;           ///< broad phases
    int ccd_calls = 0;          ///< max_step
    int ccd_culled = 0;         ///< of these, answered without a search
    std::size_t candidates = 0; ///< in the present list
    ContactSeconds seconds;
};

/// Contact as the step minimiser sees it: barrier and lagged friction over all pairs of a
/// ContactMesh, in the unit of the incremental potential [kg·m²] (add them as they are: h² is
/// already in κ and λ).
///
/// Simulated vertices are x, three numbers each. Prescribed ones (colliders) are constants held
/// here: they never appear in gradients or matrices. Unknowns of other kinds may stand behind the
/// simulated vertices in x, directions and gradients: they are left alone, and have empty rows.
///
///   problem.begin_step(x_0, h, collider_0, collider_1);
///   problem.set_stiffness(initial_barrier_stiffness(problem.barrier_gradient(x), g, range));
///   problem.lag_friction(x);
///   loop: problem.add(x, psd, gradient, &contact_matrix);  p = …
///         α = problem.max_step(x, p);  line search on problem.energy(x + α p)
/// with set_reached in between, which brings the colliders to their targets.
///
/// Results are functions of what was passed since begin_step, bit for bit, whatever the number of
/// threads.
class ContactProblem
{
public:
    explicit ContactProblem(ContactMesh mesh, ContactSettings settings = {});
    ContactProblem(const ContactProblem&) = delete;
    ContactProblem& operator=(const ContactProblem&) = delete;

    const ContactMesh& mesh() const { return mesh_; }
    const ContactSettings& settings() const { return settings_; }
    /// The fields of the next steps' time, by body. Call it before begin_step.
    void set_field(int body, std::shared_ptr<const MovingField> field);
    /// Drops pairs; see PairFilter. Takes effect at once.
    void set_filter(PairFilter filter);

    /// Forgets candidates and friction. x_ref: where vertices would be without velocity, for
    /// friction (the step's start; x* of BDF-2); h [s]: h_eff of the scheme. Prescribed vertices
    /// start at prescribed_start and are wanted at prescribed_target after h_step [s] (0: h). v_0
    /// [m/s]: velocities at the start, which tell what slides; empty: at rest.
    void begin_step(const VecX& x_ref, double h, const VecX& prescribed_start = VecX(),
                    const VecX& prescribed_target = VecX(), const VecX& v_0 = VecX(),
                    double h_step = 0);
    /// Where the prescribed vertices are on their straight ways, 0: start, 1: target.
    double reached() const { return reached_; }
    void set_reached(double reached);
    const VecX& prescribed() const { return prescribed_; }

    /// κ [kg/m²]; see barrier.h for how to choose and adapt it.
    double stiffness() const { return kappa_; }
    void set_stiffness(double kappa) { kappa_ = kappa; }
    /// Normal forces, directions and closest points of friction from x and the present κ.
    void lag_friction(const VecX& x);

    /// Finds the contacts at x; the functions below do it themselves.
    void update(const VecX& x);
    /// Barrier and friction; +∞ where a pair is at or below its thickness or x is not finite.
    double energy(const VecX& x);
    /// Adds the gradient (three per simulated vertex) and, where wanted, replaces `hessian` by the
    /// contact part of the matrix, on a pattern of its own that is kept while the contacts' graph
    /// stands. Where wanted (with the Hessian), `pull` gets what the rest of the way of the
    /// prescribed vertices would do to the gradient, to first order. Returns the energy.
    double add(const VecX& x, Psd psd, VecX& gradient, BlockMatrix* hessian, VecX* pull = nullptr);
    /// Gradient of the barrier alone at κ = 1, and no friction.
    VecX barrier_gradient(const VecX& x);
    /// Largest α in [0, 1] found safe for x + α p, with the prescribed vertices at rest, or
    /// (`follow`) going on by α of the rest of their way: along it no pair comes to its thickness,
    /// and at the end each keeps a tenth of its gap. Candidates known from before answer where they
    /// reach at least half as far; else a new search follows.
    double max_step(const VecX& x, const VecX& p, bool follow = false);

    /// Pairs that collide along x + t p before t = `until`, prescribed vertices as in max_step.
    std::vector<ContactPair> colliding_pairs(const VecX& x, const VecX& p, bool follow,
                                             double until);
    /// [m] Largest coordinate of what prescribed vertices, and surfaces of fields, have still to
    /// go.
    double rest_of_way() const;
    const VecX& prescribed_target() const { return target_; }

    // At the last configuration seen:
    double min_gap() const { return set_.min_gap; } ///< [m], infinity without contacts
    int contact_count() const { return int(set_.pair_count); }
    const ContactSet& contacts() const { return set_; }
    const ContactStatistics& statistics() const { return statistics_; }
    std::size_t bytes() const;

private:
    void join(const VecX& x, VecX& all) const;
    void search(const VecX& x_0, const VecX& p);
    double collide(const VecX& x, const VecX& p);
    double search_and_collide(const VecX& x, const VecX& p);
    VecX motion_of(const VecX& p, bool follow) const;
    double safe_step(const VecX& all, const VecX& motion);
    void build_pattern(int rows);

    ContactMesh mesh_;
    ContactSettings settings_;
    double piece_; // [m] of a long way that is searched at first
    BroadPhase broad_;
    BarrierTerm barrier_;
    FrictionTerm friction_;
    double kappa_ = 1, h_ = 1;
    VecX start_, target_, prescribed_; // of the prescribed vertices; prescribed_: where they are
    double reached_ = 1;
    VecX reference_; // all vertices
    VecX drift_;     // likewise: what velocities at the start make of them in the step

    // Scratch: candidates of a sweep, contacts of a configuration.
    Sweep sweep_;
    bool searched_ = false, found_ = false;
    Candidates candidates_;
    VecX all_; // configuration of set_
    ContactSet set_;
    std::vector<std::int32_t> pattern_vertices_;
    std::shared_ptr<const BlockPattern> pattern_;
    ContactStatistics statistics_;
};

} // namespace selvage
