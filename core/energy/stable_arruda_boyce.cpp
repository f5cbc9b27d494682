#include "core/energy/stable_arruda_boyce.h"

#include "core/energy/tet_evaluate.h"

namespace selvage
{

SELVAGE_INSTANTIATE_SOLID(StableArrudaBoyce)

} // namespace selvage
