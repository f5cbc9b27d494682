#pragma once

#include "core/check/elements.h"

#include <vector>

namespace selvage
{

/// Two elements that went through each other between two frames: curve segment and segment or
/// edge, or point of a curve and triangle.
struct Passing {
    ElementId a, b;
    double time = 0; ///< when, 0: the frame before, 1: this one
};

/// Curves that pass each other, themselves or surfaces on the way from one frame to the next, as if
/// every point moved straight: what static tests of frames cannot see, since curves that do not
/// touch have no inside. Between frames that are far apart straight ways may cross where the true
/// ones did not: write more frames then. Elements with common points, or with points at the same
/// place, are left out; with skip_roots also first segments of curves against surfaces. `before`
/// and `after` must have the same elements. In order of elements.
std::vector<Passing> find_passings(const Elements& before, const Elements& after,
                                   bool skip_roots = false);

} // namespace selvage
