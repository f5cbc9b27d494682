#include "core/energy/fixed_corotational.h"

#include "core/energy/tet_evaluate.h"

namespace selvage
{

SELVAGE_INSTANTIATE_SOLID(FixedCorotational)

} // namespace selvage
