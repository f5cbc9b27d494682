#pragma once

#include "core/energy/stvk_membrane.h"
#include "core/model/scene.h"

#include <functional>
#include <memory>
#include <vector>

namespace selvage
{

/// The in-plane terms of a cloth: the law that its material names, and its viscosity.
struct ClothMembrane {
    std::vector<std::unique_ptr<Term>> terms;
    /// Hands a new rest shape to the terms; to be followed by begin_step.
    std::function<void(const Cloth&, const RestShape&)> set_rest;
    /// Triangles that began the step beyond their limits of strain; empty: the cloth has none.
    std::function<int()> beyond_limit;
};

/// Throws InputError naming the cloth where the material's figures contradict each other.
ClothMembrane make_cloth_membrane(const Cloth& cloth, const RestShape& rest, int vertex_count);

/// The moduli at small strain that the material's law has in a triangle, painted values included:
/// what its viscosity is proportional to. The isotropic laws take the
/// geometric means of both directions, √(warp · weft) and √(νν').
MembraneModuli small_strain_moduli(const Cloth& cloth, std::size_t triangle);

/// The triangles of the St. Venant–Kirchhoff membrane, elastic and viscous, or viscous alone: every
/// law is damped alike, through the rate of Green strain and its moduli at small strain.
enum class MembraneParts { elastic_and_viscous, viscous };
std::vector<StvkTriangle> membrane_rest(const Cloth& cloth, const RestShape& rest,
                                        MembraneParts parts = MembraneParts::elastic_and_viscous);

/// Scene vertices of a cloth's triangles, three each.
std::vector<std::int32_t> triangle_vertices(const Cloth& cloth);

} // namespace selvage
