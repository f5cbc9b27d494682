#include "core/model/cloth_strain.h"

#include "core/base/parallel.h"

namespace selvage
{
namespace
{

/// Largest singular value of the 3×2 deformation gradient, through the 2×2 C = FᵀF.
double largest_stretch(const Vec3& e1, const Vec3& e2, const Vec3& r1, const Vec3& r2)
{
    // Rest metric G and current metric g: C = G⁻¹ g has the squared stretches as eigenvalues.
    const double G11 = r1.dot(r1), G12 = r1.dot(r2), G22 = r2.dot(r2);
    const double g11 = e1.dot(e1), g12 = e1.dot(e2), g22 = e2.dot(e2);
    const double det = G11 * G22 - G12 * G12;
    const double trace = (G22 * g11 - 2 * G12 * g12 + G11 * g22) / det;
    const double product = std::max(0.0, (g11 * g22 - g12 * g12) / det);
    return std::sqrt(0.5 * (trace + std::sqrt(std::max(0.0, trace * trace - 4 * product))));
}

} // namespace

VecX triangle_stretch(const Cloth& cloth, const VecX& x)
{
    const auto& triangles = cloth.mesh.triangles;
    VecX stretch(Eigen::Index(triangles.size()));
    parallel_for(triangles.size(), 1024, [&](std::size_t i) {
        const Vec3i& t = triangles[i];
        const auto current = [&](int k) { return x.segment<3>(3 * (cloth.first_vertex + t[k])); };
        const auto rest = [&](int k) { return cloth.x_rest.segment<3>(3 * t[k]); };
        stretch[Eigen::Index(i)] = largest_stretch(current(1) - current(0), current(2) - current(0),
                                                   rest(1) - rest(0), rest(2) - rest(0));
    });
    return stretch;
}

VecX point_strain(const Cloth& cloth, const VecX& x)
{
    const VecX stretch = triangle_stretch(cloth, x);
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
        largest = std::max(largest, triangle_stretch(c, x).maxCoeff() - 1);
    return largest;
}

} // namespace selvage
