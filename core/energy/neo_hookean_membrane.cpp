#include "core/energy/neo_hookean_membrane.h"

#include "core/base/error.h"
#include "core/energy/membrane_evaluate.h"

#include <fmt/format.h>

namespace selvage
{

SELVAGE_INSTANTIATE_MEMBRANE(NeoHookeanMembrane)

NeoHookeanMembrane::Moduli neo_hookean_membrane_moduli(double young, double poisson)
{
    if (!(young > 0) || !(std::abs(poisson) < 1))
        throw InputError(fmt::format("A membrane needs a positive Young's modulus (given: {} N/m) "
                                     "and a Poisson's ratio between -1 and 1 (given: {}).",
                                     young, poisson));
    return {young * poisson / (1 - poisson * poisson), young / (2 * (1 + poisson))};
}

} // namespace selvage
