#include "core/model/material.h"

#include "core/base/error.h"
#include "core/base/nearest_name.h"

#include <cmath>

namespace selvage
{
namespace
{

struct Figures {
    const char *name, *label;
    double density, thickness, young_warp, young_weft, shear, poisson, bend_warp, bend_weft,
        friction;
    const char *weight_source, *stretch_source, *bend_source;
};

// Penava et al., "Determination of the elastic constants of plain woven fabrics by a tensile test
// in various directions", Fibres & Textiles in Eastern Europe 22 (2014): moduli at high loads along
// warp, weft and bias. Garments load fabrics far less, where they are softer: a tenth. Shear from
// the bias modulus E45: 1/G = 4/E45 − 1/E_warp − 1/E_weft + 2ν/E_warp.
constexpr const char* penava = "Penava et al. 2014";
constexpr const char* penava_tenth =
    "warp and weft a tenth of Penava et al. 2014 (tuned), shear and Poisson ratio theirs";
// Clyde et al., "Modeling and data-driven parameter estimation for woven fabrics", SCA 2017, as
// tabulated with Codim-IPC [Li et al. 2021]: initial tensor (a11, a12, a22, G) with lateral
// contraction condensed, Y = (a − a12²/a') × thickness; G halved, theirs being twice the
// engineering modulus.
constexpr const char* clyde = "Clyde et al. 2017";
constexpr const char* clyde_moduli = "Clyde et al. 2017; Poisson ratio tuned";
constexpr const char* tuned = "tuned";
constexpr const char* drape = "tuned to the drape coefficient";
constexpr const char* plate = "E h³/12(1−ν²) of these tuned figures";

// clang-format off
constexpr Figures figures[] = {
    //                                     kg/m²   m          N/m    N/m   N/m  -      N·m      N·m      -
    {"cotton",       "Cotton shirting",    0.1503, 0.000318,  1035,   396,  67, 0.243, 1.3e-5,  1.1e-5,  0.4,
     penava, penava_tenth, "tuned to the drape coefficient 68.4 % of Gan 1991"},
    {"polyester",    "Polyester",          0.1646, 0.000252,   130,   294,  30, 0.381, 8.0e-6,  7.0e-6,  0.35,
     penava, penava_tenth, tuned},
    {"wool",         "Wool suiting",       0.2348, 0.000568,  1240,   463,  24, 0.277, 1.4e-5,  1.2e-5,  0.45,
     penava, penava_tenth, drape},
    {"stretch_wool", "Wool with elastane", 0.1782, 0.000328,    82,   279, 6.3, 0.071, 8.0e-6,  7.0e-6,  0.45,
     penava, "Penava et al. 2014", tuned},
    {"silk",         "Silk",               0.083,  0.00018,    755,   327,  51, 0.25,  1.2e-6,  1.0e-6,  0.25,
     clyde, clyde_moduli, drape},
    {"denim",        "Denim, 12 oz",       0.400,  0.00066,   3152,  1673, 808, 0.25,  6.6e-5,  5.2e-5,  0.5,
     clyde, clyde_moduli, drape},
    {"canvas",       "Canvas",             0.294,  0.00053,   9785,  2651, 532, 0.2,   9.0e-5,  8.0e-5,  0.5,
     clyde, clyde_moduli, tuned},
    {"coating",      "Wool coating",       0.4806, 0.00128,   2175,  2107, 237, 0.3,   4.0e-5,  3.5e-5,  0.5,
     clyde, clyde_moduli, tuned},
    {"linen",        "Linen",              0.185,  0.0004,     900,   800, 180, 0.22,  2.0e-5,  1.8e-5,  0.4,
     tuned, tuned, tuned},
    {"velvet",       "Velvet",             0.300,  0.0012,     450,   350,  90, 0.25,  1.3e-5,  1.1e-5,  0.6,
     tuned, tuned, tuned},
    {"jersey",       "Cotton jersey",      0.160,  0.0006,      80,    50,  30, 0.35,  1.5e-6,  1.2e-6,  0.45,
     tuned, tuned, tuned},
    {"flag",         "Flag nylon",         0.065,  0.0001,     900,   900, 120, 0.2,   7.0e-7,  7.0e-7,  0.25,
     tuned, tuned, drape},
    {"felt",         "Felt",               0.350,  0.002,      800,   800, 320, 0.25,  1.2e-4,  1.2e-4,  0.6,
     tuned, tuned, tuned},
    {"leather",      "Garment leather",    0.600,  0.0008,    3000,  3000, 1150, 0.3,  3.5e-5,  3.5e-5,  0.5,
     "thickness: Memon et al. 2021; density tuned", tuned, "tuned to the drape coefficients of Memon et al. 2021"},
    {"vinyl",        "Vinyl sheet",        0.620,  0.0005,    5000,  5000, 1800, 0.4,  1.24e-4, 1.24e-4, 0.6,
     "tuned: plasticised PVC, 0.5 mm", "tuned: E about 10 MPa", plate},
    {"rubber",       "Latex sheet",        0.470,  0.0005,     500,   500, 168, 0.49,  1.4e-5,  1.4e-5,  0.8,
     "tuned: natural rubber, 0.5 mm", "tuned: E about 1 MPa", plate},
    {"paper",        "Card paper",         0.240,  0.0003,   20000, 20000, 7700, 0.3,  7.4e-3,  7.4e-3,  0.4,
     "Li et al. 2021", "tuned: 2 % of E = 3 GPa of Li et al. 2021", "E h³/12(1−ν²), E = 3 GPa of Li et al. 2021"},
};
// clang-format on

/// A fabric as measured, with its limits of strain.
struct Measured {
    const char *name, *label;
    double density, thickness;
    double a11, a12, a22, G; ///< [MPa]; 1: weft, 2: warp
    double limit_1, limit_2, limit_12;
    double bend; ///< [MPa]
};

// Clyde et al. 2017 as above, whole: areal densities (tabulated as kg/m³, but the g/m² of the
// fabrics), limits as Green strains, the modulus of bending. The stiffer thread is the warp.
// clang-format off
constexpr Measured measured[] = {
    {"measured_cotton", "Cotton, measured, with limits", 0.1036, 0.00018, 15.557, 7.779, 25.004, 1.076, 0.14, 0.14,  0.063, 1.076},
    {"measured_wool",   "Wool, measured, with limits",   0.4806, 0.00128, 2.219,  1.145, 2.29,   0.371, 0.62, 0.5,   0.12,  0.371},
    {"measured_canvas", "Canvas, measured, with limits", 0.294,  0.00053, 5.366,  2.683, 19.804, 2.009, 0.11, 0.067, 0.059, 2.009},
    {"measured_silk",   "Silk, measured, with limits",   0.083,  0.00018, 4.3,    4.971, 9.942,  0.57,  0.41, 0.34,  0.11,  0.57},
    {"measured_denim",  "Denim, measured, with limits",  0.400,  0.00066, 4.793,  4.515, 9.029,  2.448, 0.28, 0.28,  0.05,  2.448},
};
// clang-format on

ClothMaterial material_of(const Measured& f)
{
    const double N_per_m = 1e6 * f.thickness;
    const auto stretch = [](double green) { return std::sqrt(1 + 2 * green) - 1; };
    ClothMaterial m;
    m.density = f.density;
    m.thickness = f.thickness;
    m.young_warp = (f.a22 - f.a12 * f.a12 / f.a11) * N_per_m;
    m.young_weft = (f.a11 - f.a12 * f.a12 / f.a22) * N_per_m;
    m.poisson = f.a12 / f.a11;
    m.shear = 0.5 * f.G * N_per_m;
    m.stretch_limit_warp = stretch(f.limit_2);
    m.stretch_limit_weft = stretch(f.limit_1);
    m.stretch_limit_shear = 2 * f.limit_12;
    m.bend_warp = m.bend_weft = f.bend * 1e6 * std::pow(f.thickness, 3) / 12;
    m.friction = 0.4;
    return m;
}

std::string source_of(const Figures& f)
{
    return std::string("density, thickness: ") + f.weight_source +
           "; stretch, shear: " + f.stretch_source + "; bending: " + f.bend_source +
           "; friction, damping, air drag: tuned";
}

std::vector<MaterialPreset> make_presets()
{
    std::vector<MaterialPreset> presets;
    for (const Figures& f : figures) {
        ClothMaterial m;
        m.density = f.density;
        m.thickness = f.thickness;
        m.young_warp = f.young_warp;
        m.young_weft = f.young_weft;
        m.shear = f.shear;
        m.poisson = f.poisson;
        m.bend_warp = f.bend_warp;
        m.bend_weft = f.bend_weft;
        m.friction = f.friction;
        presets.push_back({f.name, f.label, m, source_of(f)});
    }
    for (const Measured& f : measured)
        presets.push_back(
            {f.name, f.label, material_of(f),
             "density, thickness, stretch, shear, limits, bending: Clyde et al. 2017; "
             "friction, damping, air drag: tuned"});
    return presets;
}

} // namespace

const std::vector<MaterialValue>& material_values()
{
    using M = ClothMaterial;
    static const std::vector<MaterialValue> values = {
        {"density", &M::density, true},
        {"thickness", &M::thickness},
        {"young_warp", &M::young_warp, true, infinity, "stretch_scale"},
        {"young_weft", &M::young_weft, true, infinity, "stretch_scale"},
        {"shear", &M::shear, true, infinity, "stretch_scale"},
        {"poisson", &M::poisson, false, 2},
        {"stretch_limit", &M::stretch_limit, false, 10},
        {"stretch_limit_warp", &M::stretch_limit_warp, false, 10},
        {"stretch_limit_weft", &M::stretch_limit_weft, false, 10},
        {"stretch_limit_shear", &M::stretch_limit_shear, false, 10},
        {"bend_warp", &M::bend_warp, false, infinity, "bend_scale"},
        {"bend_weft", &M::bend_weft, false, infinity, "bend_scale"},
        {"bend_poisson", &M::bend_poisson, false, 0.99},
        {"bend_young", &M::bend_young, false, infinity, "bend_scale"},
        {"yield_angle", &M::yield_angle, false, 3.2},
        {"yield_rate", &M::yield_rate},
        {"stretch_damping", &M::stretch_damping},
        {"shear_damping", &M::shear_damping},
        {"bend_damping", &M::bend_damping},
        {"damping_frequency", &M::damping_frequency, true},
        {"mass_damping", &M::mass_damping},
        {"drag_normal", &M::drag_normal},
        {"drag_tangent", &M::drag_tangent},
        {"lift", &M::lift},
        {"friction", &M::friction},
        {"dynamic_friction", &M::dynamic_friction},
    };
    return values;
}

const std::vector<MaterialPreset>& cloth_presets()
{
    static const std::vector<MaterialPreset> presets = make_presets();
    return presets;
}

const MaterialPreset& cloth_preset(std::string_view name)
{
    std::vector<std::string> names;
    for (const MaterialPreset& p : cloth_presets()) {
        if (p.name == name) return p;
        names.push_back(p.name);
    }
    const std::string nearest = nearest_name(name, names);
    throw InputError("Unknown material '" + std::string(name) + "'." +
                     (nearest.empty() ? "" : " Did you mean '" + nearest + "'?") +
                     " 'selvage materials' lists all.");
}

} // namespace selvage
