#include "core/model/scene_contact.h"

namespace selvage
{

ContactMesh scene_contact_mesh(const Scene& scene)
{
    ContactMesh mesh(scene.vertex_count());
    for (const Cloth& c : scene.cloths) {
        const int body = mesh.add_surface(c.name, c.mesh, c.first_vertex, c.x_rest,
                                          c.material.thickness, c.material.friction);
        if (c.maps.paints({&ClothMaterial::thickness}))
            mesh.set_thickness(body, c.at_points(&ClothMaterial::thickness));
        mesh.set_collide(body, body, c.self_collision);
    }
    for (const Solid& s : scene.solids)
        mesh.add_surface(s.name, s.surface, s.first_vertex, s.x_rest, s.thickness, s.friction);
    for (const Collider& c : scene.colliders)
        mesh.add_collider(c.name, c.mesh, c.x_start, c.thickness, c.friction);
    return mesh;
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
