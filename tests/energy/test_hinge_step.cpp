// One implicit step of a two-triangle hinge folded by 90°: membrane and bending together, against
// tabulated minima of the incremental potential [Tamstorf 2016, §6.6, rebuilt].
#include "core/energy/hinge_bending.h"
#include "core/energy/stvk_membrane.h"
#include "core/math/psd.h"
#include "tests/support/eigenvalues.h"
#include "tests/support/meshes.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

constexpr double cm = 1e-2;

// Half a unit of the last printed digit.
constexpr double minimum_digits = 0.5e-19, coordinate_digits = 0.5e-6;

/// h 1 mm, Y 100 MPa, ν 0, 0.1 kg/m², flat at rest, k = D/2 as printed.
class HingeStep
{
public:
    HingeStep(BendingForm form, double tau) : form_(form), tau_(tau)
    {
        Vec12 rest;
        rest << 0, 0, 0, -.5, 0, 1, .5, 0, 1, 0, 0, 2;
        rest *= cm;
        start_ = rest;
        start_.tail<3>() = cm * Vec3(0, 1, 1);
        const double thickness = 1e-3, young = 1e8;
        const MembraneModuli m{young * thickness, young * thickness, young * thickness / 2, 0};
        for (int t = 0; t < 2; ++t)
            triangle_[t] = stvk_triangle(corner(rest, t, 0), corner(rest, t, 1), corner(rest, t, 2),
                                         {1, 0, 0}, orthotropic_constants(m));
        const double rigidity = young * std::pow(thickness, 3) / 12;
        hinge_ = hinge_element(rest, hinge_modulus(rigidity, HingeCalibration::printed));
        const double third = 0.1 * 0.5 * cm * cm / 3;
        mass_.setConstant(third);
        mass_.segment<6>(3) *= 2;
    }

    const Vec12& start() const { return start_; }
    const Vec12& mass() const { return mass_; }

    /// ½‖q − q_k‖²_M + τ² W and its derivatives.
    double merit(const Vec12& q) const
    {
        double W = hinge_bending_energy(q, hinge_, form_);
        for (int t = 0; t < 2; ++t) W += stvk_membrane_energy(local(q, t), triangle_[t]);
        return 0.5 * (q - start_).dot(mass_.cwiseProduct(q - start_)) + tau_ * tau_ * W;
    }
    Vec12 gradient(const Vec12& q) const
    {
        Vec12 g = hinge_bending_gradient(q, hinge_, form_);
        for (int t = 0; t < 2; ++t) {
            const Vec9 gt = stvk_membrane_gradient(local(q, t), triangle_[t]);
            for (int i = 0; i < 3; ++i) g.segment<3>(3 * vertex(t, i)) += gt.segment<3>(3 * i);
        }
        return mass_.cwiseProduct(q - start_) + tau_ * tau_ * g;
    }
    /// τ² Hess W.
    Mat12 elastic_hessian(const Vec12& q, Psd psd) const
    {
        Mat12 H = hinge_bending_hessian(q, hinge_, form_, psd);
        for (int t = 0; t < 2; ++t) {
            const Mat9 Ht = stvk_membrane_hessian(local(q, t), triangle_[t], psd);
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j)
                    H.block<3, 3>(3 * vertex(t, i), 3 * vertex(t, j)) +=
                        Ht.block<3, 3>(3 * i, 3 * j);
        }
        return tau_ * tau_ * H;
    }

private:
    static int vertex(int t, int i) { return t == 0 ? i : 3 - i; }
    static Vec3 corner(const Vec12& x, int t, int i) { return x.segment<3>(3 * vertex(t, i)); }
    static Vec9 local(const Vec12& x, int t)
    {
        Vec9 y;
        for (int i = 0; i < 3; ++i) y.segment<3>(3 * i) = x.segment<3>(3 * vertex(t, i));
        return y;
    }

    BendingForm form_;
    double tau_;
    Vec12 start_, mass_;
    StvkTriangle triangle_[2];
    HingeElement hinge_;
};

/// Of the Hessian: |eigenvalues| of the whole or their clamp (at the mass of the lightest vertex);
/// the eigenvalue clamp of the elastic part, or the element kernels' own clamps, of which the
/// source counts no iterations: still active at the minimum, they converge linearly there.
enum class Modification { absolute, clamp, elastic_clamp, closed_form };

bool tabulated(Modification m) { return m == Modification::absolute || m == Modification::clamp; }

/// What a step has to lower: the incremental potential (minimisation) or the squared residual (root
/// finding).
enum class Merit { potential, residual };

struct Minimum {
    Vec12 q;
    int iterations = 0;
    int evaluations = 0; ///< of the merit, in line searches
};

/// Damped Newton to a gradient of 1e-12 of the first.
Minimum minimised(const HingeStep& step, Modification modification, Merit merit = Merit::potential)
{
    Minimum m{step.start()};
    const auto value = [&](const Vec12& q) {
        ++m.evaluations;
        return merit == Merit::potential ? step.merit(q) : step.gradient(q).squaredNorm();
    };
    const double first = step.gradient(m.q).norm();
    for (; m.iterations < 100; ++m.iterations) {
        const Vec12 g = step.gradient(m.q);
        if (g.norm() <= 1e-12 * first) break;
        const bool closed = modification == Modification::closed_form;
        Mat12 H = step.elastic_hessian(m.q, closed ? Psd::clamp : Psd::exact);
        if (modification == Modification::elastic_clamp) H = clamp_eigenvalues(H);
        H.diagonal() += step.mass();
        const Eigen::SelfAdjointEigenSolver<Mat12> eigen(H);
        const Vec12 lambda = modification == Modification::clamp
                                 ? Vec12(eigen.eigenvalues().cwiseMax(step.mass().minCoeff()))
                                 : Vec12(eigen.eigenvalues().cwiseAbs());
        const Vec12 p =
            -eigen.eigenvectors() * (eigen.eigenvectors().transpose() * g).cwiseQuotient(lambda);
        double alpha = 1;
        // Armijo while the merit can tell, afterwards full steps.
        const double W = merit == Merit::potential ? step.merit(m.q) : g.squaredNorm();
        const double slope = merit == Merit::potential ? g.dot(p) : 0;
        while (alpha > 1e-10 && value(m.q + alpha * p) > W + 1e-4 * alpha * slope + 1e-12 * W)
            alpha /= 2;
        m.q += alpha * p;
    }
    return m;
}

struct Row {
    double tau, start_unit, start_angle, start_tangent, minimum, tip_y, tip_z, x0_y, x0_z, x1_y,
        x1_z;
};
const Row table[] = {
    {1. / 240, 1e-18, 5.35460308219e-7, 8.68055555556e-7, 6.98461571e-11, 0.873816, 1.540397,
     -0.540397, 0.126184, 0.166645, 0.833355},
    {5. / 240, 1e-16, 1.33865077055e-5, 2.17013888889e-5, 6.98530096e-11, 0.873775, 1.540438,
     -0.540438, 0.126225, 0.166666, 0.833334},
    {10. / 240, 1e-16, 5.35460308219e-5, 8.68055555556e-5, 6.98532238e-11, 0.873774, 1.540440,
     -0.540440, 0.126226, 0.166666, 0.833334},
};

} // namespace

TEST(HingeStep, StartValues) // I2, to all printed digits
{
    for (const Row& row : table) {
        const HingeStep angle(BendingForm::angle, row.tau), tangent(BendingForm::tangent, row.tau);
        EXPECT_NEAR(angle.merit(angle.start()), row.start_angle, row.start_unit / 2);
        EXPECT_NEAR(tangent.merit(tangent.start()), row.start_tangent, row.start_unit / 2);
    }
}

TEST(HingeStep, MinimaAndIterations) // I2
{
    for (const Row& row : table)
        for (const BendingForm form : {BendingForm::angle, BendingForm::tangent})
            for (const Modification modification :
                 {Modification::absolute, Modification::clamp, Modification::elastic_clamp,
                  Modification::closed_form}) {
                SCOPED_TRACE(testing::Message() << "tau " << row.tau << " form " << int(form)
                                                << " modification " << int(modification));
                const HingeStep step(form, row.tau);
                const Minimum m = minimised(step, modification);
                EXPECT_NEAR(m.iterations, 10, tabulated(modification) ? 0 : 1);
                EXPECT_NEAR(step.merit(m.q), row.minimum, minimum_digits);
                const Vec12 q = m.q / cm;
                EXPECT_NEAR(q[10], row.tip_y, coordinate_digits);
                EXPECT_NEAR(q[11], row.tip_z, coordinate_digits);
                EXPECT_NEAR(q[1], row.x0_y, coordinate_digits);
                EXPECT_NEAR(q[2], row.x0_z, coordinate_digits);
                EXPECT_NEAR(q[4], row.x1_y, coordinate_digits);
                EXPECT_NEAR(q[5], row.x1_z, coordinate_digits);
                // Internal forces do not move the centre of mass.
                Vec3 drift = Vec3::Zero();
                for (int v = 0; v < 4; ++v)
                    drift += step.mass()[3 * v] * (m.q - step.start()).segment<3>(3 * v);
                EXPECT_LT(drift.norm() / (step.mass().sum() / 3) / cm, 1e-15);
            }
}

TEST(HingeStep, RootFindingNeedsTwiceTheIterations) // I2
{
    for (const Row& row : table) {
        SCOPED_TRACE(row.tau);
        const HingeStep angle(BendingForm::angle, row.tau), tangent(BendingForm::tangent, row.tau);
        const Minimum least = minimised(angle, Modification::absolute);
        EXPECT_EQ(least.iterations, 10);
        EXPECT_EQ(least.evaluations, 12);
        const Minimum root = minimised(angle, Modification::absolute, Merit::residual);
        EXPECT_EQ(root.iterations, 21);
        EXPECT_EQ(root.evaluations, 68);
        EXPECT_EQ(minimised(tangent, Modification::absolute, Merit::residual).iterations, 12);
    }
}
