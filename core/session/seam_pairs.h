#pragma once

#include "core/model/scene.h"

#include <string>
#include <vector>

namespace selvage
{

/// Points of a cloth in order along an edge.
struct EdgeChain {
    std::vector<int> points; ///< of the cloth
    bool closed = false;     ///< the last is connected to the first
};

/// Orders the points of a group along the cloth's border, or along its edges where they are not on
/// the border; InputError where they do not form one line. `edges` (may be empty): pairs of points
/// that say which edges are meant.
EdgeChain edge_chain(const Cloth& cloth, const std::vector<int>& points,
                     const std::vector<Vec2i>& edges, const std::string& who);

/// Links between two chains, point by point where they have equally many, else by length along
/// them, from the side with more points. Ends (of rings: starts) and directions are chosen such
/// that partners are near each other at x, the scene's positions. Link::share is the length of the
/// seam that a link holds [m].
std::vector<Link> sew(const Cloth& cloth_a, const EdgeChain& a, const Cloth& cloth_b,
                      const EdgeChain& b, const VecX& x);

} // namespace selvage
