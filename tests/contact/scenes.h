#pragma once

#include "core/contact/contact_mesh.h"
#include "tests/support/meshes.h"

namespace selvage::test
{

inline MeshTopology topology(const Mesh& mesh)
{
    std::vector<Vec3i> triangles;
    for (std::size_t t = 0; t < mesh.triangles.size(); t += 3)
        triangles.push_back({mesh.triangles[t], mesh.triangles[t + 1], mesh.triangles[t + 2]});
    return mesh_topology(std::move(triangles));
}

/// Simulated sheets and a collider sheet, with positions of all contact vertices.
struct ContactScene {
    ContactMesh mesh;
    VecX x;

    int simulated() const { return 3 * mesh.simulated_count(); }
    VecX simulated_x() const { return x.head(simulated()); }
    VecX prescribed_x() const { return x.tail(x.size() - simulated()); }
};

/// `sheets` crumpled n × n grids of side 1 (random heights), `gap` apart in y, above a collider
/// grid of the same kind where wanted.
inline ContactScene stacked_sheets(int n, int sheets, double gap, double bumps, double thickness,
                                   bool collider, unsigned seed = 1)
{
    Random random(seed);
    const Mesh grid = grid_cloth(n, n, 1, 1);
    const MeshTopology t = topology(grid);
    const Eigen::Index size = 3 * grid.vertex_count();
    const int bodies = sheets + (collider ? 1 : 0);
    ContactScene s{ContactMesh(sheets * grid.vertex_count()), VecX(size * bodies)};
    for (int b = 0; b < bodies; ++b) {
        VecX x = grid.stacked();
        for (Eigen::Index i = 0; i < x.size(); i += 3) {
            x[i] += 0.2 * random() / n, x[i + 2] += 0.2 * random() / n;
            x[i + 1] = bumps * random() + gap * (b < sheets ? b + 1 : 0);
        }
        s.x.segment(b * size, size) = x;
        if (b < sheets)
            s.mesh.add_surface("sheet", t, b * grid.vertex_count(), x, thickness, 0.3);
        else
            s.mesh.add_collider("floor", t, x, thickness, 0.5);
    }
    return s;
}

} // namespace selvage::test
