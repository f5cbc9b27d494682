#pragma once

#include "core/base/cancel.h"
#include "core/solver/budget.h"
#include "core/solver/direction_solver.h"
#include "core/solver/incremental_potential.h"
#include "core/solver/step_report.h"

namespace selvage
{

/// Scratch of the minimisation, kept between steps of one scene.
struct NewtonScratch {
    BlockMatrix hessian, contact;
    VecX gradient;
    VecX direction;
    VecX trial, trial_gradient;
    VecX way_there;        ///< the straight line to a trial at the end of a bent way
    VecX pull, way;        ///< see IncrementalPotential::assemble; rest of the way of held vertices
    VecX follow_direction; ///< the last one that took colliders and held vertices along
    DirectionSolver linear;
};

/// Vertices held exactly, and where they should be at the end of the step (three per vertex of the
/// scene; only those of held vertices count).
struct HeldVertices {
    const VertexFilter& filter;
    const VecX& target;
};

/// Minimises f from x by projected Newton with backtracking [Li et al. 2020, Alg. 1], and brings
/// colliders and held vertices to where they should be (f.reached() = 1) without letting anything
/// pass: while they are under way, the direction takes the rest of their way as given, so that what
/// touches them moves along, and one step by continuous collision detection moves all together.
/// Steps that only relax come in between where contacts have become tight. Stops when ‖p‖∞/h ≤
/// tolerance [m/s] after the step along p has been taken; with f.reached() < 1 when colliders or
/// held vertices get no farther although everything has moved aside as far as it can.
StepReport minimise(IncrementalPotential& f, const HeldVertices& held, VecX& x, double h,
                    double tolerance, const StepSettings& settings, NewtonScratch& scratch,
                    Budget& budget, const Cancel& cancel);

} // namespace selvage
