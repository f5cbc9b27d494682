#pragma once

#include "core/session/session_setup.h"

namespace selvage
{

/// Rest shapes come from the point attribute `rest` of the rest input where it has one, else from
/// its positions. Cloth and hair without such an input follow the `rest` of their own geometry,
/// where both move over the shot and nothing else is asked for (`rest.from`).
void find_rest_shapes(SessionSetup& setup);

} // namespace selvage
