#include "core/base/error.h"
#include "plugin/houdini/helper_nodes.h"
#include "plugin/houdini/point_grid.h"

#include <GA/GA_Handle.h>
#include <GA/GA_Iterator.h>
#include <GEO/GEO_PrimPoly.h>
#include <GU/GU_Detail.h>

#include <fmt/format.h>

namespace selvage::houdini
{

const HelperInfo AttachWork::info = {
    "selvage_attach",
    "Selvage Attach/Sew",
    R"({
    name parameters
    parm { name "group" label "Points" type string default { "" }
           help "Point group to be joined; empty: all points." }
    parm { name "target" label "To Points" type string default { "" }
           help "Point group that they are joined to; empty: the same points, each to its nearest partner across the seam." }
    parm { name "type" label "Type" type ordinal default { "stitch" }
           menu { "stitch" "Sew" "attach" "Attach" }
           help "Sew pulls pairs together until they touch; Attach keeps the distance they have now." }
    parm { name "radius" label "Search Radius" type float default { "0.02" } range { 0! 1 }
           help "[m] Points farther apart than this are not joined." }
    parm { name "stiffness" label "Stiffness" type float default { "1000" } range { 0! 10000 }
           help "[N/m] of each thread." }
})",
    1,
    1,
    {"Geometry", nullptr, nullptr, nullptr},
    "Makes constraint geometry (lines between points) for the solver's second input."};

void AttachWork::work(fpreal time)
{
    const std::string target_name = text("target", time);
    std::vector<GA_Offset> from, to;
    for (GA_Iterator it(points_of("group", time)); !it.atEnd(); ++it) from.push_back(*it);
    for (GA_Iterator it(target_name.empty() ? points_of("group", time) : points_of("target", time));
         !it.atEnd(); ++it)
        to.push_back(*it);
    const float radius = float(number("radius", time));
    if (!(radius > 0)) throw InputError("Search Radius must be above 0.");
    const bool sew = int(number("type", time)) == 0;

    std::vector<UT_Vector3> targets;
    for (const GA_Offset p : to) targets.push_back(gdp->getPos3(p));
    const PointGrid grid(targets, radius);
    struct Thread {
        GA_Offset a, b;
        float length;
    };
    std::vector<Thread> threads;
    for (const GA_Offset p : from) {
        const UT_Vector3 x = gdp->getPos3(p);
        const int nearest = grid.nearest(x, radius, [&](int i) { return to[std::size_t(i)] != p; });
        if (nearest < 0) continue;
        const GA_Offset q = to[std::size_t(nearest)];
        if (target_name.empty() && q < p) continue; // a pair once
        threads.push_back({p, q, (gdp->getPos3(q) - x).length()});
    }
    if (threads.empty())
        addWarning(SOP_MESSAGE,
                   fmt::format("No points within {:g} m of each other. Enlarge Search Radius, or "
                               "check the groups.",
                               radius)
                       .c_str());

    // Constraint geometry has the same points, and lines instead of polygons.
    std::vector<GA_Offset> old;
    for (GA_Iterator it(gdp->getPrimitiveRange()); !it.atEnd(); ++it) old.push_back(*it);
    for (const GA_Offset p : old) gdp->destroyPrimitiveOffset(p, /*and_points*/ false);
    const GA_RWHandleS type(gdp->addStringTuple(GA_ATTRIB_PRIMITIVE, "type", 1));
    const GA_RWHandleF stiffness(gdp->addFloatTuple(GA_ATTRIB_PRIMITIVE, "stiffness", 1));
    const GA_RWHandleF restlength(gdp->addFloatTuple(GA_ATTRIB_PRIMITIVE, "restlength", 1));
    for (const Thread& t : threads) {
        GEO_PrimPoly* line = GEO_PrimPoly::build(gdp, 0, /*open*/ true, /*append_points*/ false);
        line->appendVertex(t.a);
        line->appendVertex(t.b);
        type.set(line->getMapOffset(), sew ? "stitch" : "attach");
        stiffness.set(line->getMapOffset(), float(number("stiffness", time)));
        restlength.set(line->getMapOffset(), sew ? 0.0f : t.length);
    }
    gdp->bumpDataIdsForAddOrRemove(false, true, true);
}

} // namespace selvage::houdini
