#pragma once

#include "core/geometry/geometry.h"
#include "plugin/houdini/attribute_input.h"
#include "plugin/houdini/compat.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace selvage::houdini
{

/// What primitives are simulated as.
enum class ObjectKind { cloth, solid, hair };

/// Tetrahedra make a solid, which polygons among them follow; else polygons are cloth; open curves
/// alone are hair.
ObjectKind kind_of(const GU_Detail& gdp);
bool has_curves(const GU_Detail& gdp); ///< open ones

/// Names of VDB primitives that collide; empty: what there is.
struct VolumeNames {
    std::string distance;

    bool operator==(const VolumeNames& b) const { return distance == b.distance; }
};

/// A detail converted to core geometry: all points and primitives in index order, with attributes
/// and point groups. Everything else stays in Houdini, where it passes through untouched.
struct ConvertedInput {
    std::shared_ptr<const Geometry> geometry;
    std::shared_ptr<const Geometry> bare; ///< points and primitives only, for the next frame
    compat::TopologyIds topology_ids;
    std::uint64_t topology_hash = 0; ///< of points, primitives and their order
    std::uint64_t content_hash = 0;  ///< of everything converted
    std::shared_ptr<const std::vector<GA_Offset>> vertex_offsets; ///< of each vertex of `geometry`
    ReadAttributes attributes;                                    ///< for the next frame
    VolumeNames volumes;                                          ///< that were asked for
};

/// Converts; what `before` has is taken over where data ids say that it is the same.
/// Throws InputError naming the first primitive that cannot be simulated, its type and the node
/// that converts it. Messages start with `who` ("Input 1, geometry").
ConvertedInput convert_input(const GU_Detail& gdp, const ConvertedInput* before,
                             const std::string& who, InputDepth depth = InputDepth::whole);

/// Colliders: as above, or VDB primitives in place of points and polygons, where there are any. The
/// signed distance of this name collides, or the only one where it is empty; polygons beside
/// volumes are refused unless it is named. Volumes may change over the shot.
ConvertedInput convert_colliders(const GU_Detail& gdp, const ConvertedInput* before,
                                 const std::string& who, InputDepth depth,
                                 const VolumeNames& names);

/// Points that nothing simulated uses: outside closed polygons and tetrahedra, of hair outside open
/// curves, `coupled` outside all of these. Empty where there are none.
std::string left_out_message(const Geometry& geometry, ObjectKind kind, bool coupled,
                             const std::string& who);

} // namespace selvage::houdini
