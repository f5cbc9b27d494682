#include "core/energy/baraff_witkin_membrane.h"

#include "core/energy/membrane_evaluate.h"

namespace selvage
{

SELVAGE_INSTANTIATE_MEMBRANE(BaraffWitkinMembrane)
SELVAGE_INSTANTIATE_MEMBRANE(BaraffWitkin1998Membrane)

} // namespace selvage
