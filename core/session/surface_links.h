#pragma once

#include "core/geometry/geometry.h"
#include "core/model/link.h"
#include "core/session/geometry_source.h"

#include <memory>
#include <string>
#include <vector>

namespace selvage
{

/// Whose parameters drive a set of links.
enum class LinkOwner { attachment, seam, constraints };

/// Where a link of constraint geometry comes from.
struct LinkOrigin {
    std::size_t primitive = 0; ///< at the first frame
    double longest = infinity; ///< [m] no rest length from an attribute exceeds this
};

/// Who drives a set of links, and the places on an animated surface that they hang on, one per
/// link.
struct LinkPlaces {
    LinkPlaces(LinkOwner set_owner, std::size_t set_index) : owner(set_owner), index(set_index) {}
    LinkOwner owner;
    std::size_t index; ///< in the set-up's list

    int collider = -1;                      ///< number of the collider, or…
    std::shared_ptr<GeometrySource> source; ///< …another input; neither: the set has no such places
    std::size_t points = 0;                 ///< of that source
    std::vector<Vec3i> triangles;
    std::vector<Vec3> weights;
    std::vector<Vec3> offsets; ///< [m] in the triangle's frame; empty: on the surface itself

    std::vector<LinkOrigin> origins; ///< of links of constraint geometry, one per link

    bool animated() const { return !triangles.empty(); }
    /// Three per link, from the positions of the surface.
    VecX at(const VecX& surface) const;
};

/// A vertex that is to hang on a surface.
struct SurfaceHold {
    int vertex = 0;
    std::int64_t polygon = -1; ///< of the surface; −1: the nearest
    std::size_t element = 0;   ///< that asked for it, for messages
    double share = 1;
};

/// "Attachment 'belt': ", "point", "attachprim": who asks, by which elements and attribute.
struct HoldNames {
    std::string who;
    const char* element;
    const char* attribute;
};

/// Links from the vertices at x to the nearest places of a surface at the start, no farther than
/// `reach` [m]; `places` takes the places. With `keep_offset` a vertex is held where it is as seen
/// from its triangle, else at its distance. Throws InputError where a polygon is not there.
std::vector<Link> links_to_surface(const std::vector<SurfaceHold>& holds, const Geometry& surface,
                                   const VecX& x, double reach, bool keep_offset,
                                   const HoldNames& names, LinkPlaces& places);

} // namespace selvage
