#include "core/model/hair_material.h"

#include "core/base/error.h"
#include "core/base/nearest_name.h"

namespace selvage
{
namespace
{

struct Figures {
    const char *name, *label;
    double density, young, shear, radius, flatness, damping, friction;
    const char* source;
};

// Robbins, "Chemical and Physical Behavior of Human Hair", 5th ed. 2012: density 1.32 g/cm³,
// Young's modulus of dry hair about 3.9 GPa, torsional modulus about a third of it. Sections after
// Franbourg et al., "Current research on ethnic hair", J. Am. Acad. Dermatol. 48 (2003): the
// rounder the straighter. Curl itself is the shape of the curves, not a figure of the material.
constexpr const char* hair =
    "density, moduli: Robbins 2012; section: Franbourg et al. 2003; damping tuned";

// clang-format off
constexpr Figures figures[] = {
    //                                   kg/m³  Pa      Pa      m        b/a   ζ     μ
    {"hair_straight", "Straight hair",   1320,  3.9e9,  1.3e9,  42e-6,   0.85, 0.10, 0.2, hair},
    {"hair_wavy",     "Wavy hair",       1320,  3.9e9,  1.3e9,  36e-6,   0.75, 0.12, 0.2, hair},
    {"hair_curly",    "Curly hair",      1320,  3.7e9,  1.2e9,  34e-6,   0.65, 0.15, 0.2, hair},
    {"hair_coily",    "Coily hair",      1320,  3.3e9,  1.1e9,  33e-6,   0.55, 0.20, 0.2, hair},
    {"fur",           "Fur",             1320,  3.9e9,  1.3e9,  25e-6,   0.9,  0.25, 0.2,
     "density, moduli: Robbins 2012 (keratin); section, damping tuned"},
    {"rope",          "Rope, 8 mm",       900,  4.0e6,  1.5e6,  4e-3,    1,    0.30, 0.4,
     "tuned: fibres slide, so bulk moduli are far below those of a fibre"},
    {"yarn",          "Wool yarn, 2 mm",  450,  2.0e6,  7.0e5,  1e-3,    1,    0.30, 0.4,
     "tuned: fibres slide, so bulk moduli are far below those of a fibre"},
};
// clang-format on

} // namespace

RodSection rod_section(const HairMaterial& m, double radius)
{
    const double q = m.flatness, area = M_PI * radius * radius, fourth = area * radius * radius / 4;
    return {m.young * area,
            m.young * fourth * q,
            m.young * fourth / q,
            m.shear * 4 * fourth / (q + 1 / q),
            area,
            m.density * fourth * (q + 1 / q)};
}

const std::vector<HairPreset>& hair_presets()
{
    static const std::vector<HairPreset> presets = [] {
        std::vector<HairPreset> all;
        for (const Figures& f : figures) {
            HairMaterial m;
            m.density = f.density, m.young = f.young, m.shear = f.shear;
            m.radius = f.radius, m.flatness = f.flatness;
            m.stretch_damping = m.bend_damping = m.twist_damping = f.damping;
            m.friction = f.friction;
            all.push_back({f.name, f.label, m, f.source});
        }
        return all;
    }();
    return presets;
}

const HairPreset& hair_preset(std::string_view name)
{
    std::vector<std::string> known;
    for (const HairPreset& p : hair_presets()) {
        if (p.name == name) return p;
        known.push_back(p.name);
    }
    const std::string nearest = nearest_name(std::string(name), known);
    throw InputError(
        "Unknown hair material '" + std::string(name) + "'." +
        (nearest.empty() ? " 'selvage materials' lists all." : " Did you mean '" + nearest + "'?"));
}

} // namespace selvage
