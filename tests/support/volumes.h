#pragma once

#include "core/geometry/geometry.h"
#include "core/geometry/moving_field.h"

namespace selvage::test
{

inline DistanceSamples ball_samples(double radius, const Vec3& centre, double voxel = 0.01,
                                    double band = 0.03)
{
    return sample_distance([=](const Vec3& x) { return (x - centre).norm() - radius; },
                           centre - Vec3::Constant(radius), centre + Vec3::Constant(radius), voxel,
                           band);
}

inline std::shared_ptr<const DistanceField> ball_field(double radius, const Vec3& centre,
                                                       double voxel = 0.01, double band = 0.03)
{
    return std::make_shared<DistanceField>(ball_samples(radius, centre, voxel, band));
}

/// A block with sharp edges and corners.
inline std::shared_ptr<const DistanceField> block_field(const Vec3& half, double voxel = 0.01,
                                                        double band = 0.03)
{
    const auto distance = [=](const Vec3& x) {
        const Vec3 q = x.cwiseAbs() - half;
        return q.cwiseMax(0.0).norm() + std::min(q.maxCoeff(), 0.0);
    };
    return std::make_shared<DistanceField>(sample_distance(distance, -half, half, voxel, band));
}

inline Geometry volume_geometry(std::shared_ptr<const DistanceField> field,
                                const std::string& name = "surface")
{
    Geometry g;
    g.volumes.push_back({name, Volume::Kind::signed_distance, std::move(field)});
    return g;
}

} // namespace selvage::test
