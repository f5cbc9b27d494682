#include "core/energy/neo_hookean.h"

#include "core/energy/tet_evaluate.h"

namespace selvage
{

SELVAGE_INSTANTIATE_SOLID(NeoHookean)

} // namespace selvage
