// Nodes that mark geometry for the solver: Material, Pin, Rest Blend.
#include "core/base/error.h"
#include "core/model/hair_material.h"
#include "core/model/material.h"
#include "plugin/houdini/geometry_input.h"
#include "plugin/houdini/helper_nodes.h"

#include <GA/GA_Handle.h>
#include <GA/GA_Iterator.h>
#include <GU/GU_Detail.h>
#include <SYS/SYS_Math.h>

#include <fmt/format.h>

namespace selvage::houdini
{

const HelperInfo MaterialWork::info = {
    "selvage_material",
    "Selvage Material",
    R"({
    name parameters
    parm { name "material" label "Material" type string default { "cotton" }
           help "Preset: cotton silk wool denim linen velvet jersey flag canvas felt leather vinyl; of curves hair_straight hair_wavy hair_curly hair_coily fur rope yarn" }
    parm { name "group" label "Points" type string default { "" }
           help "Points that the numbers and maps below are for: a group, numbers or a pattern; empty: all." }
    parm { name "stretch" label "Stretch" type float default { "1" } range { 0! 10 }
           help "Multiplies the fabric's stiffness against stretch and shear." }
    parm { name "stretchmap" label "Stretch Map" type string default { "" }
           help "Point attribute that multiplies it point by point." }
    parm { name "bend" label "Bend" type float default { "1" } range { 0! 10 }
           help "Multiplies the stiffness against bending; of hair, bending and twist." }
    parm { name "bendmap" label "Bend Map" type string default { "" }
           help "Point attribute that multiplies it point by point." }
    parm { name "density" label "Density" type float default { "1" } range { 0! 10 }
           help "Multiplies the fabric's weight. Has no effect on hair." }
    parm { name "densitymap" label "Density Map" type string default { "" }
           help "Point attribute that multiplies it point by point." }
    parm { name "friction" label "Friction" type float default { "1" } range { 0! 10 }
           help "Multiplies the fabric's friction. Has no effect on hair." }
    parm { name "frictionmap" label "Friction Map" type string default { "" }
           help "Point attribute that multiplies it point by point." }
})",
    1,
    1,
    {"Geometry", nullptr, nullptr, nullptr},
    "Names the fabric or hair that a Selvage Solver below takes, and paints where it is stiffer, "
    "heavier or rougher."};

void MaterialWork::work(fpreal time)
{
    const std::string wanted = text("material", time); // what is unknown throws
    const std::string material =
        kind_of(*gdp) == ObjectKind::hair ? hair_preset(wanted).name : cloth_preset(wanted).name;
    const GA_RWHandleS handle(gdp->addStringTuple(GA_ATTRIB_PRIMITIVE, "sv_material", 1));
    for (GA_Iterator it(gdp->getPrimitiveRange()); !it.atEnd(); ++it) handle.set(*it, material);
    handle.bumpDataId();

    const bool hair = kind_of(*gdp) == ObjectKind::hair;
    paint("stretch", hair ? "" : "stretch_scale", time);
    paint("bend", hair ? "stiffness_scale" : "bend_scale", time);
    paint("density", hair ? "" : "density_scale", time);
    paint("friction", hair ? "" : "friction", time);
}

/// Multiplies a factor that the solver reads; nodes above may have painted it, too.
void MaterialWork::paint(const std::string& parm, const std::string& attribute, fpreal time)
{
    const double factor = number(parm.c_str(), time);
    const std::string map_name = text((parm + "map").c_str(), time);
    if (attribute.empty() || (factor == 1 && map_name.empty())) return;
    const GA_ROHandleF map(gdp, GA_ATTRIB_POINT, map_name.c_str());
    if (!map_name.empty() && map.isInvalid())
        throw InputError("Input 1 has no point attribute '" + map_name +
                         "' of numbers. Paint it with an Attribute Paint node, or leave the field "
                         "empty.");
    const GA_RWHandleF to(
        gdp->addFloatTuple(GA_ATTRIB_POINT, attribute.c_str(), 1, GA_Defaults(1.0)));
    for (GA_Iterator it(points_of("group", time)); !it.atEnd(); ++it) {
        const double value = factor * (map.isValid() ? double(map.get(*it)) : 1);
        if (!(value >= 0 && value < infinity))
            throw InputError(fmt::format("Point {} has {} {}; it must not be negative.",
                                         gdp->pointIndex(*it), map_name, value));
        to.set(*it, float(to.get(*it) * value));
    }
    to.bumpDataId();
}

const HelperInfo PinWork::info = {
    "selvage_pin",
    "Selvage Pin",
    R"({
    name parameters
    parm { name "group" label "Points" type string default { "" }
           help "Point group to pin; empty pins all points." }
    parm { name "type" label "Pin Type" type ordinal default { "stopped" }
           menu { "stopped" "Stopped" "permanent" "Permanent" "group" "Soft" }
           help "Stopped follows the animation of the input. Which points are pinned is read at the start frame, and stays: to let go over the shot, choose Soft and animate the solver's Pin Strength. Permanent sets mass to 0 where the geometry has masses, else it is as Stopped; Soft makes the point group pins, held with the solver's pin stiffness." }
})",
    1,
    1,
    {"Geometry", nullptr, nullptr, nullptr},
    "Marks points that follow the animation of the solver's first input."};

void PinWork::work(fpreal time)
{
    const GA_Range points = points_of("group", time);
    const int type = int(number("type", time));
    if (type == 2) {
        GA_PointGroup* pins = gdp->findPointGroup("pins");
        if (!pins) pins = gdp->newPointGroup("pins");
        pins->addRange(points);
        pins->bumpDataId();
        return;
    }
    // A new mass attribute would replace the density of all other points as well.
    GA_Attribute* mass = type == 1 ? gdp->findFloatTuple(GA_ATTRIB_POINT, "mass", 1) : nullptr;
    GA_Attribute* a = mass ? mass : gdp->addIntTuple(GA_ATTRIB_POINT, "stopped", 1);
    for (GA_Iterator it(points); !it.atEnd(); ++it) {
        if (mass)
            GA_RWHandleF(a).set(*it, 0.0f);
        else
            GA_RWHandleI(a).set(*it, GA_ROHandleI(a).get(*it) | 1);
    }
    a->bumpDataId();
}

const HelperInfo RestBlendWork::info = {
    "selvage_restblend",
    "Selvage Rest Blend",
    R"({
    name parameters
    parm { name "blend" label "Blend" type float default { "1" } range { 0! 1! }
           help "0 keeps the rest shape of the first input, 1 takes the second's." }
    parm { name "weight" label "Weight Attribute" type string default { "" }
           help "Point attribute of the first input, 0 to 1, that multiplies the blend." }
})",
    2,
    2,
    {"Geometry", "Other rest shape", nullptr, nullptr},
    "Blends the rest positions of two shapes into the point attribute rest, also over the shot. "
    "Wire it "
    "into the solver's fourth input, or in front of its first."};

void RestBlendWork::work(fpreal time)
{
    const GU_Detail* other = inputGeo(1);
    if (!other || other->getNumPoints() != gdp->getNumPoints())
        throw InputError(fmt::format("Input 2 has {} points, input 1 has {}. Both must have the "
                                     "same points.",
                                     other ? other->getNumPoints() : 0, gdp->getNumPoints()));
    const std::string weight_name = text("weight", time);
    const GA_ROHandleF weight(gdp, GA_ATTRIB_POINT, weight_name.c_str());
    if (!weight_name.empty() && weight.isInvalid())
        throw InputError("Input 1 has no point attribute '" + weight_name + "' of numbers.");
    const auto rest_of = [](const GU_Detail& d) {
        const GA_Attribute* rest = d.findFloatTuple(GA_ATTRIB_POINT, "rest", 3);
        return GA_ROHandleV3(rest ? rest : d.getP());
    };
    const GA_ROHandleV3 b = rest_of(*other);
    std::vector<UT_Vector3> a(std::size_t(gdp->getNumPoints()));
    rest_of(*gdp).getBlockFromIndices(0, gdp->getNumPoints(), a.data());
    const GA_RWHandleV3 rest(gdp->addRestAttribute(GA_ATTRIB_POINT));
    const float blend = float(number("blend", time));
    for (GA_Index i = 0; i < gdp->getNumPoints(); ++i) {
        const GA_Offset p = gdp->pointOffset(i);
        const float w = blend * (weight.isValid() ? SYSclamp(weight.get(p), 0.0f, 1.0f) : 1.0f);
        const UT_Vector3& from = a[std::size_t(i)];
        rest.set(p, from + (b.get(other->pointOffset(i)) - from) * w);
    }
    rest.bumpDataId();
}

} // namespace selvage::houdini
