#pragma once

#include "core/base/cancel.h"
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
    VecX trial;
    DirectionSolver linear;
};

/// Assembles f at x and solves for the Newton direction, iteratively only to `loose` (see
/// DirectionSolver): scratch.gradient and scratch.direction. Adds to the report's counts and times;
/// its status says whether it worked. Returns f(x).
double newton_direction(IncrementalPotential& f, const VertexFilter& filter, const VecX& x,
                        const StepSettings& settings, double loose, NewtonScratch& scratch,
                        StepReport& report);

/// Moves x along scratch.direction, no farther than is feasible, halving until f falls below f_0 =
/// f(x); returns the accepted length, 0 where none helps. Near the minimum, where differences of f
/// drown in rounding, a step counts as a decrease.
double line_search(IncrementalPotential& f, VecX& x, double f_0, NewtonScratch& scratch,
                   StepReport& report);

/// Minimises f from x by projected Newton with backtracking [Li et al. 2020, Alg. 1]. Fixed
/// vertices of the filter stay where x has them. Stops when ‖p‖∞/h ≤ tolerance [m/s] after the step
/// along p has been taken.
StepReport minimise(IncrementalPotential& f, const VertexFilter& filter, VecX& x, double h,
                    double tolerance, const StepSettings& settings, NewtonScratch& scratch,
                    const Cancel& cancel);

} // namespace selvage
