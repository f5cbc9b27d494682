#pragma once

#include "core/base/types.h"
#include "core/energy/link_spring.h"

#include <array>
#include <string>
#include <vector>

namespace selvage
{

/// A spring between a vertex and one of: another vertex, a place in a triangle of cloth, or an
/// animated place (see LinkDrive).
struct Link {
    enum class To { vertex, triangle, place };
    int vertex = 0;
    To to = To::place;
    std::array<int, 3> others{}; ///< one or three vertices
    Vec3 weights = Vec3::Zero(); ///< of the three, summing up to 1
    double rest_length = 0;      ///< [m] at rest_scale 1
    double share = 1;     ///< multiplies stiffness and strength: metres of seam, a painted map
    double stiffness = 1; ///< multiplies the stiffness alone
};

enum class LinkResists { both, stretch, compression };

/// Links made together and driven together: an attachment, a seam.
struct LinkSet {
    std::string name; ///< for messages: "Seam 'side'"
    std::vector<Link> links;
    LinkResists resists = LinkResists::both;
    double damping = 0;      ///< [s] Rayleigh β
    double final_length = 0; ///< [m] what rest lengths tend to as rest_scale goes to 0
    double shortest = 0;     ///< [m] rest lengths never go below: where contact keeps layers apart
    double break_force = infinity;   ///< [N] pull at which a link breaks, times its share
    double break_stretch = infinity; ///< [m] beyond its rest length, likewise

    bool breakable() const { return break_force < infinity || break_stretch < infinity; }
};

/// What drives a set of links over a step.
struct LinkDrive {
    double stiffness = 0;  ///< [N/m], times Link::share; 0 lets go
    double rest_scale = 1; ///< L = max(shortest, final + rest_scale (rest_length − final))
    VecX place_0, place_1; ///< [m] three per link at start and end; empty where nothing is animated
    VecX link_stiffness, link_length; ///< in place of Link's own; empty: those
};

/// L [m] of a link as driven.
inline double driven_length(const LinkSet& set, std::size_t link, const LinkDrive& drive)
{
    const double length = drive.link_length.size() ? drive.link_length[Eigen::Index(link)]
                                                   : set.links[link].rest_length;
    return std::max(set.shortest,
                    set.final_length + drive.rest_scale * (length - set.final_length));
}

} // namespace selvage
