#include "core/energy/fiber_solid.h"

#include "core/energy/tet_evaluate.h"

namespace selvage
{

SELVAGE_INSTANTIATE_SOLID(FiberSqrt)
SELVAGE_INSTANTIATE_SOLID(FiberArap)

} // namespace selvage
