#pragma once

#include "core/geometry/geometry.h"

namespace selvage
{

/// Square cloths above each other, each turned a little against the one below, to fall onto a round
/// table. Triangles, all in one geometry; primitive attribute `layer` counts from below.
Geometry stacked_cloths(int layers = 8, int points = 36, double size = 0.6);

/// The table: a disc with a rounded rim on a foot, its top at y = 0, closed.
Geometry round_table(double radius = 0.2);

} // namespace selvage
