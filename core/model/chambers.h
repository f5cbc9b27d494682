#pragma once

#include "core/base/log.h"
#include "core/energy/chamber_pressure.h"
#include "core/model/scene.h"

namespace selvage
{

struct ChamberChoice {
    bool close_holes = true; ///< otherwise an open cloth is an error
    bool per_piece = true;   ///< every connected piece is a chamber; otherwise all of it is one
    bool flip = false;       ///< where the winding does not tell: the other side is outside
};

/// The chambers of a cloth at its rest positions x_rest: triangles and holes in scene vertices, the
/// side with positive volume inside. Throws InputError where polygons disagree about the outside,
/// where three meet at an edge, or where the cloth is open and must not be.
std::vector<ClothChamber> make_chambers(const Cloth& cloth, int cloth_number,
                                        const ChamberChoice& choice, LogSink& log);

} // namespace selvage
