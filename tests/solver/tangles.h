#pragma once

#include "core/session/session.h"

#include <functional>

namespace selvage::test
{

Geometry moved(Geometry g, const Mat3& R, const Vec3& by);

/// All points of a geometry, or none.
Group point_group(const std::string& name, const Geometry& g, std::uint8_t member);

ClothSetup sheet(const std::string& name, int cells, double size, const Vec3& at);
ColliderSetup collider(const std::string& name, std::function<Geometry(double)> shape);

/// 0 at frame 2, 1 from frame 6 to 8, 0 from frame 12 on.
double closing(double frame);

/// An empty shot of so many frames.
SessionSetup pinch_setup(int last);
/// Two balls that close on a sheet between them until they overlap, and open again.
SessionSetup closing_balls();
/// V27: a sleeve over two capsules that fold into each other at the elbow.
SessionSetup elbow();
/// An arm that swings down onto cloth that hangs between it and the chest.
SessionSetup armpit();

struct Outcome {
    State end;
    double fastest = 0;      ///< [m/s]
    int most_released = 0;   ///< vertices
    double most_held_up = 0; ///< [m]
    int released_at_end = 0, ignored_at_end = 0;
    double held_up_at_end = 0; ///< [m]
    std::string log;
};

/// Every frame must come, and be free of intersections but for released points.
Outcome run_judged(const SessionSetup& setup);

} // namespace selvage::test
