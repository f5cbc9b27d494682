#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace selvage
{

/// Fibres with an elliptical section, in SI units of the bulk, so that stiffness follows from the
/// thickness of a strand and the look does not depend on the number of points.
struct HairMaterial {
    double density = 1320; ///< [kg/m³]
    double young = 3.9e9;  ///< [Pa] Young's modulus
    double shear = 1.3e9;  ///< [Pa] shear modulus: twist
    double radius = 40e-6; ///< [m] where points have no pscale or width; √(a b) of an ellipse
    double flatness = 1;   ///< b/a: the half axis along m2 over that along m1; 1 is round
    /// Damping ratios ζ (1: critical) of a motion at damping_frequency, as of cloth.
    double stretch_damping = 0.1;
    double bend_damping = 0.1;
    double twist_damping = 0.1;
    double damping_frequency = 10; ///< [Hz]
    double mass_damping = 0;       ///< [1/s] drag of the resting frame on all motion
    double friction = 0.2;         ///< Coulomb coefficient
    double drag = 1;               ///< multiplies the drag of the air on a thin cylinder
    double cohesion = 0;           ///< [N/m] attraction per length of strands side by side
    double cohesion_range = 5e-4;  ///< [m] between their surfaces, where it ends

    /// Rayleigh's β [s]: viscosity = β × stiffness gives a mode of frequency f the ratio π f β.
    double rayleigh(double ratio) const { return ratio / (M_PI * damping_frequency); }
};

/// Stiffness of a section of half axes a = r/√q along m1 and b = r√q along m2, q the flatness.
struct RodSection {
    double axial;        ///< E π r² [N]
    double bend_about_1; ///< E π a b³/4 [N·m²]
    double bend_about_2; ///< E π a³ b/4 [N·m²]
    double twist;        ///< G π a³b³/(a² + b²) [N·m²]
    double area;         ///< [m²]
    double spin; ///< ρ π a b (a² + b²)/4 [kg·m]: moment of inertia about the axis per length
};
RodSection rod_section(const HairMaterial& material, double radius);

/// A named material with the origin of its figures.
struct HairPreset {
    std::string name;
    std::string label;
    HairMaterial material;
    std::string source;
};

const std::vector<HairPreset>& hair_presets();

/// Throws InputError naming the nearest preset.
const HairPreset& hair_preset(std::string_view name);

} // namespace selvage
