#pragma once

#include "core/geometry/distance_field.h"
#include "plugin/houdini/compat.h"

#include <string>
#include <vector>

namespace selvage::houdini
{

/// The VDB primitives of a detail by name, those without one as "primitive 3"; distances of the
/// level sets among them, where `grid` is not empty of the one with this name alone. Throws
/// InputError naming a primitive whose voxels are no distances; messages start with `who`.
std::vector<Volume> read_volumes(const GU_Detail& gdp, const std::string& grid,
                                 const std::string& who);

} // namespace selvage::houdini
