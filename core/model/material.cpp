#include "core/model/material.h"

#include "core/base/error.h"
#include "core/base/nearest_name.h"

namespace selvage
{
namespace
{

// Bending rigidities measured on the Kawabata system are published in gf·cm²/cm.
constexpr double gf_cm = 9.80665e-5; // [N·m]

struct Figures {
    const char *name, *label, *source;
    double density, thickness, young_warp, young_weft, shear, poisson, bend_warp, bend_weft,
        friction;
};

// clang-format off
constexpr Figures figures[] = {
    //                              kg/m²   m        N/m    N/m    N/m   -      N·m           N·m           -
    {"cotton",   "Cotton shirting", "Codim-IPC measured cotton: 472.6 kg/m³, 0.318 mm, 0.821 MPa, ν 0.243; isotropic; bending from E h³/12(1−ν²) raised to the shirting range of Kawabata tables",
                                    0.1503, 0.000318,  261,   261,  105,  0.243, 0.06 * gf_cm, 0.05 * gf_cm, 0.4},
    {"silk",     "Silk",            "tuned: areal density and Kawabata bending range of habotai silk",
                                    0.060,  0.00015,   400,   300,   60,  0.25,  0.012 * gf_cm, 0.010 * gf_cm, 0.25},
    {"wool",     "Wool suiting",    "tuned: areal density and Kawabata bending range of worsted suiting",
                                    0.215,  0.00055,   500,   350,  120,  0.25,  0.11 * gf_cm, 0.09 * gf_cm, 0.45},
    {"denim",    "Denim, 12 oz",    "tuned: 12 oz/yd² density; Kawabata bending range of denim",
                                    0.407,  0.0008,   2500,  1500,  500,  0.25,  0.85 * gf_cm, 0.55 * gf_cm, 0.5},
    {"linen",    "Linen",           "tuned",
                                    0.185,  0.0004,    900,   800,  180,  0.22,  0.13 * gf_cm, 0.11 * gf_cm, 0.4},
    {"velvet",   "Velvet",          "tuned",
                                    0.300,  0.0012,    450,   350,   90,  0.25,  0.12 * gf_cm, 0.10 * gf_cm, 0.6},
    {"jersey",   "Cotton jersey",   "tuned: knit, soft in both directions",
                                    0.160,  0.0006,     80,    50,   30,  0.35,  0.010 * gf_cm, 0.008 * gf_cm, 0.45},
    {"flag",     "Flag nylon",      "tuned: ripstop nylon weight",
                                    0.065,  0.0001,    900,   900,  120,  0.2,   0.020 * gf_cm, 0.020 * gf_cm, 0.25},
    {"canvas",   "Canvas",          "tuned",
                                    0.340,  0.0007,   4000,  3500,  700,  0.2,   1.2 * gf_cm, 1.0 * gf_cm, 0.5},
    {"felt",     "Felt",            "tuned",
                                    0.350,  0.002,     800,   800,  320,  0.25,  0.9 * gf_cm, 0.9 * gf_cm, 0.6},
    {"leather",  "Garment leather", "tuned: 0.9 mm sheep nappa weight",
                                    0.600,  0.0009,   3000,  3000, 1200,  0.3,   0.9 * gf_cm, 0.9 * gf_cm, 0.5},
    {"vinyl",    "Vinyl sheet",     "tuned: plasticised PVC, E about 10 MPa, bending from E h³/12(1−ν²)",
                                    0.620,  0.0005,   5000,  5000, 1800,  0.4,   1.24e-4, 1.24e-4, 0.6},
};
// clang-format on

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
        presets.push_back({f.name, f.label, m, f.source});
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
