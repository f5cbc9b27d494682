#include "core/contact/mollifier.h"

#include <Eigen/Geometry>

namespace selvage
{

double edge_cross_squared(const Vec12& x)
{
    const Vec3 u = x.segment<3>(3) - x.head<3>(), v = x.tail<3>() - x.segment<3>(6);
    return u.cross(v).squaredNorm();
}

EdgeCross edge_cross(const Vec12& x)
{
    const Vec3 u = x.segment<3>(3) - x.head<3>(), v = x.tail<3>() - x.segment<3>(6);
    const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v);
    EdgeCross c;
    // Not u²v² − (u·v)²: that cancels near parallel.
    c.value = u.cross(v).squaredNorm();
    const Vec3 g_u = 2 * (vv * u - uv * v), g_v = 2 * (uu * v - uv * u);
    c.gradient.head<3>() = -g_u, c.gradient.segment<3>(3) = g_u;
    c.gradient.segment<3>(6) = -g_v, c.gradient.tail<3>() = g_v;
    const Mat3 uu_block = 2 * (vv * Mat3::Identity() - v * v.transpose());
    const Mat3 vv_block = 2 * (uu * Mat3::Identity() - u * u.transpose());
    const Mat3 uv_block = 2 * (2 * u * v.transpose() - v * u.transpose() - uv * Mat3::Identity());
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
            const double sign = i % 2 == j % 2 ? 1 : -1; // u = x1 − x0, v = x3 − x2
            auto block = c.hessian.block<3, 3>(3 * i, 3 * j);
            if (i < 2 && j < 2) block = sign * uu_block;
            if (i >= 2 && j >= 2) block = sign * vv_block;
            if (i < 2 && j >= 2) block = sign * uv_block;
            if (i >= 2 && j < 2) block = sign * uv_block.transpose();
        }
    return c;
}

Mollifier mollifier(double cross_squared, double epsilon)
{
    if (!(cross_squared < epsilon)) return {1, 0, 0};
    const double s = cross_squared / epsilon;
    return {(2 - s) * s, 2 * (1 - s) / epsilon, -2 / (epsilon * epsilon)};
}

} // namespace selvage
