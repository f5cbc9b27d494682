#pragma once

#include "core/geometry/distance_field.h"
#include "plugin/houdini/geometry_input.h"

#include <string>
#include <vector>

namespace selvage::houdini
{

/// The VDB primitives of a detail by name, those without one as "primitive 3"; distances of the
/// level sets among them and velocities, where names are given of these alone. Throws InputError
/// naming a primitive whose voxels are no distances; messages start with `who`.
std::vector<Volume> read_volumes(const GU_Detail& gdp, const VolumeNames& names,
                                 const std::string& who);

} // namespace selvage::houdini
