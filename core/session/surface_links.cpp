#include "core/session/surface_links.h"

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/geometry/nearest_surface.h"
#include "core/geometry/triangulate.h"

#include <Eigen/Geometry>
#include <fmt/format.h>

namespace selvage
{
VecX LinkPlaces::at(const VecX& surface) const
{
    VecX out(3 * Eigen::Index(triangles.size()));
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        Vec3 p = place_at(triangles[i], weights[i], surface);
        if (!offsets.empty()) p += triangle_frame(triangles[i], surface) * offsets[i];
        out.segment<3>(3 * Eigen::Index(i)) = p;
    }
    return out;
}

std::vector<Link> links_to_surface(const std::vector<SurfaceHold>& holds, const Geometry& surface,
                                   const VecX& x, double reach, bool keep_offset,
                                   const HoldNames& names, LinkPlaces& places)
{
    const VecX at = surface.positions();
    const Triangulation triangulation = triangulate(surface);
    const std::vector<Vec3i>& triangles = triangulation.triangles;
    if (triangles.empty()) throw InputError(names.who + "its target has no closed polygons.");
    std::vector<SurfacePlace> found(holds.size());
    parallel_for(found.size(), 16, [&](std::size_t i) {
        const SurfaceHold& h = holds[i];
        found[i] = nearest_surface(x.segment<3>(3 * h.vertex), triangles, at, [&](int t) {
            return h.polygon < 0 || triangulation.primitive[std::size_t(t)] == h.polygon;
        });
    });

    std::vector<Link> links;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (found[i].triangle < 0)
            throw InputError(fmt::format("{}{} {} has {} {}, which is no polygon of its target.",
                                         names.who, names.element, holds[i].element,
                                         names.attribute, holds[i].polygon));
        if (found[i].distance > reach) continue;
        Link l;
        l.vertex = holds[i].vertex;
        l.share = holds[i].share;
        l.rest_length = keep_offset ? 0 : found[i].distance;
        const Vec3i& t = triangles[std::size_t(found[i].triangle)];
        places.triangles.push_back(t);
        places.weights.push_back(found[i].weights);
        if (keep_offset)
            places.offsets.push_back(
                triangle_frame(t, at).transpose() *
                (x.segment<3>(3 * l.vertex) - place_at(t, found[i].weights, at)));
        links.push_back(l);
    }
    return links;
}

} // namespace selvage
