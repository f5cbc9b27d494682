#include "core/model/scene_contact.h"

namespace selvage
{

namespace
{

void paint(ContactMesh& mesh, int body, const ContactMaps& maps, double dynamic_friction)
{
    if (maps.thickness.size()) mesh.set_thickness(body, maps.thickness);
    if (dynamic_friction >= 0) mesh.set_sliding_friction(body, dynamic_friction);
    if (maps.friction.size() || maps.dynamic_friction.size())
        mesh.set_friction_scale(body, maps.friction, maps.dynamic_friction);
    if (!maps.layer.empty()) mesh.set_layer(body, maps.layer);
    int groups = 1;
    for (std::size_t i = 0; i < maps.group.size(); ++i) {
        for (; groups <= maps.group[i]; ++groups) mesh.add_group(body);
        mesh.set_group(body, int(i), maps.group[i]);
    }
}

void add_strands(ContactMesh& mesh, const Hair& h, bool strand_points)
{
    MeshTopology strands;
    VecX laid_out = VecX::Zero(3 * h.point_count); // straight, for the lengths of edges
    for (int s = 0; s < h.strand_count(); ++s)
        for (int k = h.strand_begin[std::size_t(s)]; k + 1 < h.strand_begin[std::size_t(s) + 1];
             ++k) {
            const int a = h.points[std::size_t(k)], b = h.points[std::size_t(k) + 1];
            strands.edges.emplace_back(a, b);
            laid_out[3 * b] = laid_out[3 * a] + h.rest_length[k];
        }
    const int body = strand_points ? mesh.add_wires(h.name, strands.edges, h.first_vertex, laid_out,
                                                    0, h.material.friction)
                                   : mesh.add_surface(h.name, strands, h.first_vertex, laid_out, 0,
                                                      h.material.friction);
    VecX thickness = VecX::Zero(h.point_count);
    for (int k = 0; k < h.rod_points(); ++k) thickness[h.points[std::size_t(k)]] = 2 * h.radius[k];
    mesh.set_thickness(body, thickness);
    mesh.set_collide(body, body, h.self_collision);
}

} // namespace

ContactMesh scene_contact_mesh(const Scene& scene, bool strand_points)
{
    ContactMesh mesh(scene.vertex_count());
    for (const Cloth& c : scene.cloths) {
        const int body = mesh.add_surface(c.name, c.mesh, c.first_vertex, c.x_rest,
                                          c.material.thickness, c.material.friction);
        if (c.maps.paints({&ClothMaterial::thickness}))
            mesh.set_thickness(body, c.at_points(&ClothMaterial::thickness));
        mesh.set_collide(body, body, c.self_collision);
        paint(mesh, body, c.contact, c.material.dynamic_friction);
    }
    for (const Solid& s : scene.solids) {
        const int body = mesh.add_surface(s.name, s.surface, s.first_vertex, s.x_rest,
                                          s.material.thickness, s.material.friction);
        if (s.maps.paints({&SolidMaterial::thickness}))
            mesh.set_thickness(body, s.at_points(&SolidMaterial::thickness));
        paint(mesh, body, s.contact, s.material.dynamic_friction);
    }
    for (const Collider& c : scene.colliders) {
        const int body =
            c.field   ? mesh.add_field(c.name, c.field, c.thickness, c.friction)
            : c.plane ? mesh.add_plane(c.name, c.x_start, c.thickness, c.friction)
                      : mesh.add_collider(c.name, c.mesh, c.x_start, c.thickness, c.friction);
        if (c.one_sided && !c.plane && !c.field) mesh.set_one_sided(body);
        paint(mesh, body, c.contact, c.dynamic_friction);
    }
    for (const Hair& h : scene.hairs) add_strands(mesh, h, strand_points);
    for (const PairFriction& p : scene.collisions.friction)
        mesh.set_friction(p.object_a, p.object_b, p.friction);
    for (const IgnoredGroups& i : scene.collisions.ignored)
        mesh.set_collide(i.object_a, i.group_a, i.object_b, i.group_b, false);
    find_rest_neighbours(mesh, scene.collisions.gap);
    return mesh;
}

std::unique_ptr<StrandCohesion> scene_cohesion(const Scene& scene)
{
    // Each point has half of each adjacent edge, and half of what draws its strand to another.
    std::vector<CohesivePoint> points(std::size_t(scene.vertex_count()));
    ContactMesh mesh(scene.vertex_count());
    int strand = 0;
    bool any = false;
    for (const Hair& hair : scene.hairs) {
        add_strands(mesh, hair, /*strand_points*/ false);
        any = any || hair.material.cohesion > 0;
        for (int s = 0; s < hair.strand_count(); ++s, ++strand) {
            const int begin = hair.strand_begin[std::size_t(s)];
            const int end = hair.strand_begin[std::size_t(s) + 1];
            for (int k = begin; k < end; ++k) {
                const double length = 0.5 * ((k > begin ? hair.rest_length[k - 1] : 0.0) +
                                             (k + 1 < end ? hair.rest_length[k] : 0.0));
                points[std::size_t(hair.first_vertex + hair.points[std::size_t(k)])] = {
                    strand, 0.5 * hair.material.cohesion * length, hair.material.cohesion_range};
            }
        }
    }
    if (!any) return nullptr;
    return std::make_unique<StrandCohesion>(std::move(mesh), std::move(points));
}

int collider_body(const Scene& scene, std::size_t collider)
{
    return int(scene.cloths.size() + scene.solids.size() + collider);
}

VecX stacked_colliders(const std::vector<VecX>& colliders)
{
    Eigen::Index size = 0;
    for (const VecX& c : colliders) size += c.size();
    VecX all(size);
    size = 0;
    for (const VecX& c : colliders) {
        all.segment(size, c.size()) = c;
        size += c.size();
    }
    return all;
}

} // namespace selvage
