#pragma once

#include "core/model/scene.h"
#include "core/model/state.h"

#include <GU/GU_Detail.h>

namespace selvage::houdini
{

/// A point at every pinned vertex and held point of hair, blue where exact and green where a spring
/// holds it.
void draw_pins(const Scene& scene, const State& state, GU_Detail& guide);

/// A point at every vertex in contact, from yellow to red as its gap closes.
void draw_contacts(const Scene& scene, const State& state, GU_Detail& guide);

/// A red line for every edge that passes through a triangle, of what is simulated and of the
/// colliders against it, judged exactly by core/check.
void draw_intersections(const Scene& scene, const State& state, GU_Detail& guide);

} // namespace selvage::houdini
