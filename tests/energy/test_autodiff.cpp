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

constexpr double ulp = std::numeric_limits<double>::epsilon();

/// A triangle with its rest shape, and a strained state well away from cancellation.
struct Membrane {
    Vec9 rest, x;
    Vec3 warp;
    MembraneTriangle triangle;

    explicit Membrane(Random& random)
    {
        rest << 0, 0, 0, 1 + 0.2 * random(), 0.2 * random(), 0, 0.3 + 0.3 * random(),
            0.9 + 0.2 * random(), 0;
        warp = Vec3(random(), random(), 0);
        triangle =
            membrane_triangle(rest.segment<3>(0), rest.segment<3>(3), rest.segment<3>(6), warp);
        x = 1.3 * rest + 0.2 * random.vector(9);
    }
};

/// Largest normwise difference of gradients and Hessians, in ulp.
template <int N>
double difference(const Dual2<N>& d, const Eigen::Matrix<double, N, 1>& g,
                  const Eigen::Matrix<double, N, N>& H)
{
    return std::max(relative_error(g, d.gradient), relative_error(H, d.hessian)) / ulp;
}

} // namespace

TEST(Autodiff, OperatorsMatchFiniteDifferences)
{
    using std::atan2, std::exp, std::log, std::sqrt, std::tan;
    const auto formula = [](const auto& a, const auto& b, const auto& c) {
        return atan2(a * b - c, exp(-b) + 1.0) * log(a + b * b) / sqrt(c) + tan(a / c);
    };
    const Vec3 x(0.7, 0.4, 1.3);
    const auto v = variables<3>(x);
    const Dual2<3> d = formula(v[0], v[1], v[2]);
    const auto value = [&](const VecX& y) { return formula(y[0], y[1], y[2]); };
    const auto gradient = [&](const VecX& y) {
        const auto w = variables<3>(Vec3(y));
        return VecX(formula(w[0], w[1], w[2]).gradient);
    };
    EXPECT_DOUBLE_EQ(d.value, value(x));
    EXPECT_LT(relative_error(d.gradient, fd_gradient(value, x, 5e-3)), 1e-9);
    EXPECT_LT(relative_error(d.hessian, fd_jacobian(gradient, x, 5e-3)), 1e-9);
}

TEST(Autodiff, MembranesAgreeToFewUlp) // K6
{
    const NeoHookeanMembrane::Moduli neo = neo_hookean_membrane_moduli(1000, 0.3);
    const BaraffWitkinModuli cloth{1000, 700, 300};
    const double Y = 1000, nu = 0.3;
    const OrthotropicConstants k = orthotropic_constants({Y, Y, Y / (2 * (1 + nu)), nu});
    Random random(1);
    const PlainFabric fabric{FabricCurve::from_pull({{0.1, 100}, {0.4, 700}}, "warp"),
                             FabricCurve::from_pull({{0.2, 150}, {0.5, 600}}, "weft"),
                             FabricCurve::from_shear({{0.1, 30}, {0.3, 150}}, "shear"), 0.2};
    const SplineMembrane spline(fabric.warp, fabric.weft, fabric.shear, fabric.poisson);
    double worst[4] = {0, 0, 0, 0};
    for (int i = 0; i < 200; ++i) {
        const Membrane m(random);
        const auto x = variables<9>(m.x);
        const auto& t = m.triangle;
        const StvkTriangle s = stvk_triangle(m.rest.segment<3>(0), m.rest.segment<3>(3),
                                             m.rest.segment<3>(6), m.warp, k);
        worst[0] = std::max(worst[0], difference<9>(plain_stvk_membrane(x, t, k.lambda, k.mu),
                                                    stvk_membrane_gradient(m.x, s),
                                                    stvk_membrane_hessian(m.x, s, Psd::exact)));
        worst[1] = std::max(
            worst[1], difference<9>(plain_neo_hookean_membrane(x, t, neo),
                                    membrane_gradient<NeoHookeanMembrane>(m.x, t, neo),
                                    membrane_hessian<NeoHookeanMembrane>(m.x, t, neo, Psd::exact)));
        worst[2] = std::max(
            worst[2],
            difference<9>(plain_baraff_witkin(x, t, cloth),
                          membrane_gradient<BaraffWitkinMembrane>(m.x, t, cloth),
                          membrane_hessian<BaraffWitkinMembrane>(m.x, t, cloth, Psd::exact)));
        worst[3] = std::max(
            worst[3],
            difference<9>(plain_spline_membrane(x, t, fabric),
                          membrane_gradient<SplineMembrane>(m.x, t, {}, spline),
                          membrane_hessian<SplineMembrane>(m.x, t, {}, Psd::exact, spline)));
    }
    // Few ulp per operation; strains and squashed triangles cancel a digit or two.
    for (const double w : worst) EXPECT_LT(w, 200);
    RecordProperty("stvk_ulp", std::to_string(worst[0]));
    RecordProperty("neo_hookean_ulp", std::to_string(worst[1]));
    RecordProperty("baraff_witkin_ulp", std::to_string(worst[2]));
    RecordProperty("spline_ulp", std::to_string(worst[3]));
}
