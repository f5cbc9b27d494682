#include "core/energy/membrane_element.h"

#include "core/base/error.h"

#include <Eigen/Geometry>

namespace selvage
{

MembraneTriangle membrane_triangle(const Vec3& p0, const Vec3& p1, const Vec3& p2, const Vec3& warp)
{
    const Vec3 e1 = p1 - p0, e2 = p2 - p0, n = e1.cross(e2);
    const Vec3 across = n.cross(warp);
    const double longest = std::max({e1.squaredNorm(), e2.squaredNorm(), (p2 - p1).squaredNorm()});
    if (!(n.norm() > 1e-10 * longest))
        throw InputError("A triangle has no rest area. Remove degenerate primitives.");
    if (!(across.norm() > 1e-6 * n.norm() * warp.norm()))
        throw InputError("The warp direction of a triangle is orthogonal to it. Give a warp "
                         "direction that lies in the cloth.");
    const Vec3 weft = across.normalized(), along = weft.cross(n).normalized();
    Mat2 D;
    D << along.dot(e1), along.dot(e2), weft.dot(e1), weft.dot(e2);
    return {D.inverse(), 0.5 * n.norm()};
}

MembraneTriangle membrane_triangle(const Vec3& l, const Vec2& w)
{
    // Lay the triangle into the plane, where â⊥ = w0 ē0 + w1 ē1 is the weft.
    const double x = (l[1] * l[1] + l[2] * l[2] - l[0] * l[0]) / (2 * l[2]);
    const double y = std::sqrt(std::max(0.0, l[1] * l[1] - x * x));
    const Vec3 p0(0, 0, 0), p1(l[2], 0, 0), p2(x, y, 0);
    const Vec3 weft = w[0] * (p2 - p1) + w[1] * (p0 - p2);
    return membrane_triangle(p0, p1, p2, Vec3(weft[1], -weft[0], 0));
}

Mat32 deformation_gradient(const Vec9& x, const MembraneTriangle& triangle)
{
    Mat32 D;
    D << x.segment<3>(3) - x.segment<3>(0), x.segment<3>(6) - x.segment<3>(0);
    return D * triangle.inverse_rest;
}

} // namespace selvage
