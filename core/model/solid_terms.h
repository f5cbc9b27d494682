#pragma once

#include "core/energy/term.h"
#include "core/model/scene.h"

#include <memory>
#include <vector>

namespace selvage
{

/// The energies of a solid: its law, fibres, viscosity. Throws InputError naming the solid where
/// the material's figures contradict each other.
std::vector<std::unique_ptr<Term>> make_solid_terms(const Solid& solid, int vertex_count);

} // namespace selvage
