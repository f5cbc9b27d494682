#pragma once

#include "core/session/link_inputs.h"
#include "core/session/surface_links.h"

#include <vector>

namespace selvage
{

/// Constraint geometry in Vellum's form: primitives whose attribute `type` (or `constraint_type`)
/// says what they do to the points they run through.
///
///   pin                         each point follows the animation of its cloth
///   attach, one point           a place on a collider: the nearest, or on polygon `target_prim`
///   attach, distance, string    lines: keep `restlength`, else the distance at the start
///   stitch, sew, weld, glue     lines: draw together to `restlength`, else to nothing
///   ptprim                      a point and three more: held on that triangle
///
/// `stiffness` [N/m] and `restlength` [m] are read per primitive; strings, and what has
/// `compressstiffness` 0, do not push. What a cloth's material does itself (distance along its
/// edges, bend, …) is left to it with an info; other types are left out with a warning that names
/// the primitive and the types that are taken.
///
/// Adds link sets and their places for entry `index` of the set-up's constraints; returns the pins.
std::vector<Pin> assemble_constraints(const LinkInputs& in, std::size_t index,
                                      std::vector<LinkPlaces>& places);

} // namespace selvage
