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
    const auto draw = [&](int vertex, bool soft) {
        const GA_Offset p = guide.appendPointOffset();
        guide.setPos3(p, position(state, vertex));
        color.set(p, soft ? UT_Vector3(0, 1, 0) : UT_Vector3(0.2f, 0.4f, 1));
    };
    for (const Pin& pin : scene.pins) draw(pin.vertex, pin.stiffness > 0);
    for (const Hair& hair : scene.hairs)
        for (int s = 0; s < hair.strand_count(); ++s)
            for (int k = hair.strand_begin[std::size_t(s)];
                 k < hair.strand_begin[std::size_t(s) + 1]; ++k)
                if (held_point(hair, s, k - hair.strand_begin[std::size_t(s)]))
                    draw(hair.first_vertex + hair.points[std::size_t(k)], false);
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
    const auto add = [&](const std::string& name, const std::vector<Vec3i>& triangles,
                         const VecX& x) {
        NamedGeometry object{name, Geometry(), {}};
        object.geometry.set_point_count(std::size_t(x.size() / 3));
        object.geometry.set_vectors("P", x, "point", Storage::real64);
        for (const Vec3i& t : triangles) object.geometry.add_polygon({t[0], t[1], t[2]});
        objects.push_back(std::move(object));
    };
    for (const Cloth& c : scene.cloths)
        add(c.name, c.mesh.triangles, state.x.segment(3 * c.first_vertex, 3 * c.point_count()));
    for (const Solid& s : scene.solids)
        add(s.name, s.surface.triangles, state.x.segment(3 * s.first_vertex, 3 * s.point_count()));
    IntersectionOptions options;
    options.max_listed = 10000;
    options.judged_objects = std::int32_t(objects.size()); // colliders may cross themselves
    Eigen::Index first = 0;
    for (const Collider& c : scene.colliders) {
        const Eigen::Index size = c.x_start.size();
        add(c.name, c.mesh.triangles,
            state.colliders.size() ? VecX(state.colliders.segment(first, size)) : c.x_start);
        first += size;
    }
    const Elements elements = gather_elements(objects);
    for (const IntersectionPair& pair : find_intersections(elements, options).crossing) {
        const std::int32_t start = elements.first_point[std::size_t(pair.edge.object)];
        GEO_PrimPoly* line = GEO_PrimPoly::build(&guide, 2, /*open*/ true);
        for (int i = 0; i < 2; ++i) {
            const Vec3& x = elements.x[std::size_t(start + pair.edge.points[std::size_t(i)])];
            const GA_Offset p = line->getPointOffset(i);
            guide.setPos3(p, UT_Vector3(float(x[0]), float(x[1]), float(x[2])));
            color.set(p, UT_Vector3(1, 0, 0));
        }
    }
    guide.bumpAllDataIds();
}

} // namespace selvage::houdini
