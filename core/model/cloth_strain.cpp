#include "core/model/cloth_strain.h"

#include "core/base/parallel.h"

namespace selvage
{
namespace
{

/// Largest singular value of the 3×2 deformation gradient, through the 2×2 C = FᵀF.
double largest_stretch(const Vec3& e1, const Vec3& e2, const Vec3& rest_lengths)
{
    // Rest metric G and current metric g: C = G⁻¹ g has the squared stretches as eigenvalues.
    const Vec3 q = rest_lengths.cwiseProduct(rest_lengths);
    const double G11 = q[2], G12 = 0.5 * (q[1] + q[2] - q[0]), G22 = q[1];
    const double g11 = e1.dot(e1), g12 = e1.dot(e2), g22 = e2.dot(e2);
    const double area = triangle_area(rest_lengths), det = 4 * area * area;
    const double trace = (G22 * g11 - 2 * G12 * g12 + G11 * g22) / det;
    const double product = std::max(0.0, (g11 * g22 - g12 * g12) / det);
    return std::sqrt(0.5 * (trace + std::sqrt(std::max(0.0, trace * trace - 4 * product))));
}

} // namespace

VecX triangle_stretch(const Cloth& cloth, const RestShape& rest, const VecX& x)
{
    const auto& triangles = cloth.mesh.triangles;
    VecX stretch(Eigen::Index(triangles.size()));
    parallel_for(triangles.size(), 1024, [&](std::size_t i) {
        const Vec3i& t = triangles[i];
        const auto current = [&](int k) { return x.segment<3>(3 * (cloth.first_vertex + t[k])); };
        stretch[Eigen::Index(i)] =
            largest_stretch(current(1) - current(0), current(2) - current(0), rest.lengths[i]);
    });
    return stretch;
}

VecX point_strain(const Cloth& cloth, const RestShape& rest, const VecX& x)
{
    const VecX stretch = triangle_stretch(cloth, rest, x);
    VecX strain = VecX::Constant(cloth.point_count(), -1);
    for (std::size_t i = 0; i < cloth.mesh.triangles.size(); ++i)
        for (int k = 0; k < 3; ++k) {
            double& s = strain[cloth.mesh.triangles[i][k]];
            s = std::max(s, stretch[Eigen::Index(i)] - 1);
        }
    return (strain.array() == -1).select(0, strain);
}

double max_strain(const Scene& scene, const VecX& x)
{
    double largest = 0;
    for (const Cloth& c : scene.cloths)
        largest = std::max(largest, triangle_stretch(c, c.rest, x).maxCoeff() - 1);
    return largest;
}

} // namespace selvage
