#include "plugin/houdini/guides.h"

#include "core/check/intersections.h"
#include "core/session/contact_view.h"

#include <GA/GA_Handle.h>
#include <GEO/GEO_PrimPoly.h>
#include <SYS/SYS_Math.h>

namespace selvage::houdini
{
namespace
{

UT_Vector3 position(const State& state, int vertex)
{
    const Vec3 x = state.x.segment<3>(3 * vertex);
    return UT_Vector3(float(x[0]), float(x[1]), float(x[2]));
}

GA_RWHandleV3 color_of(GU_Detail& guide)
{
    GA_Attribute* Cd = guide.addFloatTuple(GA_ATTRIB_POINT, "Cd", 3, GA_Defaults(1.0));
    Cd->setTypeInfo(GA_TYPE_COLOR);
    return GA_RWHandleV3(Cd);
}

} // namespace

void draw_pins(const Scene& scene, const State& state, GU_Detail& guide)
{
    const GA_RWHandleV3 color = color_of(guide);
    for (const Pin& pin : scene.pins) {
        const GA_Offset p = guide.appendPointOffset();
        guide.setPos3(p, position(state, pin.vertex));
        color.set(p, pin.stiffness > 0 ? UT_Vector3(0, 1, 0) : UT_Vector3(0.2f, 0.4f, 1));
    }
    guide.bumpAllDataIds();
}

void draw_contacts(const Scene& scene, const State& state, GU_Detail& guide)
{
    const GA_RWHandleV3 color = color_of(guide);
    const VecX gap = vertex_gaps(scene, state);
    for (int v = 0; v < int(gap.size()); ++v) {
        if (gap[v] == infinity) continue;
        const GA_Offset p = guide.appendPointOffset();
        guide.setPos3(p, position(state, v));
        color.set(p, UT_Vector3(1, float(SYSclamp(gap[v] / scene.collisions.gap, 0.0, 1.0)), 0));
    }
    guide.bumpAllDataIds();
}

void draw_intersections(const Scene& scene, const State& state, GU_Detail& guide)
{
    const GA_RWHandleV3 color = color_of(guide);
    std::vector<NamedGeometry> objects;
    for (const Cloth& c : scene.cloths) {
        NamedGeometry object{c.name, Geometry(), {}};
        object.geometry.set_point_count(std::size_t(c.point_count()));
        object.geometry.set_positions(state.x.segment(3 * c.first_vertex, 3 * c.point_count()));
        for (const Vec3i& t : c.mesh.triangles) object.geometry.add_polygon({t[0], t[1], t[2]});
        objects.push_back(std::move(object));
    }
    for (const IntersectionPair& pair : find_intersections(gather_elements(objects)).crossing) {
        const int first = scene.cloths[std::size_t(pair.edge.object)].first_vertex;
        GEO_PrimPoly* line = GEO_PrimPoly::build(&guide, 2, /*open*/ true);
        for (int i = 0; i < 2; ++i) {
            const GA_Offset p = line->getPointOffset(i);
            guide.setPos3(p, position(state, first + pair.edge.points[std::size_t(i)]));
            color.set(p, UT_Vector3(1, 0, 0));
        }
    }
    guide.bumpAllDataIds();
}

} // namespace selvage::houdini
