#include "core/contact/release_pull.h"

#include "core/contact/closest_points.h"
#include "core/contact/plane.h"

#include <algorithm>

namespace selvage
{
namespace
{

/// The way out of the surface at its nearest place, and how much of it is left until p keeps a
/// distance of `clear` [m].
struct WayOut {
    Vec3 direction = Vec3::Zero();
    double length = 0;
};

WayOut way_out(const SurfaceTree& surface, const SurfacePlace& place, int side, bool one_sided,
               const Vec3& p, const Vec3& q, double clear)
{
    const bool closed = surface.closed(), home = side < 0; // home: inside
    const bool buried = closed ? surface.inside(p) != home
                               : side != 0 && surface.height(place.triangle, p) * side < 0;
    if (buried && !closed && !one_sided) return {};
    const Vec3 from = buried ? Vec3(q - p) : Vec3(p - q);
    const double distance = from.norm();
    Vec3 direction = surface.normal(place.triangle);
    if (side < 0) direction = -direction;
    if (distance > 1e-9) direction = from / distance;
    return {direction, clear + (buried ? distance : -distance)};
}

/// Along with the plane below the vertex and up to where contact begins to push.
Pull pull_before_plane(const ContactMesh& mesh, const ReleasedVertex& r, const VecX& x,
                       const VecX& prescribed_target, double reach, double d_hat)
{
    const int plane = mesh.first_vertex(r.body);
    const std::int32_t v[4] = {r.vertex, plane, plane + 1, plane + 2};
    Vec3T<double> y[4];
    for (int i = 0; i < 4; ++i) {
        const Eigen::Index k = 3 * Eigen::Index(v[i]);
        y[i] = {x[k], x[k + 1], x[k + 2]};
    }
    const auto closest = closest_points(PointTriangle{}, y);
    const Eigen::Index first = 3 * Eigen::Index(plane - mesh.simulated_count());
    Vec3 motion = Vec3::Zero();
    for (int i = 0; i < 3; ++i)
        motion -= closest.w[1 + i] * (prescribed_target.segment<3>(first + 3 * i) -
                                      x.segment<3>(3 * Eigen::Index(plane + i)));
    const Vec3T<double> n = cross(y[2] - y[1], y[3] - y[1]);
    const Vec3 normal = Vec3(n.x, n.y, n.z).normalized();
    const double thickness = 0.5 * (mesh.thickness(r.vertex) + mesh.thickness(plane));
    const double length = std::min(reach, thickness + d_hat - height_over_plane(y));
    return {r.vertex, x.segment<3>(3 * Eigen::Index(r.vertex)) + motion + length * normal};
}

/// Along with the field's surface and outwards to where contact begins to push; nowhere beyond the
/// narrow band, where the way out is not known.
void pull_out_of_field(const ContactMesh& mesh, const ReleasedVertex& r, const VecX& x,
                       const VecX& prescribed_target, double reach, double d_hat,
                       std::vector<Pull>& pulls)
{
    const int carrier = mesh.first_vertex(r.body);
    const MovingField& field = mesh.field(mesh.field_of(r.body));
    const Vec3 p = x.segment<3>(3 * Eigen::Index(r.vertex));
    const double time = x[3 * Eigen::Index(carrier)];
    const double end = prescribed_target[3 * Eigen::Index(carrier - mesh.simulated_count())];
    const MovingField::Value at = field.at(p, time);
    const double steepness = at.gradient.norm();
    if (!(steepness > 0.1)) return;
    const double motion = (at.value - field.value(p, end)) / steepness;
    const double thickness = 0.5 * (mesh.thickness(r.vertex) + mesh.thickness(carrier));
    // Edges and triangles may still be stuck when their points are out, and weight holds the points
    // back: they aim beyond.
    const double length = std::min(reach, std::max(thickness + 3 * d_hat - at.value, 0.25 * d_hat));
    pulls.push_back({r.vertex, p + (motion + length) / steepness * at.gradient});
}

} // namespace

std::vector<Pull> release_pulls(const ContactMesh& mesh, const Releases& releases, const VecX& x,
                                const VecX& prescribed_target, double reach, double d_hat)
{
    std::vector<Pull> pulls;
    BodySurfaces surfaces(mesh, x);
    const Eigen::Index first = 3 * Eigen::Index(mesh.simulated_count());
    for (const ReleasedVertex& r : releases.vertices) {
        const Vec3 p = x.segment<3>(3 * Eigen::Index(r.vertex));
        if (mesh.is_plane(r.body)) {
            pulls.push_back(pull_before_plane(mesh, r, x, prescribed_target, reach, d_hat));
            continue;
        }
        if (mesh.field_of(r.body) >= 0) {
            pull_out_of_field(mesh, r, x, prescribed_target, reach, d_hat, pulls);
            continue;
        }
        const SurfaceTree& surface = surfaces[r.body];
        const SurfacePlace place = surface.nearest(p);
        if (place.triangle < 0) continue;
        const Vec3i& t = surface.triangle(place.triangle);
        if (mesh.simulated(t[0])) continue;
        Vec3 q = Vec3::Zero(), motion = Vec3::Zero();
        for (int k = 0; k < 3; ++k) {
            const Eigen::Index i = 3 * Eigen::Index(t[k]);
            q += place.weights[k] * x.segment<3>(i);
            motion +=
                place.weights[k] * (prescribed_target.segment<3>(i - first) - x.segment<3>(i));
        }
        const double thickness = 0.5 * (mesh.thickness(r.vertex) + mesh.thickness(t[0]));
        const WayOut out =
            way_out(surface, place, r.side, mesh.one_sided(r.body), p, q, thickness + d_hat);
        // Edges may still be stuck when their points are out: they go on a little.
        const double length = std::min(reach, std::max(out.length, 0.25 * d_hat));
        if (!out.direction.isZero())
            pulls.push_back({r.vertex, p + motion + length * out.direction});
    }
    return pulls;
}

} // namespace selvage
