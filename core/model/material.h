#pragma once

#include "core/base/types.h"

#include <string>
#include <string_view>
#include <vector>

namespace selvage
{

/// How a cloth resists stretch and shear; the laws' headers are in core/energy.
enum class MembraneModel {
    stvk,          ///< orthotropic St. Venant–Kirchhoff: all moduli, Poisson's ratio
    neo_hookean,   ///< isotropic, mean of warp and weft; never collapses
    baraff_witkin, ///< threads and the angle between them; no lateral contraction
    arap,          ///< isotropic, mean of warp and weft; no lateral contraction
    spline,        ///< measured curves, straight lines where there is none
};

/// How a cloth resists bending.
enum class BendingModel {
    hinge, ///< tangents of angles between neighbours; no Poisson ratio, cheap: cloth
    shape, ///< second fundamental form per triangle, with a Poisson ratio: plates, stiff shells
    hinge_angle, ///< hinges with the angle itself: linear up to a closed fold
};

/// A woven or knitted sheet, leather, vinyl. Everything is thickness-integrated and per SI unit, so
/// that the look does not depend on resolution, substeps or iteration counts.
struct ClothMaterial {
    double density = 0.15;     ///< [kg/m²]
    double thickness = 0.0005; ///< [m]
    double young_warp = 260;   ///< [N/m] Young's modulus × thickness along the warp
    double young_weft = 260;   ///< [N/m] across it
    double shear = 105;        ///< [N/m] engineering shear modulus × thickness
    double poisson = 0.24;     ///< weft contraction per unit of warp stretch
    double stretch_limit = 0;  ///< largest stretch − 1 in any direction, never exceeded; 0: none
    double stretch_limit_warp = 0; ///< the same along the warp alone; compression likewise
    double stretch_limit_weft = 0;
    double stretch_limit_shear = 0; ///< largest sine of the shear angle, never exceeded; 0: none
    double bend_warp = 2e-6;        ///< [N·m] flexural rigidity D when bent along the warp
    double bend_weft = 2e-6;        ///< [N·m]
    double bend_poisson = 0;        ///< Poisson ratio of bending; BendingModel::shape only
    double bend_young =
        0; ///< [Pa] gives D by the thickness, in place of the two above; 0: does not
    MembraneModel membrane_model = MembraneModel::stvk;
    std::vector<Vec2> warp_curve, weft_curve; ///< (strain, force per width [N/m]) of a pull test
    std::vector<Vec2> shear_curve;            ///< (sine of the shear angle, force per width [N/m])
    BendingModel bending_model = BendingModel::hinge;
    double yield_angle = 0.3; ///< [rad] bending beyond the rest angle that leaves no crease
    double yield_rate = 0;    ///< [1/s] how fast more than that becomes permanent; 0: never
    /// Damping ratios ζ (1: critical) of a motion at damping_frequency, whatever moves so; slower
    /// motion is damped less, faster motion more, in proportion.
    double stretch_damping = 0.15;
    double shear_damping = 0.15;
    double bend_damping = 0.15;
    double damping_frequency = 10; ///< [Hz]
    double mass_damping = 0.0;     ///< [1/s] Rayleigh α: drag of the resting frame on all motion
    double drag_normal = 1.2;      ///< drag coefficient for air hitting the face
    double drag_tangent = 0.02;    ///< for air sliding along it
    double lift = 0.0;             ///< lift coefficient beyond that of the two drags
    double friction = 0.3;         ///< Coulomb coefficient at rest
    double dynamic_friction = -1;  ///< while sliding; negative: the same
};

/// A figure of a material, by the name that shots and point attributes have for it.
template <class Material> struct Figure {
    const char* name;
    double Material::*value;
    bool positive = false; ///< zero is not allowed
    double high = infinity;
    const char* also = ""; ///< attribute that multiplies it along with others
};
using MaterialValue = Figure<ClothMaterial>;

/// All figures of a cloth's material.
const std::vector<MaterialValue>& material_values();

/// A named material with the origin of its figures.
struct MaterialPreset {
    std::string name;
    std::string label;
    ClothMaterial material;
    std::string source; ///< citation, or "tuned"
};

const std::vector<MaterialPreset>& cloth_presets();

/// Throws InputError naming the nearest preset.
const MaterialPreset& cloth_preset(std::string_view name);

} // namespace selvage
