#include "core/energy/stable_fung.h"

#include "core/energy/tet_evaluate.h"

namespace selvage
{

SELVAGE_INSTANTIATE_SOLID(StableFung)

} // namespace selvage
