#pragma once

#include "core/check/elements.h"

namespace selvage
{

/// A place of an object that is inside a volume's surface, or too near to it.
struct PlaceInVolume {
    ElementId element;        ///< the point, edge or triangle it is on
    std::int32_t volume = -1; ///< the object that the volume is of
    double distance = 0;      ///< [m], negative inside
};

/// [m] The signed distance of a volume at a place, by formulas of its own (the definition is in
/// core/geometry/distance_field.h); the background beyond its narrow band.
double volume_distance(const DistanceSamples& samples, const Vec3& x);

/// All elements of other objects with a place nearer than `least` [m] to the surface of an object's
/// signed distances (below 0: at 0 they touch), deepest first. Edges and triangles are looked at in
/// places a quarter of a voxel apart. `allow_released`: but for those that the solver released.
std::vector<PlaceInVolume> places_in_volumes(const Elements& e,
                                             const std::vector<NamedGeometry>& objects,
                                             double least, bool allow_released);

} // namespace selvage
