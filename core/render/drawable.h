#pragma once

#include "core/render/scene_description.h"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace selvage
{

/// Which parts of the geometry a corner of a triangle or strand came from; numbers as in Geometry.
struct DrawnCorner {
    std::int32_t point, vertex;
};

struct DrawnTriangle {
    std::array<DrawnCorner, 3> corner;
    std::int32_t primitive;
    std::array<Eigen::Vector3f, 3> normal; ///< unit; of the front (counter-clockwise) side
};

/// A straight piece of a strand, between entries `first` and `first + 1` of
/// Drawable::strand_points.
struct DrawnSegment {
    std::int32_t first, primitive;
    bool has_left, has_right; ///< whether the strand goes on there
};

struct StrandPoint {
    DrawnCorner corner;
    Eigen::Vector3f tangent; ///< unit, averaged over the adjacent pieces
    float radius;            ///< [m]
};

/// A geometry in the form rays want: triangles and round strands.
struct Drawable {
    std::vector<DrawnTriangle> triangles;
    std::vector<StrandPoint> strand_points;
    std::vector<DrawnSegment> segments;
    std::size_t skipped_primitives = 0; ///< not finite, or too few corners to be drawn
};

/// Smooth normals are sums over the faces around a corner, weighted by area and angle, leaving out
/// faces that meet this one at a sharp crease (80° on cloth, 50° on colliders).
Drawable make_drawable(const RenderObject& object);

/// Calls visit(position) for each finite point of a primitive; free points are not drawn.
void for_each_drawn_point(const RenderObject& object,
                          const std::function<void(const Vec3&)>& visit);

} // namespace selvage
