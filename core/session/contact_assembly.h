#pragma once

#include "core/base/log.h"
#include "core/model/scene.h"
#include "core/session/session_setup.h"

#include <memory>

namespace selvage
{

/// The inputs of all objects at the start frame, as in Scene.
struct ContactInputs {
    using List = std::vector<std::shared_ptr<const Geometry>>;
    const List& cloths;
    const List& solids;
    const List& colliders;
};

/// What is painted on points for contact, and which pairs of objects do what:
///   pscale            [m] half the thickness here (the radius of what is kept clear)
///   friction          multiplies the coefficient; dynamicfriction that of sliding once more
///   disableself       1: the point does not collide with its own object
///   disableexternal   1: it does not collide with colliders
///   collisionignore   pattern of objects, collision groups and point groups to pass through
///   layer             whole number: where surfaces are tangled, higher ones are drawn outside
///   collisiongroup    a name for other points' collisionignore
/// all but pscale also as detail attributes, and "pairs" of the shot. Throws InputError; names that
/// match nothing are warned about where they are painted, and refused in the shot.
void assemble_contact(const SessionSetup& setup, const ContactInputs& inputs, Scene& scene,
                      LogSink& log);

} // namespace selvage
