#pragma once

#include "core/example/example.h"

#include <string>

namespace selvage
{

/// Writes an example's geometry into the folder: NAME.bgeo.sc for what stands still,
/// NAME.$F4.bgeo.sc for what moves.
void write_example(const std::string& example, const std::string& folder);

} // namespace selvage
