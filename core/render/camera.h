#pragma once

#include "core/base/types.h"

#include <vector>

namespace selvage
{

/// Axis-aligned box; empty until something is added. Points that are not finite are ignored.
struct BoundingBox {
    Vec3 low = Vec3::Constant(infinity);
    Vec3 high = Vec3::Constant(-infinity);

    bool empty() const { return !(low.x() <= high.x()); }
    void add(const Vec3& point);
    void add(const BoundingBox& other);
    Vec3 center() const { return 0.5 * (low + high); }
    double diagonal() const { return empty() ? 0 : (high - low).norm(); }
    Vec3 corner(int i) const ///< i = 0..7
    {
        return {(i & 1 ? high : low).x(), (i & 2 ? high : low).y(), (i & 4 ? high : low).z()};
    }
};

/// Perspective camera: right-handed, Y up unless `up` says otherwise.
struct Camera {
    Vec3 position{0, 0, 5};
    Vec3 target{0, 0, 0};
    Vec3 up{0, 1, 0};
    double field_of_view = 0.6; ///< of the picture's height [rad]; 0.6 is about 34°

    /// Orthonormal, as rows of the matrix: right, up, forward.
    Mat3 axes() const;
    /// Direction (not normalised; its forward component is 1) through picture coordinates: x in
    /// [-aspect, aspect] to the right, y in [-1, 1] upwards.
    Vec3 direction(double x, double y) const;
    /// Picture coordinates as above and, third, the depth along the viewing direction [m].
    Vec3 project(const Vec3& point) const;
    /// Width of a pixel at a depth [m], for pictures of this height.
    double pixel_size(double depth, int height) const;
};

/// From where to look, and how much of the picture to leave free.
struct Framing {
    double azimuth = 0.6;   ///< around Y from +Z towards +X [rad]
    double elevation = 0.3; ///< above the horizon [rad], within ±1.5
    double field_of_view = 0.6;
    double aspect = 16.0 / 9.0;  ///< width / height
    double margin = 0.08;        ///< free border as a part of the picture's height and width
    double reserved_right = 0.0; ///< part of the width kept for the legend
};

/// Finds the closest camera on a given line of sight that has all points inside the free part of
/// the picture, for as many points of as many frames as are added.
class CameraFitter
{
public:
    explicit CameraFitter(const Framing& framing);

    void add(const Vec3& point); ///< points that are not finite are ignored
    /// Without points: a unit cube at the origin; around a single point: 1 cm.
    Camera camera() const;

private:
    /// What one picture direction asks of the camera. With c its sideways and z its forward
    /// coordinate, and t± the tangents of the free half-angles on both sides, all points lie inside
    /// when  c − t₊ z ≥ plus  and  −c − t₋ z ≥ minus.
    struct Slab {
        double tangent_plus = 1, tangent_minus = 1;
        double plus = -infinity, minus = -infinity;

        void add(double sideways, double forward);
        double largest_forward() const;
        double sideways(double forward) const; ///< the middle of what is left to choose
    };

    double field_of_view_;
    Mat3 axes_;
    Slab horizontal_, vertical_;
    BoundingBox box_;
};

/// The same for the corners of a box.
Camera frame_box(const BoundingBox& box, const Framing& framing);

} // namespace selvage
