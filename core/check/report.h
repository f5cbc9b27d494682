#pragma once

#include "core/check/gap.h"
#include "core/check/intersections.h"
#include "core/check/passings.h"
#include "core/check/planes.h"
#include "core/check/strain.h"
#include "core/check/volumes.h"

#include <string>
#include <vector>

namespace selvage
{

struct CheckOptions {
    /// [m] pairs of non-neighbours nearer than this are reported and fail the check; 0: none do.
    double thickness = 0;
    /// Largest allowed stretch − 1 against the rest geometry (0.1 is 10 %); infinity: no limit.
    double strain_limit = infinity;
    /// Find the smallest gap even when there is no thickness to hold it against.
    bool measure_gap = true;
    /// Zero-area triangles are reported but do not fail the check.
    bool allow_degenerate = false;
    /// Hair grows out of the skin: leave a curve's first segment out against triangles.
    bool skip_curve_roots = false;
    /// Elements with a point that the solver released (attribute `sv_released`) may cross others.
    bool allow_released = false;
    /// Objects from this number on may cross and touch themselves and each other and have triangles
    /// without area: characters do.
    std::int32_t judged_objects = std::numeric_limits<std::int32_t>::max();
    std::vector<CheckPlane> planes = {}; ///< half-spaces that no point may be in, nor near to
    std::size_t max_listed = 100;        ///< listed of each kind (at least 1); all are counted
};

template <class T> struct Listed {
    std::vector<T> list; ///< the first ones
    std::size_t count = 0;
};

struct ObjectStrain {
    std::int32_t object = -1;
    StrainReport strain;
};

/// What was found; element ids refer to `objects`.
struct CheckReport {
    bool ok = true; ///< nothing below fails (touching pairs alone do not)

    std::vector<std::string> objects;
    std::size_t points = 0, triangles = 0, curve_segments = 0;

    Listed<ElementId> non_finite; ///< points with NaN or infinity
    Listed<ElementId> degenerate; ///< triangles whose area is exactly zero
    Listed<CoincidentTriangles> coincident;
    IntersectionReport intersections;
    /// Smallest distance of non-neighbours; none if not asked for or nothing to compare. 0 where
    /// something crosses.
    std::optional<GapPair> smallest_gap;
    Listed<PointAtPlane> below_planes; ///< points behind planes, or below the thickness over them
    Listed<PlaceInVolume> in_volumes;  ///< inside volumes of other objects, or too near to them
    GapReport gaps;                    ///< below the thickness
    Listed<Passing> passings;          ///< since the frame before, where there is one
    std::vector<ObjectStrain> strain;  ///< of each object that has a rest geometry
    CheckOptions options;
};

/// Judges positions as they are given; with those of the frame `before`, of the same topology, also
/// whether curves passed anything in between. Throws InputError where a rest geometry does not
/// match, or the topology has changed.
CheckReport check_geometry(const std::vector<NamedGeometry>& objects,
                           const CheckOptions& options = {},
                           const std::vector<NamedGeometry>* before = nullptr);

/// For people: one line per finding, ending in a verdict.
std::string report_text(const CheckReport& report);

/// For programs: one JSON object. Keys: ok, objects, points, triangles, curve_segments, non_finite,
/// degenerate, coincident, crossing, passing, touching, below_planes, in_volumes ({count, list}),
/// min_gap, gaps_below_thickness, strain. Numbers that are not finite become null.
std::string report_json(const CheckReport& report);

} // namespace selvage
