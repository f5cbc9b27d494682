#pragma once

#include "core/geometry/geometry.h"

#include <GU/GU_Detail.h>

namespace selvage::houdini
{

/// Writes a result's P, v, of hair orient, and diagnostic (sv_…) point attributes into a detail
/// that has its points, and bumps the data ids of exactly these. Positions in 64 bits make P a
/// 64-bit attribute.
void write_result(const Geometry& result, GU_Detail& gdp);

/// The hair among other primitives: P, v and orient of these points of a detail that has the
/// others' result.
void write_hair(const Geometry& hair, const std::vector<std::int32_t>& points, GU_Detail& gdp);

/// Writes sv_contact and sv_gap from the gap of each point, ∞ where it is in no contact; behind
/// those of the detail's points stand the gaps of hair among them.
void write_contacts(const VecX& gap, const std::vector<std::int32_t>& hair_points, GU_Detail& gdp);

} // namespace selvage::houdini
