#pragma once

#include "core/contact/releases.h"
#include "core/linear/vertex_filter.h"

namespace selvage
{

/// The vertices whose release lets colliding pairs pass: of a pair with a collider its simulated
/// ones, of two simulated elements the held ones. Free cloth is never released from free cloth. x:
/// all contact vertices; `held`: of the simulated ones.
std::vector<ReleasedVertex> vertices_in_the_way(const ContactMesh& mesh, const VecX& x,
                                                const VertexFilter& held,
                                                const std::vector<ContactPair>& colliding);

} // namespace selvage
