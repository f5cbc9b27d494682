#pragma once

#include "core/base/log.h"
#include "core/model/scene.h"
#include "core/session/session_setup.h"

#include <vector>

namespace selvage
{

/// The pins of a cloth: exactly those of `stopped`, of zero mass and of no triangle; those of the
/// group exactly or softly, fading out along the cloth where there is a falloff.
std::vector<Pin> pins_of(const ClothSetup& setup, const Cloth& cloth, const Geometry& geometry,
                         LogSink& log);

} // namespace selvage
