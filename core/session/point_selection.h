#pragma once

#include "core/geometry/geometry.h"

#include <string>
#include <vector>

namespace selvage
{

/// Points of a point group, ascending. `who` starts the message where there is no such group:
/// "Cloth 'cape': pins.group".
std::vector<int> group_points(const Geometry& geometry, const std::string& group,
                              const std::string& who);

/// A painted multiplier per element, >= 0; ones where `name` is empty. InputError where there is no
/// such attribute or a value is negative or not a number.
VecX painted_map(const Geometry& geometry, Owner owner, const std::string& name,
                 const std::string& who);

} // namespace selvage
