#pragma once

#include "core/contact/releases.h"
#include "core/model/scene.h"

namespace selvage
{

/// Keeps the pairs that strands really collide with, and of these only what `others` (may be empty)
/// keeps. Left out are
///   - pairs of one strand that are near each other along it: where it is thick for its segments
///     they are always near each other;
///   - what the animation holds, against colliders and against what it holds elsewhere: hair grows
///     out of the skin, and two animations cannot make way for each other. With a root goes the
///     first free segment.
/// The mesh, that of the scene, must outlive the filter.
PairFilter strand_pair_filter(const Scene& scene, const ContactMesh& mesh, PairFilter others = {});

/// Without the points of strands that the animation holds: roots may be inside the skin.
std::vector<ReleasedVertex> without_roots(const Scene& scene, std::vector<ReleasedVertex> vertices);

} // namespace selvage
