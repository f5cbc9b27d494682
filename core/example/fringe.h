#pragma once

#include "core/example/figure.h"

namespace selvage
{

/// A figure's bust that looks around, and the fringe on its forehead.
class Fringe
{
public:
    explicit Fringe(int strands = 260, int points = 24);

    /// Head, neck and shoulders; seconds from 0 to 3: the head turns to the left, to the right, and
    /// nods.
    Geometry bust(double seconds) const;
    /// At the start: strands that grow out of the forehead's hairline and fall over it. `width` is
    /// that of a lock that stands for several hairs.
    const Geometry& strands() const { return strands_; }

private:
    VecX positions(double seconds) const;
    void grow(int strands, int points);

    Figure figure_;
    std::vector<int> figure_point_; ///< of each point of the bust
    std::vector<Vec3i> triangles_;
    Geometry strands_;
};

} // namespace selvage
