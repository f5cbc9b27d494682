#include "plugin/houdini/object_space.h"

#include "core/base/error.h"

#include <SIM/SIM_Utils.h>
#include <UT/UT_Matrix4.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SVD>

namespace selvage::houdini
{
namespace
{

void map_vectors(Geometry& g, const char* name, const Mat3& A, const Vec3& t)
{
    const Attribute* a = g.find(Owner::point, name);
    if (!a || a->is_array || a->tuple_size != 3 || !is_real(a->storage)) return;
    Attribute to = *a;
    for (std::size_t i = 0; i < to.size(); ++i) {
        const Vec3 x = A * Vec3(to.number(i, 0), to.number(i, 1), to.number(i, 2)) + t;
        for (int c = 0; c < 3; ++c) to.set_number(i, c, x[c]);
    }
    g.set(std::move(to));
}

void turn_frames(Geometry& g, const Mat3& A)
{
    const Attribute* a = g.find(Owner::point, "orient");
    if (!a || a->is_array || a->tuple_size != 4 || !is_real(a->storage)) return;
    const Eigen::JacobiSVD<Mat3> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const Mat3 R = svd.matrixU() * svd.matrixV().transpose();
    if (R.determinant() < 0) return; // mirrored: no rotation says it
    const Eigen::Quaterniond turn(R);
    Attribute to = *a;
    for (std::size_t i = 0; i < to.size(); ++i) {
        const Eigen::Quaterniond q(to.number(i, 3), to.number(i, 0), to.number(i, 1),
                                   to.number(i, 2));
        const Eigen::Vector4d turned = (turn * q).coeffs(); // x y z w
        for (int c = 0; c < 4; ++c) to.set_number(i, c, turned[c]);
    }
    g.set(std::move(to));
}

Geometry mapped(Geometry g, const Mat3& A, const Vec3& t)
{
    map_vectors(g, "P", A, t);
    map_vectors(g, "targetP", A, t);
    map_vectors(g, "rest", A, t);
    map_vectors(g, "v", A, Vec3::Zero());
    turn_frames(g, A);
    return g;
}

} // namespace

ObjectSpace::ObjectSpace(const SIM_Object& object)
{
    UT_DMatrix4 m; // acts on rows
    SIMgetGeometryTransform(m, object);
    for (unsigned i = 0; i < 3; ++i) {
        origin_[int(i)] = m(3, i);
        for (unsigned j = 0; j < 3; ++j) axes_(int(i), int(j)) = m(j, i);
    }
    is_world_ = axes_ == Mat3::Identity() && origin_ == Vec3::Zero();
    if (std::abs(axes_.determinant()) < 1e-12)
        throw InputError("The object's transform has a scale of zero. Set its Position or "
                         "transform so that its geometry has a size.");
}

std::shared_ptr<const Geometry> ObjectSpace::to_world(std::shared_ptr<const Geometry> g) const
{
    if (is_world_ || !g) return g;
    return std::make_shared<const Geometry>(mapped(*g, axes_, origin_));
}

Geometry ObjectSpace::from_world(const Geometry& g) const
{
    if (is_world_) return g;
    const Mat3 back = axes_.inverse();
    return mapped(g, back, -(back * origin_));
}

} // namespace selvage::houdini
