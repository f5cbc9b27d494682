#pragma once

#include "core/contact/release_pull.h"

namespace selvage
{

/// What draws surfaces apart in a step.
struct Untangling {
    std::vector<Pull> pulls;
    std::vector<ReleasedVertex> released; ///< what must pass through to get where it belongs
};

/// Draws surfaces apart that pass through each other, or are nearer than their thickness, by at
/// most `reach` [m] in a step. x: all contact vertices. Of two surfaces,
///   - crossing ones: the edges that pass through the other divide a surface into parts, and the
///     smaller part goes back through the nearest place of the other surface. Where layers differ,
///     the higher one moves, and what of it is behind the lower one's normals goes to its front.
///   - where the crossing divides neither (it ends inside of both, or a surface crosses itself),
///     edges and triangles move so that the crossing gets shorter [Volino and Magnenat-Thalmann
///     2006].
///   - too near ones: along their distance; exactly coinciding ones by the normals of the lower
///     layer, or of the body that comes first, and strands that cross across both.
/// Prescribed vertices and lower layers stay where they are. What of `releases` is through goes on
/// until it may collide again. layers_only: leaves pairs of one layer alone. Where a filter is
/// given, only what it keeps is drawn apart.
Untangling untangle(const ContactMesh& mesh, const VecX& x, const Releases& releases, double reach,
                    double d_hat, bool layers_only, const PairFilter& filter = {});

} // namespace selvage
