#include "core/energy/stable_neo_hookean.h"

#include "core/energy/tet_evaluate.h"

namespace selvage
{

SELVAGE_INSTANTIATE_SOLID(StableNeoHookean)

StableNeoHookean::Moduli stable_neo_hookean_moduli(double young, double poisson)
{
    const Lame k = lame(young, poisson);
    return {k.lambda + k.mu, k.mu};
}

} // namespace selvage
