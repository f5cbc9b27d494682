#pragma once

#include "core/geometry/geometry.h"
#include "core/model/material.h"

namespace selvage
{

/// Cusick's drape test [ISO 9073-9]: a round specimen of 30 cm rests on a disc of 18 cm, its edge
/// hangs over. The part on the disc is held flat; all motion is damped, as the specimen is lowered
/// gently.
struct DrapeTest {
    ClothMaterial material;
    /// n: 1 + 3 n (n + 1) vertices in n rings; a multiple of five, so that a ring lies on the edge
    /// of the disc. 40: 5k, 115: 40k.
    int rings = 40;
    int lobes = 6;    ///< folds that the specimen is given a hint of; 0: chance decides
    int substeps = 1; ///< of a frame of 1/24 s
    int frames = 24;  ///< simulated before the specimen is let come to rest by long steps
};

struct DrapeResult {
    double coefficient = 0; ///< [%] (shadow − disc)/(specimen − disc), see drape_coefficient
    int lobes = 0;          ///< number of folds at the edge: its strongest harmonic
    int not_converged = 0;  ///< steps
    double speed = 0;       ///< [m/s] largest at the end: the specimen has come to rest
    Geometry specimen;
};

DrapeResult run_drape(const DrapeTest& test);

/// [%] from the shadow of the specimen under light from above.
double drape_coefficient(const Geometry& specimen);

/// A disc of n rings in the plane y = 0, facing up: 6k points on ring k, `radius` [m].
Geometry ring_disc(int rings, double radius);

} // namespace selvage
