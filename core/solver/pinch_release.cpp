#include "core/solver/pinch_release.h"

#include <set>

namespace selvage
{

std::vector<ReleasedVertex> vertices_in_the_way(const ContactMesh& mesh, const VecX& x,
                                                const VertexFilter& held,
                                                const std::vector<ContactPair>& colliding)
{
    std::set<std::pair<std::int32_t, std::int32_t>> found; // vertex, body
    for (const ContactPair& pair : colliding) {
        std::int32_t v[4];
        const int n = pair_vertices(mesh, pair.kind, {pair.a, pair.b}, v);
        const int first = first_side(pair.kind, n);
        for (int i = 0; i < n; ++i) {
            const std::int32_t other = i < first ? v[n - 1] : v[0];
            if (!mesh.simulated(v[i])) continue;
            if (!mesh.simulated(other) || held.kind(v[i]) == VertexFilter::Kind::fixed)
                found.insert({v[i], mesh.body(other)});
        }
    }
    std::vector<ReleasedVertex> released;
    BodySurfaces surfaces(mesh, x);
    for (const auto& [vertex, body] : found) {
        const SurfaceTree& surface = surfaces[body];
        const Vec3 p = x.segment<3>(3 * Eigen::Index(vertex));
        const int side = mesh.body(vertex) == body ? 0
                         : mesh.one_sided(body)    ? 1
                         : surface.closed()        ? (surface.inside(p) ? -1 : 1)
                                                   : side_of(surface, p);
        released.push_back({vertex, body, side});
    }
    return released;
}

} // namespace selvage
