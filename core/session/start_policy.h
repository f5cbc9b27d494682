#pragma once

#include "core/base/log.h"
#include "core/model/drive.h"
#include "core/model/scene.h"
#include "core/model/state.h"
#include "core/session/session_setup.h"

namespace selvage
{

/// Surfaces that intersect at the start x, or are nearer than their thickness: an InputError that
/// names them, or what must not collide until they are apart, with a warning that lists it, as
/// collision.on_intersection says.
Releases start_releases(const SessionSetup& setup, const Scene& scene, const VecX& x, LogSink& log);

/// The same in the middle of a shot, where colliders have appeared: at the end of the drive (its
/// colliders and fields) that leads up to this frame. Nothing is drawn apart first.
Releases releases_among(const SessionSetup& setup, const Scene& scene, const VecX& x,
                        const Drive& drive, int frame, LogSink& log);

} // namespace selvage
