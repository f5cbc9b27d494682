#include "core/check/report.h"
#include "plugin/houdini/geometry_input.h"
#include "plugin/houdini/helper_nodes.h"

#include <GA/GA_ElementGroup.h>
#include <GA/GA_Handle.h>
#include <GU/GU_Detail.h>

namespace selvage::houdini
{

const HelperInfo CheckWork::info = {
    "selvage_check",
    "Selvage Check",
    R"({
    name parameters
    parm { name "thickness" label "Thickness" type float default { "0" } range { 0! 0.1 }
           help "[m] Parts that are nearer than this fail the check; 0: only crossing ones do." }
    parm { name "strain_limit" label "Strain Limit" type float default { "0" } range { 0! 1 }
           help "Largest stretch against the second input that passes (0.1 is 10 %); 0: no limit." }
    parm { name "fail" label "Fail on Findings" type toggle default { "0" }
           help "An error instead of a warning, so that a farm job stops." }
})",
    1,
    2,
    {"Geometry", "Rest shape (optional)", nullptr, nullptr},
    "Looks for intersections, broken numbers and stretch, and marks what it finds."};

void CheckWork::work(fpreal time)
{
    std::vector<NamedGeometry> objects(1);
    objects[0].name = "input 1";
    objects[0].geometry = *convert_input(*gdp, nullptr, "Input 1").geometry;
    if (const GU_Detail* rest = inputGeo(1))
        objects[0].rest = *convert_input(*rest, nullptr, "Input 2").geometry;
    CheckOptions options;
    options.thickness = number("thickness", time);
    if (number("strain_limit", time) > 0) options.strain_limit = number("strain_limit", time);
    const CheckReport report = check_geometry(objects, options);

    GA_PointGroup* marked = gdp->findPointGroup("sv_intersecting");
    if (!marked) marked = gdp->newPointGroup("sv_intersecting");
    marked->clear();
    const auto mark = [&](const ElementId& e) {
        for (const std::int32_t p : e.points)
            if (p >= 0) marked->addOffset(gdp->pointOffset(p));
    };
    for (const IntersectionPair& pair : report.intersections.crossing) {
        mark(pair.edge);
        mark(pair.triangle);
    }
    for (const ElementId& e : report.non_finite.list) mark(e);
    marked->bumpDataId();
    const GA_RWHandleI count(gdp->addIntTuple(GA_ATTRIB_GLOBAL, "sv_crossing", 1));
    count.set(0, int(report.intersections.crossing_count));
    count.bumpDataId();
    if (report.ok) return;
    const std::string text = report_text(report);
    if (number("fail", time) != 0)
        addError(SOP_MESSAGE, text.c_str());
    else
        addWarning(SOP_MESSAGE, text.c_str());
}

} // namespace selvage::houdini
