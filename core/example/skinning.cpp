#include "core/example/skinning.h"

#include "core/base/error.h"
#include "core/base/parallel.h"

#include <Eigen/SparseCholesky>

#include <algorithm>

namespace selvage
{
namespace
{

using Sparse = Eigen::SparseMatrix<double>;

/// Smaller weights are cut off (continuously: the value is subtracted before normalising).
constexpr double smallest_weight = 0.01;

double segment_distance(const Vec3& p, const Vec3& a, const Vec3& b)
{
    const Vec3 d = b - a;
    const double x = std::clamp((p - a).dot(d) / d.squaredNorm(), 0.0, 1.0);
    return (p - a - x * d).norm();
}

/// The cotangent Laplacian L, and the area that belongs to each point.
Sparse laplacian(const TriangleMesh& mesh, VecX& area)
{
    std::vector<Eigen::Triplet<double>> entries;
    area = VecX::Zero(Eigen::Index(mesh.points.size()));
    for (const Vec3i& t : mesh.triangles)
        for (int c = 0; c < 3; ++c) {
            const int i = t[c], j = t[(c + 1) % 3], k = t[(c + 2) % 3];
            const Vec3 a = mesh.points[std::size_t(i)] - mesh.points[std::size_t(k)];
            const Vec3 b = mesh.points[std::size_t(j)] - mesh.points[std::size_t(k)];
            const double twice_area = a.cross(b).norm();
            const double w = std::max(0.5 * a.dot(b) / twice_area, 0.0); // ½ cot, kept ≥ 0
            area[i] += twice_area / 6;
            entries.emplace_back(i, j, -w);
            entries.emplace_back(j, i, -w);
            entries.emplace_back(i, i, w);
            entries.emplace_back(j, j, w);
        }
    Sparse L(area.size(), area.size());
    L.setFromTriplets(entries.begin(), entries.end());
    return L;
}

std::vector<Influence> normalised(const Eigen::RowVectorXd& weights)
{
    std::vector<Influence> out;
    double sum = 0;
    for (int j = 0; j < int(weights.size()); ++j) {
        const double w = weights[j] - smallest_weight;
        if (w <= 0) continue;
        out.push_back({j, w});
        sum += w;
    }
    for (Influence& i : out) i.weight /= sum;
    return out;
}

/// A rigid motion x → r x r* + t as r + ε d, d = ½ t r.
struct DualQuaternion {
    Eigen::Quaterniond real;
    Eigen::Vector4d dual; ///< x y z w
};

DualQuaternion dual_quaternion(const Eigen::Isometry3d& motion)
{
    const Eigen::Quaterniond r(motion.linear());
    const Vec3 t = motion.translation();
    const Eigen::Quaterniond d = Eigen::Quaterniond(0, t.x(), t.y(), t.z()) * r;
    return {r, 0.5 * d.coeffs()};
}

} // namespace

SkinWeights heat_weights(const TriangleMesh& mesh, const Skeleton& skeleton)
{
    const auto n = Eigen::Index(mesh.points.size());
    VecX area;
    Sparse A = laplacian(mesh, area);
    MatX source = MatX::Zero(n, joint_count);
    for (Eigen::Index i = 0; i < n; ++i) {
        int nearest = 0;
        double least = infinity, distance = infinity;
        for (std::size_t j = 0; j < joint_count; ++j) {
            const double d =
                segment_distance(mesh.points[std::size_t(i)], skeleton.origin[j], skeleton.tip[j]);
            if (d / skeleton.girth[j] >= least) continue;
            least = d / skeleton.girth[j];
            distance = d;
            nearest = int(j);
        }
        const double heat = area[i] / (distance * distance);
        A.coeffRef(i, i) += heat;
        source(i, nearest) = heat;
    }

    const Eigen::SimplicialLDLT<Sparse> solver(A);
    if (solver.info() != Eigen::Success)
        throw InputError("Skin weights could not be computed: the mesh has degenerate triangles.");
    const MatX weights = solver.solve(source);
    SkinWeights out;
    for (Eigen::Index i = 0; i < n; ++i) out.push_back(normalised(weights.row(i)));
    return out;
}

VecX skin(const VecX& points, const SkinWeights& weights, const PerJoint<Eigen::Isometry3d>& bones)
{
    PerJoint<DualQuaternion> motion;
    for (std::size_t j = 0; j < joint_count; ++j) motion[j] = dual_quaternion(bones[j]);

    VecX out(points.size());
    parallel_for(weights.size(), 1024, [&](std::size_t i) {
        const auto strongest = std::max_element(
            weights[i].begin(), weights[i].end(),
            [](const Influence& a, const Influence& b) { return a.weight < b.weight; });
        const Eigen::Vector4d pivot = motion[std::size_t(strongest->joint)].real.coeffs();
        Eigen::Vector4d real = Eigen::Vector4d::Zero(), dual = Eigen::Vector4d::Zero();
        for (const Influence& f : weights[i]) {
            const DualQuaternion& m = motion[std::size_t(f.joint)];
            // q and −q are the same rotation: take the one on the pivot's side.
            const double w = m.real.coeffs().dot(pivot) < 0 ? -f.weight : f.weight;
            real += w * m.real.coeffs();
            dual += w * m.dual;
        }
        const double length = real.norm();
        const Eigen::Quaterniond r(Eigen::Vector4d(real / length)),
            d(Eigen::Vector4d(dual / length));
        const Vec3 t = 2 * (d * r.conjugate()).vec();
        out.segment<3>(3 * Eigen::Index(i)) = r * Vec3(points.segment<3>(3 * Eigen::Index(i))) + t;
    });
    return out;
}

} // namespace selvage
