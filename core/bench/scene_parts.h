#pragma once

#include "core/example/tet_shapes.h"
#include "core/session/session_setup.h"

#include <functional>
#include <string>

namespace selvage
{

/// A source made by a function of the frame, fractions included.
class MovingSource final : public GeometrySource
{
public:
    explicit MovingSource(std::function<Geometry(double)> make) : make_(std::move(make)) {}
    std::shared_ptr<const Geometry> at(double frame) override
    {
        return std::make_shared<const Geometry>(make_(frame));
    }
    bool animated() const override { return true; }
    bool has_subframes() const override { return true; }
    std::string describe(double) const override { return "function"; }

private:
    std::function<Geometry(double)> make_;
};

/// `steps` steps of h seconds, one per frame, without air; gap: d̂ [m].
SessionSetup empty_scene(double h, int steps, double gap);

/// Rubber and stone: a Neo-Hookean solid, which never inverts, undamped.
struct Stuff {
    double young = 1e5;    ///< [Pa]
    double density = 1000; ///< [kg/m³]
    double poisson = 0.4;
    double friction = 0;
};
/// Adds a solid with the name of its number. Its points may carry velocities `v` and group `held`,
/// which is pinned.
SolidSetup& add_solid(SessionSetup& scene, Geometry geometry, const Stuff& stuff);
/// Adds a collider without thickness.
ColliderSetup& add_collider(SessionSetup& scene, Geometry geometry, double friction = 0);
ColliderSetup& add_collider(SessionSetup& scene, std::function<Geometry(double)> geometry,
                            double friction = 0);

Geometry moved(Geometry geometry, const Vec3& by);
Geometry turned(Geometry geometry, const Mat3& rotation);
/// All points with this velocity [m/s].
Geometry thrown(Geometry geometry, const Vec3& velocity);
/// Puts the points for which `inside` holds into group `held`.
Geometry held_where(Geometry geometry, const std::function<bool(const Vec3&)>& inside);
/// Triangles over these points.
Geometry triangle_geometry(const std::vector<Vec3>& points, const std::vector<Vec3i>& triangles);
/// Two triangles in the plane y = 0, `size` long and wide.
Geometry floor_geometry(double size);
/// A closed box of twelve triangles.
Geometry box_geometry(const Vec3& lower, const Vec3& upper);

} // namespace selvage
