#include "core/session/plane_source.h"

#include "core/base/error.h"

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <cmath>

namespace selvage
{
namespace
{

/// Corners that turn with the normal as little as they can, so that a tilting plane does not spin.
Mat3 frame_of(const Vec3& normal)
{
    return Eigen::Quaterniond::FromTwoVectors(Vec3::UnitY(), normal).toRotationMatrix();
}

} // namespace

PlaneSource::PlaneSource(ParameterSet plane, std::string who)
    : plane_(std::move(plane)), who_(std::move(who))
{
}

std::shared_ptr<const Geometry> PlaneSource::at(double frame)
{
    const Vec3 point = plane_.vector("point", frame), normal = plane_.vector("normal", frame);
    if (!(normal.norm() > 0) || !normal.allFinite() || !point.allFinite())
        throw InputError(fmt::format(
            "{}: plane.normal is ({:g}, {:g}, {:g}) at frame {:g}. Give a direction that is not "
            "zero.",
            who_, normal[0], normal[1], normal[2], frame));
    const Mat3 R = frame_of(normal.normalized());
    auto geometry = std::make_shared<Geometry>();
    geometry->set_point_count(3);
    VecX x(9);
    for (int i = 0; i < 3; ++i) {
        const double angle = -2 * M_PI * i / 3; // counter-clockwise seen from above
        x.segment<3>(3 * i) = point + R * Vec3(std::cos(angle), 0, std::sin(angle));
    }
    geometry->set_vectors("P", x, "point", Storage::real64);
    geometry->add_polygon({0, 1, 2});
    return geometry;
}

} // namespace selvage
