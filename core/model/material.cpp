#include "core/model/material.h"

#include "core/base/error.h"
#include "core/base/nearest_name.h"

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
constexpr const char* plate = "E h³/12(1−ν²)";

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
    return presets;
}

} // namespace

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
