#include "core/session/field_assembly.h"

#include "core/base/error.h"
#include "core/model/scene_contact.h"
#include "core/session/field_sampler.h"

#include <fmt/format.h>

#include <algorithm>

namespace selvage
{
namespace
{

std::string listed(const std::vector<Volume>& volumes)
{
    std::string text;
    for (const Volume& v : volumes) text += (text.empty() ? "'" : ", '") + v.name + "'";
    return text;
}

} // namespace

std::shared_ptr<const DistanceField> signed_distance_of(const Geometry& geometry,
                                                        const std::string& grid)
{
    const Volume* found = nullptr;
    for (const Volume& v : geometry.volumes) {
        if (!grid.empty() && v.name != grid) continue;
        if (found && found->field && (v.field || !grid.empty()))
            throw InputError(fmt::format("it has several signed distances ({}). Name one with "
                                         "\"grid\".",
                                         listed(geometry.volumes)));
        if (!found || v.field) found = &v;
    }
    if (!found)
        throw InputError(geometry.volumes.empty() ? "it has no volumes."
                                                  : fmt::format("it has no grid '{}', but {}.",
                                                                grid, listed(geometry.volumes)));
    if (found->kind == Volume::Kind::fog)
        throw InputError(fmt::format(
            "grid '{}' is a fog volume; colliders need a signed distance. Convert it with the "
            "Convert VDB node (VDB Class: Convert Fog to SDF), or make it by VDB from Polygons.",
            found->name));
    if (!found->field)
        throw InputError(fmt::format(
            "grid '{}' is no level set of floats. Make the collider by VDB from Polygons, or set "
            "its class to Level Set (VDB Metadata or Primitive node) if it holds distances.",
            found->name));
    return found->field;
}

bool is_field(const ColliderSetup& collider, const Geometry& geometry)
{
    return !collider.collider.text("grid").empty() ||
           (!geometry.volumes.empty() && geometry.point_count() == 0);
}

void set_field(const ColliderSetup& setup, double frame, LogSink& log, Collider& collider)
{
    FieldSampler field(setup, log);
    collider.field = field.over(frame, frame);
    collider.x_start = VecX::Zero(3);
    collider.x_start[0] = field.time(frame);
}

void require_wide_bands(const Scene& scene)
{
    if (!scene.collisions.enabled) return;
    const ContactMesh mesh = scene_contact_mesh(scene);
    double thickest = 0;
    for (int v = 0; v < mesh.simulated_count(); ++v)
        thickest = std::max(thickest, mesh.thickness(v));
    for (const Collider& c : scene.colliders) {
        const double reach = 0.5 * (thickest + c.thickness) + scene.collisions.gap;
        if (c.field && !(c.field->background() > reach))
            throw InputError(fmt::format(
                "Collider '{}': its narrow band reaches {:.3g} m from the surface, but contact "
                "begins at {:.3g} m (half of both thicknesses, and the gap). Give it more exterior "
                "band voxels, or lower collision.gap.",
                c.name, c.field->background(), reach));
    }
}

} // namespace selvage
