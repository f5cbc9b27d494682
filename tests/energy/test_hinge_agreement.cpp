// Four exact ways to the derivatives of bending: the kernel, printed block formulas, the triangle
// template and automatic differentiation agree to five units in the last place, ‖A − B‖/‖A‖ in
// 2⁻⁵³ (K6).
#include "core/bench/autodiff.h"
#include "core/bench/plain_formulas.h"
#include "core/energy/hinge_bending.h"
#include "tests/support/finite_difference.h"
#include "tests/support/meshes.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

const double ulp = std::pow(2.0, -53);
constexpr double folds[] = {0, 1e-9, 0.1, -0.4, 1.0, M_PI / 2, -2.0, 2.9, -3.1};

/// Feet of the altitudes inside the edge, as in meshes that hold cloth; the far side turned by θ.
Vec12 good_hinge(double theta, Random& random)
{
    Vec12 x;
    x << 0.5 + 0.3 * random(), 0.9, 0, 0, 0, 0, 1, 0, 0, 0.5 + 0.3 * random(),
        -0.9 * std::cos(theta), -0.9 * std::sin(theta);
    return x;
}

/// ∇θ and Hess θ by the printed block formulas, corrected: (5.5) with the cosine at the other
/// vertex of the edge. In any precision.
template <class S> struct BlockFormulas {
    using V3 = Eigen::Matrix<S, 3, 1>;
    using M3 = Eigen::Matrix<S, 3, 3>;
    Eigen::Matrix<S, 12, 1> gradient = Eigen::Matrix<S, 12, 1>::Zero();
    Eigen::Matrix<S, 12, 12> hessian = Eigen::Matrix<S, 12, 12>::Zero();

    explicit BlockFormulas(const Vec12& x)
    {
        add_side(x, 0, 1, 2);
        add_side(x, 3, 2, 1);
    }

private:
    void add_side(const Vec12& x, int v0, int v1, int v2)
    {
        const int v[3] = {v0, v1, v2};
        V3 p[3], e[3], unit[3], m[3];
        S inverse_h[3], cosine[3];
        for (int i = 0; i < 3; ++i) p[i] = x.segment<3>(3 * v[i]).template cast<S>();
        for (int i = 0; i < 3; ++i) e[i] = p[(i + 2) % 3] - p[(i + 1) % 3];
        const V3 normal = e[0].cross(e[1]);
        const S twice_area = normal.norm();
        const V3 n = normal / twice_area;
        for (int i = 0; i < 3; ++i) {
            unit[i] = e[i].normalized();
            m[i] = unit[i].cross(n);
            inverse_h[i] = e[i].norm() / twice_area;
        }
        for (int i = 0; i < 3; ++i) cosine[i] = -unit[(i + 1) % 3].dot(unit[(i + 2) % 3]);
        gradient.template segment<3>(3 * v0) = -inverse_h[0] * n;
        gradient.template segment<3>(3 * v1) += cosine[2] * inverse_h[1] * n;
        gradient.template segment<3>(3 * v2) += cosine[1] * inverse_h[2] * n;

        const auto w = [&](int i, int j) { return inverse_h[i] * inverse_h[j]; };
        const auto M = [&](int i) { return M3(n * m[i].transpose()); };
        const auto twice = [](const M3& A) { return M3(A + A.transpose()); };
        const M3 N0 = M(0) / e[0].squaredNorm();
        const auto P = [&](int i, int j) { return M3(w(i, j) * cosine[3 - i] * M(j).transpose()); };
        const auto Q = [&](int j) { return M3(w(0, j) * M(j)); };
        const auto add = [&](int i, int j, const M3& B) {
            hessian.template block<3, 3>(3 * v[i], 3 * v[j]) += B;
            if (i != j) hessian.template block<3, 3>(3 * v[j], 3 * v[i]) += B.transpose();
        };
        add(0, 0, -twice(Q(0)));
        add(1, 1, twice(P(1, 1)) - N0);
        add(2, 2, twice(P(2, 2)) - N0);
        add(1, 0, P(1, 0) - Q(1));
        add(2, 0, P(2, 0) - Q(2));
        // (x1, x2) lie the other way round in the second triangle: N0 counts transposed there.
        add(1, 2, P(1, 2) + P(2, 1).transpose() + (v0 == 0 ? N0 : M3(N0.transpose())));
    }
};

double autodiff_error(const Vec12& x, const Dual2<12>& d)
{
    return std::max(relative_error(hinge_angle_gradient(x), d.gradient),
                    relative_error(hinge_angle_hessian(x), d.hessian));
}

/// A mesh with a state, and Hess Σ ½ θ² over its hinges in three ways.
struct BentMesh {
    Mesh mesh;
    VecX x;
    std::vector<std::int32_t> hinges;

    BentMesh(const Mesh& m, const VecX& at) : mesh(m), x(at), hinges(hinges_of(m)) {}

    /// Σ over hinges of what `hessian` makes of their positions.
    template <class Hessian> MatX by_hinges(const Hessian& hessian) const
    {
        MatX sum = MatX::Zero(x.size(), x.size());
        for (std::size_t h = 0; h < hinges.size() / 4; ++h) {
            const std::int32_t* v = &hinges[4 * h];
            const Mat12 H = hessian(element_positions<4>(x, hinges, h));
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    sum.block<3, 3>(3 * v[i], 3 * v[j]) += H.block<3, 3>(3 * i, 3 * j);
        }
        return sum;
    }
    MatX by_kernel() const
    {
        return by_hinges([](const Vec12& p) {
            return hinge_bending_hessian(p, HingeElement{0.5, 0, 0}, BendingForm::angle,
                                         Psd::exact);
        });
    }
    MatX by_autodiff() const
    {
        return by_hinges([](const Vec12& p) {
            return plain_hinge_bending(variables<12>(p), HingeElement{0.5, 0, 0},
                                       BendingForm::angle)
                .hessian;
        });
    }
    MatX by_triangles() const;
};

/// The template per triangle: c_i = ψ′ at edge i, and ψ″ ∇θ∇θᵀ once per hinge.
MatX BentMesh::by_triangles() const
{
    std::map<std::pair<int, int>, double> weight; // by undirected edge
    MatX sum = by_hinges([](const Vec12& p) {
        const Vec12 g = hinge_angle_gradient(p);
        return Mat12(g * g.transpose());
    });
    for (std::size_t h = 0; h < hinges.size() / 4; ++h)
        weight[{hinges[4 * h + 1], hinges[4 * h + 2]}] =
            hinge_angle(element_positions<4>(x, hinges, h));
    for (std::size_t t = 0; t < mesh.triangles.size(); t += 3) {
        const std::int32_t* v = &mesh.triangles[t];
        Vec3 p[3], e[3], m[3];
        double c[3], cosine[3], inverse_h[3];
        bool stored_here[3];
        for (int i = 0; i < 3; ++i) p[i] = x.segment<3>(3 * v[i]);
        for (int i = 0; i < 3; ++i) e[i] = p[(i + 2) % 3] - p[(i + 1) % 3];
        const Vec3 normal = e[0].cross(e[1]), n = normal.normalized();
        for (int i = 0; i < 3; ++i) {
            const int a = v[(i + 1) % 3], b = v[(i + 2) % 3];
            const auto it = weight.find({std::min(a, b), std::max(a, b)});
            c[i] = it == weight.end() ? 0 : it->second;
            stored_here[i] = a < b;
            m[i] = e[i].normalized().cross(n);
            inverse_h[i] = e[i].norm() / normal.norm();
            cosine[i] = -e[(i + 1) % 3].normalized().dot(e[(i + 2) % 3].normalized());
        }
        const auto d = [&](int i) {
            return c[(i + 2) % 3] * cosine[(i + 1) % 3] + c[(i + 1) % 3] * cosine[(i + 2) % 3] -
                   c[i];
        };
        const auto M = [&](int i) { return Mat3(n * m[i].transpose()); };
        const auto R = [&](int i) { return Mat3(c[i] / e[i].squaredNorm() * M(i)); };
        for (int i = 0; i < 3; ++i) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            sum.block<3, 3>(3 * v[i], 3 * v[i]) +=
                inverse_h[i] * inverse_h[i] * d(i) * (M(i) + M(i).transpose()) - R(j) - R(k);
            const Mat3 B = inverse_h[i] * inverse_h[j] * (d(i) * M(j).transpose() + d(j) * M(i)) +
                           (stored_here[k] ? R(k) : Mat3(R(k).transpose()));
            sum.block<3, 3>(3 * v[i], 3 * v[j]) += B;
            sum.block<3, 3>(3 * v[j], 3 * v[i]) += B.transpose();
        }
    }
    return sum;
}

/// Cloth that lies over a sphere, its edge hanging; a clamped beam that sags; crumpled cloth.
std::vector<BentMesh> bent_meshes()
{
    std::vector<BentMesh> all;
    const Mesh square = grid_cloth(10, 10, 1, 1), strip = grid_cloth(24, 4, 1, 0.15);
    VecX x = square.stacked();
    for (Eigen::Index i = 0; i < x.size(); i += 3) {
        const Vec3 p = x.segment<3>(i) - Vec3(0.5, 0, 0.5);
        const double r = p.norm(), R = 0.3, angle = std::min(r / R, M_PI / 2);
        const Vec3 out = r > 0 ? Vec3(p / r) : Vec3(Vec3::Zero());
        x.segment<3>(i) = R * std::sin(angle) * out +
                          Vec3(0, R * std::cos(angle) - std::max(0.0, r - R * M_PI / 2), 0);
    }
    all.emplace_back(square, x);
    x = strip.stacked();
    for (Eigen::Index i = 0; i < x.size(); i += 3) {
        const double s = x[i];
        x.segment<3>(i) = Vec3(std::sin(1.2 * s) / 1.2, (std::cos(1.2 * s) - 1) / 1.2, x[i + 2]);
    }
    all.emplace_back(strip, x);
    Random random(3);
    x = square.stacked();
    x += 0.02 * random.vector(x.size());
    all.emplace_back(square, x);
    return all;
}

} // namespace

TEST(HingeAgreement, EveryHingeIsWithinFiveUlpOfTheExactDerivatives)
{
    Random random(2);
    double kernel = 0, formulas = 0, gradients = 0;
    for (const double theta : folds)
        for (int i = 0; i < 100; ++i) {
            const Vec12 x = good_hinge(theta, random);
            const BlockFormulas<long double> exact(x);
            const Mat12 H = exact.hessian.cast<double>();
            kernel = std::max(kernel, relative_error(hinge_angle_hessian(x), H) / ulp);
            formulas =
                std::max(formulas, relative_error(BlockFormulas<double>(x).hessian, H) / ulp);
            gradients = std::max(gradients, relative_error(hinge_angle_gradient(x),
                                                           Vec12(exact.gradient.cast<double>())) /
                                                ulp);
        }
    EXPECT_LE(kernel, 5);
    EXPECT_LE(formulas, 5);
    EXPECT_LE(gradients, 5);
    RecordProperty("kernel_ulp", std::to_string(kernel));
    RecordProperty("formulas_ulp", std::to_string(formulas));
    RecordProperty("gradients_ulp", std::to_string(gradients));
}

TEST(HingeAgreement, AutodiffOfAHingeIsTypicallyWithinFiveUlp)
{
    Random random(3);
    std::vector<double> errors;
    for (int i = 0; i < 500; ++i) {
        const Vec12 x = good_hinge(2.5 * random(), random);
        const Dual2<12> d = plain_hinge_angle(variables<12>(x));
        EXPECT_NEAR(d.value, hinge_angle(x), 1e-13);
        errors.push_back(autodiff_error(x, d) / ulp);
    }
    std::sort(errors.begin(), errors.end());
    EXPECT_LT(errors[250], 5);
    EXPECT_LT(errors.back(), 20); // differentiated products cancel where the kernel has none
    RecordProperty("median_ulp", std::to_string(errors[250]));
    RecordProperty("worst_ulp", std::to_string(errors.back()));
}

TEST(HingeAgreement, ThinHingesLoseADigitOrTwo)
{
    Random random(2);
    std::vector<double> errors;
    for (int i = 0; i < 200; ++i) {
        Vec12 x;
        x << 0, 1, 0, 0, 0, 0, 1, 0, 0, 0.5, -1, 0;
        x = moved(Vec12(x + 0.4 * random.vector(12)), random.rotation(), Vec3(0, 0, 0));
        const Dual2<12> d = plain_hinge_angle(variables<12>(x));
        EXPECT_NEAR(d.value, hinge_angle(x), 1e-13);
        errors.push_back(autodiff_error(x, d) / ulp);
    }
    std::sort(errors.begin(), errors.end());
    EXPECT_LT(errors[100], 20);
    EXPECT_LT(errors.back(), 200);
}

TEST(HingeAgreement, MatricesOfBentMeshesAgreeToFiveUlp)
{
    double worst = 0;
    for (const BentMesh& bent : bent_meshes()) {
        const MatX kernel = bent.by_kernel(), triangles = bent.by_triangles(),
                   autodiff = bent.by_autodiff();
        for (const double error :
             {relative_error(kernel, triangles), relative_error(kernel, autodiff),
              relative_error(triangles, autodiff)}) {
            EXPECT_LE(error, 5 * ulp);
            worst = std::max(worst, error / ulp);
        }
    }
    RecordProperty("worst_ulp", std::to_string(worst));
}
