#include "core/energy/arap_membrane.h"

#include "core/energy/membrane_evaluate.h"

namespace selvage
{

SELVAGE_INSTANTIATE_MEMBRANE(ArapMembrane)

} // namespace selvage
