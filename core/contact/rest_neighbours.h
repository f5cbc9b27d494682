#pragma once

#include "core/base/types.h"

#include <cstdint>
#include <vector>

namespace selvage
{

class ContactMesh;

/// Pairs of elements that are near each other at rest, with that distance.
class RestNeighbours
{
public:
    struct Neighbour {
        std::int32_t element;
        float distance; ///< [m] rounded down
    };

    RestNeighbours() = default;
    /// `lists`: of each first element.
    explicit RestNeighbours(const std::vector<std::vector<Neighbour>>& lists);

    /// [m] Infinity for pairs that are not listed.
    double distance(std::int32_t a, std::int32_t b) const
    {
        if (std::size_t(a) + 1 >= begin_.size()) return infinity;
        for (std::size_t k = begin_[std::size_t(a)]; k < begin_[std::size_t(a) + 1]; ++k)
            if (neighbours_[k].element == b) return neighbours_[k].distance;
        return infinity;
    }
    std::size_t size() const { return neighbours_.size(); }

private:
    std::vector<std::size_t> begin_; // by first element; empty: none
    std::vector<Neighbour> neighbours_;
};

/// Where a mesh is finer than its thickness ξ, or than d_hat [m], elements that share no vertex are
/// nearer to each other than ξ + d_hat without being folded. So a pair that is ρ apart at rest
/// along the surface keeps no more than half of that, ξ′ = min(ξ, ρ/2), and begins to push at half
/// of what is left, d̂′ = min(d_hat, (ρ − ξ′)/2) beyond it (pair_thickness, pair_activation in
/// broad_phase.h). Nothing pushes at rest, small bends are free, and nothing passes through all the
/// same. It matters where ρ < max(2 ξ, ξ + 2 d_hat); these pairs are listed.
///
/// Finds them along the surface, over patches of neighbouring triangles: panels that lie on each
/// other at rest, as flat patterns do, are no neighbours. Gives them to the mesh. Call it once all
/// bodies have their thickness.
void find_rest_neighbours(ContactMesh& mesh, double d_hat);

} // namespace selvage
