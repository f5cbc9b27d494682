#pragma once

#include "core/energy/term.h"
#include "core/linear/chain_solver.h"
#include "core/linear/vertex_filter.h"
#include "core/solver/rod_loads.h"

#include <memory>

namespace selvage
{

/// The rods of a scene for a stepper that solves all objects at once: the energies of rod_chain.h
/// with viscosity, the inertia of sections about the rod's axis, targets and drag.
///
/// Behind the vertices, the unknowns x go on with the turns of edges since the start of the step,
/// each as u = θ L̄ [m], so that positions and turns have one unit. They fill blocks of three, one
/// strand after the other; what remains of a strand's last block is held.
///
/// A configuration is points and frames. `update` makes x the base from which displacements carry
/// frames along, see rod_element.h; derivatives are exact there, and elsewhere up to the path by
/// which frames got there. Frames that the animation holds follow it straight from the start.
///
/// Rods that hang on one end, or on none, take displacements as RodProblem::hangs says: they turn
/// their edges instead of drawing them out (`bend_way`), and their Hessians contain what the loads
/// beyond an edge do when it turns (`set_loads`), those of contacts included.
class RodTerm final : public Term
{
public:
    /// The scene must outlive it.
    explicit RodTerm(const Scene& scene);

    std::string_view name() const override { return "rods"; }
    const Batches& stencils() const override { return stencils_; }
    /// Blocks of three turns behind the vertices.
    int turn_blocks() const { return turn_blocks_; }
    /// The unknowns of each rod in the order in which they couple.
    const std::vector<Chain>& chains() const { return chains_; }

    /// At the start of a step of h, from the state's frames; all turns are zero there. pull: [N] on
    /// all vertices, constant over the step; may be empty.
    void begin(const Drive& drive, const State& state, const TimeScheme& scheme, double h,
               const VecX& pull = {});
    void update(const VecX& x) override;
    /// Hessians are exact where those of a rod, with its inertia, are positive definite; else
    /// bending and twist are clamped point by point.
    void evaluate(const VecX& x, Want want, Sink& out) const override;

    /// Takes the whole gradient of f = … + scale × energy at the base x as loads of the Hessians to
    /// come, until the next `begin`.
    void set_loads(const VecX& gradient, double scale);
    /// Where x goes along `step` × p: in `to`, which has x + step × p.
    void bend_way(const VecX& x, const VecX& p, double step, VecX& to) const;

    /// Holds roots, points of no strand, held edges and what fills blocks up.
    void hold(VertexFilter& filter) const;
    /// Where the animation wants what is held, at the end of the step.
    void set_targets(const Drive& drive, VecX& x) const;

    /// Frames, twists and spins at the end of the step, where `state` has the positions of x.
    void store(const VecX& x, double h, State& state) const;
    /// Largest l/L − 1 of all edges.
    double max_strain(const VecX& x) const;

private:
    struct Group {
        RodGroup rods;
        RodProblem problem;                    ///< without inertia of points; nothing held
        std::vector<Real4> free, beyond;       ///< as in RodProblem
        Real4 hangs = 0.0;                     ///< likewise
        std::vector<Real4> inertia;            ///< [N/m] per point
        std::vector<Real4> inverse_length;     ///< 1/L̄ [1/m] per edge
        std::array<std::vector<int>, 4> place; ///< of the unknowns of each lane in x; −1: none
        RodChainShape start, base;
        std::vector<Real4> base_turn;
    };
    /// What goes from a band matrix, lane by lane, to which numbers of the sparse one.
    struct Copy {
        std::uint32_t from, to;
    };

    void find_places();
    void make_stencils();
    void map_onto(const BlockMatrix& matrix) const;
    /// Points and frames at x, and the turns that took them there.
    void shape_at(const Group& group, const VecX& x, RodChainShape& shape,
                  std::vector<Real4>& turn) const;
    Mask4 indefinite(const Group& group, RodMatrix hessian) const;
    double add_group(std::size_t number, const VecX& x, Want want, RodScratch& scratch,
                     Sink& out) const;

    const Scene& scene_;
    std::vector<Group> groups_;
    int turn_blocks_ = 0;
    std::vector<std::vector<int>> first_turn_; ///< per hair and strand: number in x
    Batches stencils_;
    std::vector<Chain> chains_;
    mutable std::shared_ptr<const BlockPattern> mapped_;
    mutable std::vector<std::array<std::vector<Copy>, 4>> copies_; ///< per group and lane
};

} // namespace selvage
