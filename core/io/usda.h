#pragma once

#include "core/geometry/geometry.h"

#include <memory>
#include <string>

namespace selvage
{

struct UsdaSettings {
    std::string name = "cloth"; ///< of the root prim; made a valid identifier
    double fps = 24;            ///< timeCodesPerSecond
    /// Houdini runs around polygons clockwise seen from the front, which USD calls left-handed.
    bool left_handed = true;
};

/// Writes an animated shot as USD text (.usda), frame by frame, so that it need not be in memory.
///
/// An Xform with up to two children: Mesh "mesh" (polygons and soups) and BasisCurves "curves"
/// (open curves, linear). Metres, Y up. P becomes points (time samples, with extent), v velocities,
/// N normals, uv primvars:st, pscale of curves widths (2 pscale), Cd primvars:displayColor; other
/// numeric attributes of up to four components and strings become primvars of the same name.
/// Values that stay the same in all frames are written once. Array attributes, dictionaries and
/// groups are left out. Names that USD does not allow are changed.
///
/// Topology is that of the first frame; a frame that differs is an InputError, as are tetrahedra.
class UsdaWriter
{
public:
    UsdaWriter(const std::string& path, UsdaSettings settings = {});
    ~UsdaWriter();

    /// Frames in rising order.
    void add(double frame, const Geometry& geometry);
    /// Makes the file appear (see AtomicFile); without it nothing is left behind.
    void finish();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// `text` with every character that USD does not allow in a name replaced by '_'.
std::string usd_identifier(const std::string& text);

} // namespace selvage
