#include "core/energy/arap_solid.h"

#include "core/energy/tet_evaluate.h"

namespace selvage
{

SELVAGE_INSTANTIATE_SOLID(ArapSolid)

} // namespace selvage
