#pragma once

#include "core/base/log.h"
#include "core/geometry/geometry.h"
#include "core/model/drive.h"
#include "core/model/hair.h"

namespace selvage
{

/// Turns open curves into hair: strands, radii (point attribute `pscale`, else half of `width`,
/// else the material's), painted stiffness (`stiffness_scale`), rest lengths, curvature and twist
/// from x_rest where given, else point attribute `rest`, else P. Throws InputError on NaNs, edges
/// without length, curves of fewer than three points and points shared between strands; warns about
/// polygons.
Hair make_hair(const std::string& name, const Geometry& geometry, const VecX* x_rest,
               const HairMaterial& material, HairRoots roots, LogSink& log);

/// Frames for the pose x (three per point of the geometry): where `orient` is given (a quaternion
/// per point, as Houdini's: x across the strand, z along it) those, else frames with the rest
/// twist, turned about the strand as `root_directors` (three per strand) say, or anyhow where that
/// is empty.
RodFrames hair_frames(const Hair& hair, const VecX& x, const VecX& orient,
                      const VecX& root_directors = {});

/// Lengths, curvatures and twist of the pose x with these frames. Throws InputError on edges
/// without length.
RodRest rest_of_pose(const Hair& hair, const VecX& x, const RodFrames& frames);

/// Point attribute `orient`, four per point; empty where there is none.
VecX hair_orient(const std::string& who, const Geometry& geometry);

/// `orient` per point of the geometry from frames at x: x along m1, y along m2, z along the strand.
/// Points that belong to no strand keep [0 0 0 1].
VecX orient_of(const Hair& hair, const VecX& x, const VecX& directors);

} // namespace selvage
