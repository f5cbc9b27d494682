#include "core/math/rigid_fit.h"

#include <Eigen/Geometry>
#include <Eigen/SVD>

namespace selvage
{

RigidMotion rigid_fit(const VecX& a, const VecX& b)
{
    RigidMotion m;
    if (a.size() == 0) return m;
    const Eigen::Map<const Eigen::Matrix3Xd> A(a.data(), 3, a.size() / 3),
        B(b.data(), 3, b.size() / 3);
    m.center_0 = A.rowwise().mean();
    m.center_1 = B.rowwise().mean();
    const Mat3 H = (B.colwise() - m.center_1) * (A.colwise() - m.center_0).transpose();
    const Eigen::JacobiSVD<Mat3> svd(H, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Vec3 sign = Vec3::Ones();
    if (svd.matrixU().determinant() * svd.matrixV().determinant() < 0) sign[2] = -1;
    m.rotation = svd.matrixU() * sign.asDiagonal() * svd.matrixV().transpose();
    return m;
}

RigidMotion partial_motion(const RigidMotion& motion, double fraction)
{
    const Eigen::AngleAxisd turn(motion.rotation);
    RigidMotion part = motion;
    part.rotation = Eigen::AngleAxisd(fraction * turn.angle(), turn.axis()).toRotationMatrix();
    part.center_1 = motion.center_0 + fraction * (motion.center_1 - motion.center_0);
    return part;
}

} // namespace selvage
