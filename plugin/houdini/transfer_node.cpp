#include "plugin/houdini/geometry_input.h"
#include "plugin/houdini/helper_nodes.h"
#include "plugin/houdini/surface_binding.h"

#include <GA/GA_Handle.h>
#include <GU/GU_Detail.h>

namespace selvage::houdini
{

const HelperInfo TransferWork::info = {
    "selvage_transfer",
    "Selvage Transfer",
    R"({
    name parameters
    parm { name "radius" label "Search Radius" type float default { "0.1" } range { 0! 1 }
           help "[m] Render points farther than this from the simulated mesh stay where they are, with a warning." }
})",
    3,
    3,
    {"Render mesh, undeformed", "Simulated mesh, undeformed", "Simulated mesh", nullptr},
    "Carries the motion of a simulated mesh over to a denser one; seams and thickness are kept."};

void TransferWork::work(fpreal time)
{
    const auto rest = convert_input(*inputGeo(1), nullptr, "Input 2").geometry;
    const auto moved = convert_input(*inputGeo(2), nullptr, "Input 3").geometry;
    const auto render = convert_input(*gdp, nullptr, "Input 1").geometry;
    const SurfaceBinding binding(*rest, render->positions(), number("radius", time));
    if (const std::string lost = binding.unbound_message(); !lost.empty())
        addWarning(SOP_MESSAGE, lost.c_str());
    const VecX x = binding.positions(*moved, render->positions());
    const GA_RWHandleV3D P(gdp->getP());
    for (GA_Index i = 0; i < gdp->getNumPoints(); ++i)
        P.set(gdp->pointOffset(i), UT_Vector3D(x[3 * i], x[3 * i + 1], x[3 * i + 2]));
    P.bumpDataId();
}

} // namespace selvage::houdini
