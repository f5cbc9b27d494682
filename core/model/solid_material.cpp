#include "core/model/solid_material.h"

namespace selvage
{

const std::vector<Figure<SolidMaterial>>& solid_values()
{
    using M = SolidMaterial;
    static const std::vector<Figure<SolidMaterial>> values = {
        {"density", &M::density, true},
        {"young", &M::young, true},
        {"poisson", &M::poisson, false, 0.4999},
        {"hardening", &M::hardening, true, 100},
        {"fiber_stiffness", &M::fiber_stiffness},
        {"damping", &M::damping},
        {"damping_frequency", &M::damping_frequency, true},
        {"mass_damping", &M::mass_damping},
        {"thickness", &M::thickness, false, 1},
        {"friction", &M::friction},
        {"dynamic_friction", &M::dynamic_friction},
    };
    return values;
}

} // namespace selvage
