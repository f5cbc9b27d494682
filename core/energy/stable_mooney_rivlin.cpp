#include "core/energy/stable_mooney_rivlin.h"

#include "core/energy/tet_evaluate.h"

namespace selvage
{

SELVAGE_INSTANTIATE_SOLID(StableMooneyRivlin)

} // namespace selvage
