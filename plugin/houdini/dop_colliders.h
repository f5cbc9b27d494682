#pragma once

#include "core/geometry/geometry.h"
#include "core/model/state.h"
#include "plugin/houdini/geometry_input.h"

#include <SIM/SIM_Object.h>

#include <memory>
#include <string>
#include <vector>

namespace selvage::houdini
{

/// An object among those that collide.
struct ColliderPart {
    int object = 0;          ///< its number in the simulation
    std::int64_t points = 0; ///< none of a volume

    bool operator==(const ColliderPart& b) const
    {
        return object == b.object && points == b.points;
    }
};

/// All collision geometry of an object's affectors, in world space: polygons, or volumes (VDB).
struct DopColliders {
    std::shared_ptr<const Geometry> geometry; ///< null: nothing collides
    std::vector<ColliderPart> parts;          ///< in the order of its points
};

/// Those of `known` keep their place in front of the others, so that polygons keep their numbers.
/// Throws InputError naming an object whose number of points has changed.
DopColliders colliders_of(const SIM_Object& object, const std::vector<ColliderPart>& known,
                          const VolumeNames& volumes);

/// `now`, but with objects that are in `before`, too, where they are there, and the others moved by
/// `away`. Volumes, of which there is one, are those of `before` where that has any.
std::shared_ptr<const Geometry> placed_as_before(const DopColliders& now,
                                                 const DopColliders& before, const Vec3& away);

/// A state among other colliders, taken over to these at a step: what they had reached they keep,
/// what is new is where `now` has it. `unit` [m] is that of the geometry.
State among_colliders(State state, const DopColliders& before, const DopColliders& now, int step,
                      double unit);

} // namespace selvage::houdini
