#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace selvage
{

/// The candidate with the fewest edits (insert, delete, replace, swap) to `name`; "" when none is
/// near enough to be what was meant.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

} // namespace selvage
