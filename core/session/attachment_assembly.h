#pragma once

#include "core/session/link_inputs.h"
#include "core/session/surface_links.h"

#include <vector>

namespace selvage
{

/// Attachments, then seams, then constraint geometry, as link sets of the scene; `places` has an
/// entry for each. Returns the pins that constraint geometry asks for. Throws InputError naming the
/// attachment and what it lacks; warns where nothing is in reach.
std::vector<Pin> assemble_links(const LinkInputs& in, std::vector<LinkPlaces>& places);

} // namespace selvage
