#include "core/contact/contact_problem.h"

#include "core/base/parallel.h"
#include "core/check/gap.h"
#include "core/check/intersections.h"
#include "core/contact/mollified_barrier.h"
#include "tests/check/meshes.h"
#include "tests/contact/scenes.h"
#include "tests/contact/stencils.h"
#include "tests/support/eigenvalues.h"
#include "tests/support/finite_difference.h"

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include <ctime>
#include <iostream>

namespace selvage
{
namespace
{

using namespace test;

ContactSettings settings(double activation)
{
    ContactSettings s;
    s.activation = activation;
    s.stick_speed = 1; // wide enough for differences
    return s;
}

/// Two crumpled sheets above a collider, near enough for many contacts of all kinds.
ContactScene crowd() { return stacked_sheets(4, 2, 0.12, 0.04, 0.005, true, 41); }
constexpr double crowd_activation = 0.1;

struct Prepared {
    ContactScene scene = crowd();
    ContactProblem problem{scene.mesh, settings(crowd_activation)};
    VecX x = scene.simulated_x();
    Prepared()
    {
        problem.begin_step(x, 0.01, scene.prescribed_x());
        problem.set_stiffness(7);
    }
};

/// Every pair on its own, nothing merged.
double brute_force_energy(const ContactScene& s, double d_hat, double kappa)
{
    double sum = 0;
    const auto add = [&](PairKind kind, CandidatePair pair) {
        std::int32_t v[4];
        pair_vertices(s.mesh, kind, pair, v);
        Vec12 x;
        bool prescribed = true;
        for (int i = 0; i < 4; ++i) {
            x.segment<3>(3 * i) = s.x.segment<3>(3 * v[i]);
            prescribed = prescribed && !s.mesh.simulated(v[i]);
            for (int j = 0; j < i; ++j)
                if (v[i] == v[j]) return;
        }
        const int first = kind == PairKind::edge_edge ? 2 : 1;
        for (int i = 0; i < first; ++i)
            for (int j = first; j < 4; ++j)
                if (!s.mesh.collide(v[i], v[j])) return;
        if (prescribed) return;
        const double xi = pair_thickness(s.mesh, kind, pair),
                     D_hat = activation_distance(xi, d_hat);
        const bool edges = kind == PairKind::edge_edge;
        const double D = (edges ? edge_edge_pair(x) : point_triangle_pair(x)).value - xi * xi;
        double e = 1;
        if (edges)
            e = mollifier(edge_cross_squared(x), mollifier_threshold *
                                                     s.mesh.rest_length_squared(pair.a) *
                                                     s.mesh.rest_length_squared(pair.b))
                    .value;
        sum += kappa * e * barrier(D, D_hat).value;
    };
    for (const std::int32_t p : s.mesh.points())
        for (std::size_t t = 0; t < s.mesh.triangles().size(); ++t)
            add(PairKind::point_triangle, {p, std::int32_t(t)});
    for (std::size_t a = 0; a < s.mesh.edges().size(); ++a)
        for (std::size_t b = a + 1; b < s.mesh.edges().size(); ++b)
            add(PairKind::edge_edge, {std::int32_t(a), std::int32_t(b)});
    return sum;
}

TEST(ContactProblem, EnergyIsTheSumOverAllPairs)
{
    Prepared p;
    const double expected = brute_force_energy(p.scene, crowd_activation, 7);
    EXPECT_GT(expected, 0);
    EXPECT_NEAR(p.problem.energy(p.x), expected, 1e-12 * expected);
    const ContactSet& set = p.problem.contacts();
    for (const auto& kind : set.contacts) EXPECT_FALSE(kind.empty());
    bool merged = false;
    for (const ContactStencil& c : set[StencilKind::point_edge])
        merged = merged || c.multiplicity > 1;
    EXPECT_TRUE(merged);
    EXPECT_GT(p.problem.min_gap(), 0);
    EXPECT_GT(p.problem.contact_count(), 100);
}

/// The crowd with a thickness, friction and group of its own at every point.
ContactScene painted_crowd()
{
    ContactScene s = crowd();
    Random random(61);
    for (int b = 0; b < s.mesh.body_count(); ++b) {
        const int n = int(std::count_if(s.mesh.points().begin(), s.mesh.points().end(),
                                        [&](int v) { return s.mesh.body(v) == b; }));
        s.mesh.set_thickness(b, 0.01 * (VecX::Ones(n) + random.vector(n)));
        s.mesh.set_friction_scale(b, VecX::Ones(n) + random.vector(n),
                                  VecX::Ones(n) + random.vector(n));
        s.mesh.set_sliding_friction(b, 0.1);
        const int group = s.mesh.add_group(b);
        for (int i = 0; i < n; i += 3) s.mesh.set_group(b, i, group);
        s.mesh.set_collide(b, group, 0, 0, false);
    }
    return s;
}

TEST(ContactProblem, PaintedThicknessAndGroupsReachEveryPair)
{
    const ContactScene s = painted_crowd();
    ContactProblem problem(s.mesh, settings(crowd_activation));
    const VecX x = s.simulated_x();
    problem.begin_step(x, 0.01, s.prescribed_x());
    problem.set_stiffness(7);
    const double expected = brute_force_energy(s, crowd_activation, 7);
    EXPECT_GT(expected, 0);
    EXPECT_NEAR(problem.energy(x), expected, 1e-12 * expected);
    // Another thickness, another energy; and fewer pairs than without groups.
    ContactScene uniform = crowd();
    EXPECT_GT(std::abs(brute_force_energy(uniform, crowd_activation, 7) / expected - 1), 0.01);
}

TEST(ContactProblem, PaintedFrictionFallsAndMatchesDifferences)
{
    ContactScene s = painted_crowd();
    ContactSettings wide = settings(crowd_activation);
    wide.stick_speed = 0.05; // the moves below reach into the fall and beyond
    ContactProblem problem(s.mesh, wide);
    const VecX x_0 = s.simulated_x();
    problem.begin_step(x_0, 0.01, s.prescribed_x());
    problem.set_stiffness(7);
    problem.lag_friction(x_0);
    const VecX x = x_0 + 1e-3 * Random(62).vector(x_0.size());
    const auto energy = [&](const VecX& y) { return problem.energy(y); };
    const auto gradient = [&](const VecX& y) {
        VecX g = VecX::Zero(y.size());
        problem.add(y, Psd::exact, g, nullptr);
        return g;
    };
    VecX g = VecX::Zero(x.size());
    BlockMatrix H;
    problem.add(x, Psd::exact, g, &H);
    EXPECT_LE(relative_error(g, fd_gradient(energy, x, 1e-6)), 1e-7);
    EXPECT_LE(relative_error(H.dense(), fd_jacobian(gradient, x, 1e-6)), 1e-5);
    problem.add(x, Psd::clamp, g, &H);
    EXPECT_GE(min_eigenvalue(H.dense()), -1e-12 * H.dense().norm());
}

TEST(ContactProblem, GradientAndHessianMatchDifferencesOfTheEnergy)
{
    Prepared p;
    p.problem.lag_friction(p.x);
    // Leave the reference, or friction has no slope.
    const VecX x = p.x + 1e-3 * Random(42).vector(p.x.size());
    const auto energy = [&](const VecX& y) { return p.problem.energy(y); };
    const auto gradient = [&](const VecX& y) {
        VecX g = VecX::Zero(y.size());
        p.problem.add(y, Psd::exact, g, nullptr);
        return g;
    };
    VecX g = VecX::Zero(x.size());
    BlockMatrix H;
    const double e = p.problem.add(x, Psd::exact, g, &H);
    EXPECT_EQ(e, p.problem.energy(x));
    EXPECT_LE(relative_error(g, fd_gradient(energy, x, 1e-6)), 1e-7);
    EXPECT_LE(relative_error(H.dense(), fd_jacobian(gradient, x, 1e-6)), 1e-5);
    EXPECT_EQ(H.pattern->rows(), p.scene.mesh.simulated_count());
}

TEST(ContactProblem, ClampedMatrixIsPositiveAndKeepsItsPattern)
{
    Prepared p;
    p.problem.lag_friction(p.x);
    VecX g = VecX::Zero(p.x.size());
    BlockMatrix H;
    p.problem.add(p.x, Psd::clamp, g, &H);
    EXPECT_GE(min_eigenvalue(H.dense()), -1e-12 * H.dense().norm());
    const auto pattern = H.pattern;
    const MatX first = H.dense();
    p.problem.add(p.x, Psd::clamp, g, &H);
    EXPECT_EQ(H.pattern, pattern);
    EXPECT_EQ(H.dense(), first);
}

TEST(ContactProblem, ForcesBetweenSimulatedBodiesSumToNothing)
{
    ContactScene s = stacked_sheets(4, 2, 0.12, 0.04, 0.005, false, 43);
    ContactProblem problem(s.mesh, settings(0.1));
    problem.begin_step(s.x, 0.01);
    problem.lag_friction(s.x);
    VecX g = VecX::Zero(s.x.size());
    problem.add(s.x, Psd::clamp, g, nullptr);
    ASSERT_GT(g.norm(), 0);
    EXPECT_LE(force_and_torque(s.x, g).norm(), 1e-12 * g.norm());
}

TEST(ContactProblem, SameBitsForAnyNumberOfThreadsAndAnyHistory)
{
    const ContactScene s = stacked_sheets(24, 3, 0.02, 0.004, 0.001, true, 44);
    const VecX x = s.simulated_x(), p = 0.02 * Random(45).vector(x.size());
    struct Result {
        double energy, step;
        VecX gradient;
        decltype(BlockMatrix::values) values;
    };
    const auto run = [&](int threads, bool history) {
        const ThreadLimit limit(threads);
        ContactProblem problem(s.mesh, settings(0.02));
        if (history) { // other trees, other lists
            VecX elsewhere = 3 * Random(46).vector(x.size());
            problem.begin_step(elsewhere, 0.01, s.prescribed_x());
            problem.update(elsewhere);
        }
        problem.begin_step(x, 0.01, s.prescribed_x());
        problem.set_stiffness(1e3);
        problem.lag_friction(x);
        Result r;
        r.step = problem.max_step(x, p);
        const VecX y = x + 0.5 * r.step * p;
        r.gradient = VecX::Zero(x.size());
        BlockMatrix H;
        r.energy = problem.add(y, Psd::clamp, r.gradient, &H);
        r.values.assign(H.values.begin(), H.values.end());
        return r;
    };
    const Result a = run(1, false);
    EXPECT_LT(a.step, 1);
    EXPECT_GT(a.energy, 0);
    for (const Result& b : {run(2, false), run(2, true)}) {
        EXPECT_EQ(a.energy, b.energy);
        EXPECT_EQ(a.step, b.step);
        EXPECT_EQ(a.gradient, b.gradient);
        EXPECT_EQ(a.values, b.values);
    }
}

TEST(ContactProblem, StepsStayFeasible)
{
    const ContactScene s = stacked_sheets(6, 2, 0.12, 0.04, 0.005, true, 47);
    ContactProblem problem(s.mesh, settings(0.02));
    VecX x = s.simulated_x();
    problem.begin_step(x, 0.01, s.prescribed_x());
    Random random(48);
    int limited = 0;
    for (int k = 0; k < 60; ++k) {
        const VecX p = (k % 3 == 0 ? 0.5 : 0.002) * random.vector(x.size());
        const double step = problem.max_step(x, p);
        limited += step < 1;
        for (int i = 1; i <= 8; ++i) {
            EXPECT_LT(problem.energy(x + step * i / 8 * p), infinity);
        }
        x += step * p;
    }
    EXPECT_GT(limited, 10);
    EXPECT_GT(problem.statistics().ccd_culled, 0);
    EXPECT_LT(problem.statistics().ccd_culled, problem.statistics().ccd_calls);
    // The cross-check: nothing nearer than its thickness by testing all pairs.
    ContactScene end = s;
    end.x.head(x.size()) = x;
    EXPECT_LT(brute_force_energy(end, 0.02, 1), infinity);
}

// As singular systems give: every vertex would fly 100 m, each another way.
TEST(ContactProblem, AWayFarTooLongIsSearchedOnlyAsFarAsItIsFree)
{
    const ContactScene s = stacked_sheets(30, 2, 0.12, 0.01, 0.001, false, 61);
    ContactProblem problem(s.mesh, settings(0.005));
    const VecX x = s.simulated_x();
    problem.begin_step(x, 0.01, s.prescribed_x());
    const VecX p = 100 * Random(62).vector(x.size());
    const double step = problem.max_step(x, p);
    const double pairs = 0.5 * std::pow(double(s.mesh.edges().size()), 2);
    EXPECT_LT(double(problem.statistics().candidates), 0.1 * pairs);
    EXPECT_GT(step, 0);
    EXPECT_LT(problem.energy(x + step * p), infinity);
    EXPECT_NEAR(1e-3 * problem.max_step(x, 1e-3 * p) / step, 1, 1e-6);

    VecX fall = VecX::Zero(x.size());
    for (Eigen::Index i = 1; i < fall.size(); i += 3) fall[i] = -50;
    EXPECT_EQ(problem.max_step(x, fall), 1);
}

/// The independent judge's view of a configuration: sheets and floor as separate objects.
std::vector<NamedGeometry> as_geometry(const ContactScene& s)
{
    std::vector<NamedGeometry> objects;
    for (int b = 0; b < s.mesh.body_count(); ++b) {
        std::vector<Vec3> points;
        std::vector<std::vector<int>> polygons;
        const int first = s.mesh.first_vertex(b);
        for (int v = 0; v < s.mesh.vertex_count(); ++v)
            if (s.mesh.body(v) == b) points.push_back(s.x.segment<3>(3 * v));
        for (const Vec3i& t : s.mesh.triangles())
            if (s.mesh.body(t[0]) == b)
                polygons.push_back({t[0] - first, t[1] - first, t[2] - first});
        objects.push_back(named("body " + std::to_string(b), make_geometry(points, polygons)));
    }
    return objects;
}

TEST(ContactProblem, TheExactJudgeFindsNothingAfterViolentSteps)
{
    // Random directions up to a hundred times the gaps; every step taken as far as allowed.
    for (const double xi : {0.0, 0.01}) {
        ContactScene s = stacked_sheets(6, 3, 0.1, 0.03, xi, true, 54);
        // Thicker at some points: the thinnest pair still keeps xi.
        for (int b = 0; xi > 0 && b < s.mesh.body_count(); ++b) {
            VecX thickness = VecX::Constant(49, xi);
            for (Eigen::Index i = 0; i < 49; i += 4) thickness[i] = 2 * xi;
            s.mesh.set_thickness(b, thickness);
        }
        ContactProblem problem(s.mesh, settings(0.005));
        VecX x = s.simulated_x();
        problem.begin_step(x, 0.01, s.prescribed_x());
        Random random(55);
        for (int k = 0; k < 40; ++k) {
            VecX p = std::pow(10.0, -2 + 2 * random()) * random.vector(x.size());
            if (k % 2 == 0)
                for (Eigen::Index i = 1; i < p.size(); i += 3) p[i] -= 2; // all onto the floor
            x += problem.max_step(x, p) * p;
            s.x.head(x.size()) = x;
            const Elements elements = gather_elements(as_geometry(s));
            EXPECT_EQ(find_intersections(elements).crossing_count, 0u);
            const auto gap = smallest_gap(elements, 1.0);
            ASSERT_TRUE(gap);
            EXPECT_GT(gap->distance, xi);
        }
    }
}

TEST(ContactProblem, BrokenNumbersGiveNoStepAndNoEnergy)
{
    Prepared p;
    VecX bad = VecX::Zero(p.x.size());
    bad[4] = std::nan("");
    EXPECT_EQ(p.problem.max_step(p.x, bad), 0);
    EXPECT_EQ(p.problem.energy(p.x + bad), infinity);
}

TEST(ContactProblem, CollidersMoveUntilTheyTouch)
{
    const ContactScene s = stacked_sheets(4, 1, 0.1, 0, 0.01, true, 49);
    ContactProblem problem(s.mesh, settings(0.02));
    VecX x = s.simulated_x();
    VecX raised = s.prescribed_x();
    for (Eigen::Index i = 1; i < raised.size(); i += 3) raised[i] += 0.3;
    problem.begin_step(x, 0.01, s.prescribed_x(), raised);
    const VecX still = VecX::Zero(x.size());
    EXPECT_EQ(problem.max_step(x, still), 1);
    // Gap 0.09 of 0.3, a tenth of it left.
    const double step = problem.max_step(x, still, true);
    EXPECT_NEAR(step, 0.27, 1e-9);
    problem.set_reached(step);
    EXPECT_LT(problem.energy(x), infinity);
    // Together with the sheet it goes all the way.
    VecX up = still;
    for (Eigen::Index i = 1; i < up.size(); i += 3) up[i] = 0.5;
    EXPECT_EQ(problem.max_step(x, up, true), 1);
    problem.set_reached(1);
    EXPECT_EQ(problem.prescribed(), raised);
}

TEST(ContactProblem, PullIsTheChangeOfTheGradientAlongTheCollidersWay)
{
    const ContactScene s = stacked_sheets(5, 1, 0.018, 0.3, 0.01, true, 51);
    ContactProblem problem(s.mesh, settings(0.02));
    const VecX x = s.simulated_x();
    VecX moved = s.prescribed_x();
    for (Eigen::Index i = 0; i < moved.size(); i += 3) moved[i] += 0.02, moved[i + 1] += 0.004;
    problem.begin_step(x, 0.01, s.prescribed_x(), moved);
    problem.set_stiffness(3);
    problem.set_reached(0.25);
    problem.lag_friction(x);
    const auto gradient = [&](double reached) {
        problem.set_reached(reached);
        VecX g = VecX::Zero(x.size());
        problem.add(x, Psd::exact, g, nullptr);
        return g;
    };
    const double e = 1e-6;
    const VecX numeric = 0.75 * (gradient(0.25 + e) - gradient(0.25 - e)) / (2 * e);
    problem.set_reached(0.25);
    VecX g = VecX::Zero(x.size()), pull;
    BlockMatrix H;
    problem.add(x, Psd::exact, g, &H, &pull);
    EXPECT_GT(pull.norm(), 0);
    EXPECT_LT((pull - numeric).norm(), 1e-5 * pull.norm());
}

TEST(ContactProblem, InfeasibleConfigurationsHaveInfiniteEnergyAndNoStep)
{
    const ContactScene s = stacked_sheets(4, 1, 0.005, 0, 0.01, true, 50);
    ContactProblem problem(s.mesh, settings(0.02));
    const VecX x = s.simulated_x();
    problem.begin_step(x, 0.01, s.prescribed_x());
    EXPECT_EQ(problem.energy(x), infinity);
    EXPECT_EQ(problem.max_step(x, VecX::Ones(x.size())), 0);
    EXPECT_LT(problem.min_gap(), 0);
    // Whoever drops the offending pairs may go on.
    problem.set_filter([](PairKind, std::int32_t, std::int32_t) { return false; });
    EXPECT_EQ(problem.energy(x), 0);
    EXPECT_EQ(problem.max_step(x, VecX::Ones(x.size())), 1);
}

/// A free sheet of point masses on an inclined collider under gravity: dense Newton on inertia and
/// contact alone.
class Incline
{
public:
    Incline(double angle, double mu) : scene_(stacked_sheets(2, 1, 0.0005, 0, 0, true, 51))
    {
        const Mat3 R = Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix();
        scene_.x = moved(scene_.x, R, Vec3::Zero());
        scene_.mesh.set_friction(0, 1, {mu, mu});
        problem_ = std::make_unique<ContactProblem>(scene_.mesh, stick());
        x_ = scene_.simulated_x();
        v_ = VecX::Zero(x_.size());
        down_ = R * Vec3(-1, 0, 0);
    }

    void step(double h)
    {
        ContactProblem& problem = *problem_;
        const VecX x_0 = x_;
        VecX target = x_0 + h * v_;
        for (Eigen::Index i = 1; i < target.size(); i += 3) target[i] -= 9.81 * h * h;
        problem.begin_step(x_0, h, scene_.prescribed_x());
        problem.set_stiffness(2.5e6 * mass);
        for (int lag = 0; lag < 3; ++lag) {
            problem.lag_friction(x_);
            for (int k = 0; k < 100; ++k) {
                VecX g = mass * (x_ - target);
                BlockMatrix H;
                const double e = inertia(target) + problem.add(x_, Psd::clamp, g, &H);
                MatX A = H.dense();
                A.diagonal().array() += mass;
                const VecX p = -A.ldlt().solve(g);
                if (p.cwiseAbs().maxCoeff() < 1e-9 * h) break;
                double t = problem.max_step(x_, p);
                const VecX start = x_;
                for (x_ = start + t * p; inertia(target) + problem.energy(x_) > e && t > 1e-12;
                     x_ = start + t * p)
                    t *= 0.5;
            }
        }
        v_ = (x_ - x_0) / h;
    }
    /// Mean speed down the slope.
    double speed() const
    {
        double s = 0;
        for (Eigen::Index i = 0; i < v_.size(); i += 3) s += v_.segment<3>(i).dot(down_);
        return 3 * s / double(v_.size());
    }
    double min_gap() const { return problem_->min_gap(); }

private:
    static constexpr double mass = 1e-3;
    static ContactSettings stick()
    {
        ContactSettings s;
        s.activation = 1e-3;
        s.stick_speed = 1e-5;
        return s;
    }
    double inertia(const VecX& target) const { return 0.5 * mass * (x_ - target).squaredNorm(); }

    ContactScene scene_;
    std::unique_ptr<ContactProblem> problem_;
    VecX x_, v_;
    Vec3 down_;
};

TEST(ContactProblem, SlidesOnASlopeWhereCoulombSays)
{
    const double angle = std::atan(0.5), h = 0.01;
    Incline sticky(angle, 0.55), slippery(angle, 0.2);
    for (int k = 0; k < 10; ++k) sticky.step(h), slippery.step(h);
    const double before = slippery.speed();
    for (int k = 0; k < 5; ++k) slippery.step(h);
    EXPECT_LE(std::abs(sticky.speed()), 2e-5);
    const double expected = 9.81 * (std::sin(angle) - 0.2 * std::cos(angle));
    EXPECT_NEAR((slippery.speed() - before) / (5 * h), expected, 0.01 * expected);
    EXPECT_GT(sticky.min_gap(), 0);
}

/// What an iteration spends on contact, in CPU time of one thread: a sheet lying on another one.
TEST(ContactProblemFull, ReportsTheCostOfEachPhase)
{
    const ThreadLimit one(1);
    for (const int n : {50, 100, 200}) {
        ContactScene s = stacked_sheets(n, 1, 0.0006, 0, 0, true, 52);
        ContactProblem problem(s.mesh, settings(1e-3));
        VecX x = s.simulated_x();
        Random random(53);
        for (Eigen::Index i = 1; i < x.size(); i += 3) x[i] += 2e-4 * random();
        problem.begin_step(x, 0.04, s.prescribed_x());
        problem.set_stiffness(1);
        const auto timed = [](auto&& body) {
            const std::clock_t start = std::clock();
            body();
            return 1e3 * double(std::clock() - start) / CLOCKS_PER_SEC;
        };
        VecX g = VecX::Zero(x.size());
        BlockMatrix H;
        const VecX p = 1e-2 * random.vector(x.size()), small = 1e-4 * random.vector(x.size());
        const double search = timed([&] { problem.update(x); });
        const double lag = timed([&] { problem.lag_friction(x); });
        const double assembly = timed([&] { problem.add(x, Psd::clamp, g, &H); });
        const double again = timed([&] { problem.add(x, Psd::clamp, g, &H); });
        const VecX y = x + 0.01 * small;
        const double energy = timed([&] { problem.energy(y); });
        const double culled = timed([&] { problem.max_step(x, small); });
        const double swept = timed([&] { problem.max_step(x, p); });
        problem.update(x);
        std::cout << n << "x" << n << ": " << problem.contact_count() << " pairs in contact ("
                  << problem.contacts()[StencilKind::point_triangle].size() << " PT, "
                  << problem.contacts()[StencilKind::edge_edge].size() << " EE, "
                  << problem.contacts().mollified.size() << " mollified), first search " << search
                  << ", lag " << lag << ", assembly " << assembly << " (same pattern " << again
                  << "), energy at a new x " << energy << ", CCD on the list " << culled
                  << ", with a sweep " << swept << " ms; " << double(problem.bytes()) / 1e6
                  << " MB\n";
        EXPECT_GT(problem.contact_count(), n * n);
    }
}

} // namespace
} // namespace selvage
