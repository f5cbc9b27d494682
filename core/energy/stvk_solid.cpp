#include "core/energy/stvk_solid.h"

#include "core/energy/tet_evaluate.h"

namespace selvage
{

SELVAGE_INSTANTIATE_SOLID(StvkSolid)

} // namespace selvage
