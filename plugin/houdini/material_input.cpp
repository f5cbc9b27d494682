#include "plugin/houdini/material_input.h"

#include "core/base/error.h"

#include <GA/GA_Handle.h>

#include <fmt/format.h>

namespace selvage::houdini
{

std::string uniform_material(const GU_Detail& gdp, Primitives which, const std::string& who)
{
    const GA_ROHandleS material(&gdp, GA_ATTRIB_PRIMITIVE, "sv_material");
    if (material.isInvalid()) return "";
    GA_Index first = -1;
    for (GA_Index i = 0; i < gdp.getNumPrimitives(); ++i) {
        const GA_Offset offset = gdp.primitiveOffset(i);
        const bool curve =
            gdp.getPrimitiveTypeId(offset) == GA_PRIMPOLY && !gdp.getPrimitiveClosedFlag(offset);
        if (which != Primitives::all && curve != (which == Primitives::curves)) continue;
        if (first < 0) first = i;
        const UT_StringHolder one = material.get(gdp.primitiveOffset(first)),
                              other = material.get(offset);
        if (one != other)
            throw InputError(fmt::format(
                "{}: primitive {} is of material '{}' and primitive {} of '{}'. A Selvage Solver "
                "simulates one material: give each its own solver.",
                who, i, compat::text_of(other), first, compat::text_of(one)));
    }
    return first < 0 ? "" : compat::text_of(material.get(gdp.primitiveOffset(first)));
}

} // namespace selvage::houdini
