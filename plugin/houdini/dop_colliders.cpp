#include "plugin/houdini/dop_colliders.h"

#include "core/base/error.h"
#include "plugin/houdini/geometry_input.h"

#include <GU/GU_Detail.h>
#include <GU/GU_DetailHandle.h>
#include <SIM/SIM_Geometry.h>
#include <SIM/SIM_ObjectArray.h>
#include <SIM/SIM_Utils.h>
#include <UT/UT_Matrix4.h>

#include <fmt/format.h>

#include <algorithm>

namespace selvage::houdini
{
namespace
{

bool is_volume(const std::shared_ptr<const Geometry>& g) { return g && !g->volumes.empty(); }

/// Numbers of a geometry in a stack of colliders: three per point; of a volume its time and two
/// more.
Eigen::Index stack_size(const std::shared_ptr<const Geometry>& g)
{
    if (!g) return 0;
    return is_volume(g) ? 3 : 3 * Eigen::Index(g->point_count());
}

/// x (of `now`'s points) where objects that are in `before`, too, have their place of `x_before`.
void keep_places(const DopColliders& now, const DopColliders& before, const VecX& x_before, VecX& x)
{
    Eigen::Index to = 0;
    for (const ColliderPart& part : now.parts) {
        Eigen::Index from = 0;
        for (const ColliderPart& old : before.parts) {
            if (old == part)
                x.segment(to, 3 * part.points) = x_before.segment(from, 3 * part.points);
            from += 3 * old.points;
        }
        to += 3 * part.points;
    }
}

Volume moved(const Volume& volume, const Vec3& by)
{
    Volume to = volume;
    if (volume.field) {
        DistanceSamples samples = volume.field->samples();
        samples.origin += by;
        to.field = std::make_shared<DistanceField>(std::move(samples));
    }
    return to;
}

} // namespace

DopColliders colliders_of(const SIM_Object& object, const std::vector<ColliderPart>& known,
                          const VolumeNames& volumes)
{
    SIM_ConstObjectArray found;
    object.getConstAffectors(found, "SIM_RelationshipCollide");
    std::vector<const SIM_Object*> affectors;
    for (exint i = 0; i < found.entries(); ++i) {
        const SIM_Geometry* geometry = found(i)->getGeometry();
        if (!geometry || geometry->getGeometry().isNull()) continue;
        const int id = found(i)->getObjectId();
        const bool twice = std::any_of(affectors.begin(), affectors.end(),
                                       [&](const SIM_Object* o) { return o->getObjectId() == id; });
        if (id != object.getObjectId() && !twice) affectors.push_back(found(i));
    }
    const auto place = [&](const SIM_Object* o) {
        return std::find_if(known.begin(), known.end(),
                            [&](const ColliderPart& p) { return p.object == o->getObjectId(); });
    };
    std::stable_sort(affectors.begin(), affectors.end(),
                     [&](const SIM_Object* a, const SIM_Object* b) { return place(a) < place(b); });

    DopColliders out;
    GU_Detail all;
    for (const SIM_Object* affector : affectors) {
        const GU_DetailHandleAutoReadLock lock(affector->getGeometry()->getGeometry());
        if (!lock.getGdp() || lock.getGdp()->getNumPrimitives() == 0) continue;
        GU_Detail world;
        world.replaceWith(*lock.getGdp());
        UT_DMatrix4 transform;
        SIMgetGeometryTransform(transform, *affector);
        world.transform(transform);
        // Volumes have a point each, which does not collide.
        const bool polygons = world.countPrimitiveType(GA_PRIMVDB) < world.getNumPrimitives();
        const ColliderPart part = {affector->getObjectId(), polygons ? world.getNumPoints() : 0};
        if (const auto before = place(affector);
            before != known.end() && before->points != part.points)
            throw InputError(fmt::format(
                "Colliding object '{}' has {} points but {} in the step before. Points and "
                "polygons of colliders must stay the same.",
                affector->getName().c_str(), part.points, before->points));
        out.parts.push_back(part);
        all.merge(world);
    }
    if (out.parts.empty()) return out;
    out.geometry =
        convert_colliders(all, nullptr, "Colliders", InputDepth::whole, volumes).geometry;
    return out;
}

std::shared_ptr<const Geometry> placed_as_before(const DopColliders& now,
                                                 const DopColliders& before, const Vec3& away)
{
    if (!now.geometry) return nullptr;
    if (is_volume(now.geometry)) {
        if (is_volume(before.geometry)) return before.geometry;
        Geometry g = *now.geometry;
        for (Volume& v : g.volumes) v = moved(v, away);
        return std::make_shared<const Geometry>(std::move(g));
    }
    VecX x = now.geometry->positions();
    for (Eigen::Index i = 0; i < x.size(); i += 3) x.segment<3>(i) += away;
    if (before.geometry && !is_volume(before.geometry))
        keep_places(now, before, before.geometry->positions(), x);
    Geometry g = *now.geometry;
    g.set_vectors("P", x, "point", Storage::real64);
    return std::make_shared<const Geometry>(std::move(g));
}

State among_colliders(State state, const DopColliders& before, const DopColliders& now, int step,
                      double unit)
{
    const Eigen::Index old_size = stack_size(before.geometry), size = stack_size(now.geometry);
    if (state.colliders.size() < old_size) { // not every method holds colliders up
        state.colliders.resize(0);
        return state;
    }
    VecX x(size);
    if (is_volume(now.geometry)) {
        x = is_volume(before.geometry) ? VecX(state.colliders.head(3)) : VecX(Vec3(step, 0, 0));
    } else if (now.geometry) {
        x = unit * now.geometry->positions();
        if (before.geometry && !is_volume(before.geometry))
            keep_places(now, before, state.colliders.head(old_size), x);
    }
    const VecX others = state.colliders.tail(state.colliders.size() - old_size); // the ground
    state.colliders.resize(size + others.size());
    state.colliders << x, others;
    return state;
}

} // namespace selvage::houdini
