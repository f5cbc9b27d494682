#pragma once

#include "core/model/material.h"

namespace selvage
{

/// The law of a solid; their headers are in core/energy.
enum class SolidModel {
    stable_neo_hookean,
    neo_hookean, ///< never inverts: steps stop before
    fixed_corotational,
    arap, ///< no volume term: Poisson's ratio 0
    stvk,
    mooney_rivlin,
    arruda_boyce,
    fung,
};

/// Rubber, foam, flesh. The moduli are those of small strain, whatever the law.
struct SolidMaterial {
    SolidModel model = SolidModel::stable_neo_hookean;
    double density = 1000;      ///< [kg/m³]
    double young = 5e4;         ///< [Pa]
    double poisson = 0.45;      ///< −1 … 0.4999; arap has 0
    double hardening = 0.5;     ///< fung: μ1; arruda_boyce: 1/links; mooney_rivlin: share of μ1
    double fiber_stiffness = 0; ///< [Pa] along `fiber`, on top
    double damping = 0.1;       ///< ratio at damping_frequency, as for cloth
    double damping_frequency = 10; ///< [Hz]
    double mass_damping = 0;       ///< [1/s]
    double thickness = 0;          ///< [m] half of it is kept around the surface
    double friction = 0.4;         ///< Coulomb coefficient at rest
    double dynamic_friction = -1;  ///< while sliding; negative: the same
};

/// All figures of a solid's material.
const std::vector<Figure<SolidMaterial>>& solid_values();

} // namespace selvage
