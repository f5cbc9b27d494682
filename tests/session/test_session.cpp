#include "core/base/error.h"
#include "core/session/session.h"
#include "tests/support/animated_source.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace selvage;
using namespace selvage::test;

namespace
{

VecX cooked(Session& s, double frame)
{
    return s.cook(frame, NeverCancel()).objects.at(0).geometry.positions();
}

/// The sheet moved along an axis by `speed` metres per frame.
std::shared_ptr<FunctionSource> sliding_sheet(double speed, int axis = 0)
{
    return std::make_shared<FunctionSource>([=](double frame) {
        Geometry g = sheet_geometry(8);
        VecX x = g.positions();
        for (Eigen::Index i = axis; i < x.size(); i += 3) x[i] += speed * (frame - 1);
        g.set_positions(x);
        return g;
    });
}

/// Cancels after it has been asked n times.
class CancelAfter final : public Cancel
{
public:
    explicit CancelAfter(int n) : left_(n) {}
    bool requested() const override { return left_-- <= 0; }

private:
    mutable int left_;
};

} // namespace

TEST(Session, StartFrameIsTheInput)
{
    NullLog log;
    Session s(hanging_setup(), log);
    EXPECT_EQ(cooked(s, 1), sheet_geometry(8).positions());
    EXPECT_EQ(cooked(s, -20), sheet_geometry(8).positions());
}

TEST(Session, AttributesAndGroupsPassThrough)
{
    NullLog log;
    Session s(hanging_setup(), log);
    const Geometry g = s.cook(3, NeverCancel()).objects.at(0).geometry;
    EXPECT_TRUE(g.same_topology(sheet_geometry(8)));
    EXPECT_EQ(g.get(Owner::primitive, "paint").integer(5), 5);
    EXPECT_TRUE(g.find_group(Owner::point, "top"));
    EXPECT_TRUE(g.find(Owner::point, "v"));
    EXPECT_TRUE(g.find(Owner::point, "sv_strain"));
}

TEST(Session, ScrubbingBackDoesNotSolveAndContinuingGivesTheSameBits)
{
    NullLog log;
    Session s(hanging_setup(), log);
    int solved = 0;
    s.on_frame = [&](const FrameReport&) { ++solved; };
    const VecX six = cooked(s, 6), three = cooked(s, 3);
    EXPECT_EQ(solved, 6); // the start frame and five more
    const VecX eight = cooked(s, 8);
    EXPECT_EQ(solved, 8);

    Session fresh(hanging_setup(), log);
    EXPECT_EQ(cooked(fresh, 3), three);
    EXPECT_EQ(cooked(fresh, 6), six);
    EXPECT_EQ(cooked(fresh, 8), eight);
}

TEST(Session, DroppedFramesComeBackTheSame)
{
    NullLog log;
    Session all(hanging_setup(), log);
    SessionSetup tight = hanging_setup();
    tight.shot.set("cache_limit", 0.0);
    Session little(std::move(tight), log);
    const VecX last = cooked(little, 8);
    EXPECT_EQ(last, cooked(all, 8));
    EXPECT_LE(little.cache().size(), 2u);
    EXPECT_EQ(cooked(little, 4), cooked(all, 4));
}

TEST(Session, FractionalFramesInterpolateTheCacheAndNeverStep)
{
    NullLog log;
    Session s(hanging_setup(), log);
    const VecX four = cooked(s, 4), five = cooked(s, 5);
    int solved = 0;
    s.on_frame = [&](const FrameReport&) { ++solved; };
    EXPECT_LT((cooked(s, 4.25) - (0.75 * four + 0.25 * five)).lpNorm<Eigen::Infinity>(), 1e-6);
    cooked(s, 5.5); // beyond the cache: along the velocity
    cooked(s, 9.5); // far beyond: the last frame
    EXPECT_EQ(solved, 0);
    EXPECT_FALSE(s.cached(6));
}

TEST(Session, CancellingKeepsFinishedFrames)
{
    NullLog log;
    Session s(hanging_setup(), log);
    cooked(s, 3);
    const FrameResult r = s.cook(9, CancelAfter(4));
    EXPECT_EQ(r.status, StepStatus::cancelled);
    EXPECT_TRUE(r.objects.empty());
    EXPECT_TRUE(s.cached(3));
    EXPECT_FALSE(s.cached(9));

    Session fresh(hanging_setup(), log);
    EXPECT_EQ(cooked(s, 9), cooked(fresh, 9));
}

TEST(Session, PinsFollowTheirTarget)
{
    NullLog log;
    SessionSetup setup = hanging_setup();
    setup.cloths[0].pin_target = sliding_sheet(0.05);
    setup.shot.set("substeps", 2.0);
    Session s(std::move(setup), log);
    const VecX x = cooked(s, 7);
    for (int i = 0; i <= 8; ++i) EXPECT_NEAR(x[3 * i], double(i) / 8 + 0.3, 1e-6);
}

TEST(Session, AnimatedGeometryDrivesPinsWithoutATarget)
{
    NullLog log;
    SessionSetup setup = hanging_setup();
    setup.cloths[0].geometry = sliding_sheet(0.05);
    Session s(std::move(setup), log);
    EXPECT_NEAR(cooked(s, 5)[0], 0.2, 1e-6);
}

TEST(Session, InputThatTurnsBadIsNamedAndFramesBeforeItStay)
{
    const auto breaking = [](std::function<Geometry(double)> bad) {
        return std::make_shared<FunctionSource>(
            [bad](double frame) { return frame < 5 ? sheet_geometry(8) : bad(frame); });
    };
    const auto message_of = [&](std::shared_ptr<GeometrySource> target) {
        NullLog log;
        SessionSetup setup = hanging_setup();
        setup.cloths[0].pin_target = std::move(target);
        Session s(std::move(setup), log);
        std::string message;
        try {
            cooked(s, 8);
        } catch (const InputError& e) {
            message = e.what();
        }
        EXPECT_TRUE(s.cached(4));
        EXPECT_FALSE(s.cached(5));
        return message;
    };
    const std::string count = message_of(breaking([](double) { return sheet_geometry(9); }));
    EXPECT_NE(count.find("Cloth 'sheet'"), std::string::npos) << count;
    EXPECT_NE(count.find("frame 5"), std::string::npos) << count;
    EXPECT_NE(count.find("100 points but 81"), std::string::npos) << count;

    const std::string nan = message_of(breaking([](double) {
        Geometry g = sheet_geometry(8);
        VecX x = g.positions();
        x[3 * 17] = std::nan("");
        g.set_positions(x);
        return g;
    }));
    EXPECT_NE(nan.find("point 17"), std::string::npos) << nan;
}

TEST(Session, PrerollSettlesBeforeTheStart)
{
    NullLog log;
    SessionSetup setup = hanging_setup();
    setup.preroll.set("frames", 48.0);
    setup.cloths[0].cloth.set("mass_damping", 5.0);
    Session s(std::move(setup), log);
    const VecX first = cooked(s, 1);
    EXPECT_GT((first - sheet_geometry(8).positions()).lpNorm<Eigen::Infinity>(),
              5e-4);                                                   // it has sagged
    EXPECT_LT((cooked(s, 2) - first).lpNorm<Eigen::Infinity>(), 1e-4); // and is at rest
}

TEST(Session, PrerollHoldsMovingInputs)
{
    NullLog log;
    SessionSetup setup = hanging_setup();
    setup.preroll.set("frames", 6.0);
    setup.cloths[0].pin_target = sliding_sheet(0.05);
    Session s(std::move(setup), log);
    const VecX first = cooked(s, 1), second = cooked(s, 2);
    for (int i = 0; i <= 8; ++i) {
        EXPECT_NEAR(first[3 * i], double(i) / 8, 1e-6);
        EXPECT_NEAR(second[3 * i], double(i) / 8 + 0.05, 1e-6);
    }
}

TEST(Session, CancellingThePrerollLeavesNothingHalfDone)
{
    NullLog log;
    SessionSetup setup = hanging_setup();
    setup.preroll.set("frames", 12.0);
    Session s(setup, log), fresh(setup, log);
    const FrameResult r = s.cook(3, CancelAfter(6));
    EXPECT_EQ(r.status, StepStatus::cancelled);
    EXPECT_TRUE(r.objects.empty());
    EXPECT_FALSE(s.cached(1));
    EXPECT_EQ(cooked(s, 3), cooked(fresh, 3));
}

TEST(Session, ResetReadsTheInputsAgain)
{
    NullLog log;
    double height = 0;
    SessionSetup setup = hanging_setup();
    setup.cloths[0].geometry = std::make_shared<FunctionSource>([&](double) {
        Geometry g = sheet_geometry(8);
        g.set_positions(g.positions() + Vec3(0, height, 0).replicate(81, 1));
        return g;
    });
    Session s(setup, log);
    const VecX before = cooked(s, 4);
    height = 2;
    s.reset();
    EXPECT_FALSE(s.cached(1));
    EXPECT_EQ(cooked(s, 1)[1], before[1] + 2);
    EXPECT_LT((cooked(s, 4) - before - Vec3(0, 2, 0).replicate(81, 1)).lpNorm<Eigen::Infinity>(),
              1e-5); // in 32 bits
}

TEST(Session, RestoreGoesOnWithTheSameBits)
{
    NullLog log;
    Session s(hanging_setup(), log);
    const VecX nine = cooked(s, 9);
    const State five = s.frame(5)->state;
    Session other(hanging_setup(), log);
    other.restore(5, five);
    EXPECT_EQ(cooked(other, 9), nine);
}

TEST(Session, RestoreKeepsCreases)
{
    NullLog log;
    SessionSetup setup = hanging_setup();
    setup.shot.set("gravity", Vec3(0, 3, 9));
    setup.cloths[0].cloth.set("yield_angle", 0.01);
    setup.cloths[0].cloth.set("yield_rate", 20.0);
    Session s(setup, log);
    const VecX nine = cooked(s, 9);
    const State five = s.frame(5)->state;
    EXPECT_GT(five.creases.lpNorm<Eigen::Infinity>(), 0.01);
    Session other(setup, log);
    other.restore(5, five);
    EXPECT_EQ(cooked(other, 9), nine);
    State broken = five;
    broken.creases.conservativeResize(3);
    EXPECT_THROW(other.restore(5, broken), InputError);
}

TEST(Session, StartsFromAnEarlierResult)
{
    NullLog log;
    Session s(hanging_setup(), log);
    const Geometry five = s.cook(5, NeverCancel()).objects[0].geometry;
    SessionSetup setup = hanging_setup();
    setup.cloths[0].initial = std::make_shared<StaticSource>(five);
    Session other(std::move(setup), log);
    EXPECT_EQ(cooked(other, 1), five.positions());
    // Positions and velocities went through 32 bits; the next frame agrees to that.
    EXPECT_LT((cooked(other, 2) - cooked(s, 6)).lpNorm<Eigen::Infinity>(), 1e-5);
}

TEST(Session, LocalSpaceWithoutInheritedMotionDoesNotFeelTheRide)
{
    const auto run = [](double inherit) {
        NullLog log;
        SessionSetup setup = hanging_setup();
        setup.cloths[0].pin_target = sliding_sheet(0.2, /*z*/ 2);
        setup.cloths[0].frame_of_reference = sliding_sheet(0.2, /*z*/ 2);
        setup.cloths[0].local_space.set("inherit", inherit);
        setup.shot.set("air_density", 0.0);
        setup.solver.set("tolerance", 1e-8);
        Session s(std::move(setup), log);
        return cooked(s, 8);
    };
    NullLog log;
    SessionSetup still = hanging_setup();
    still.shot.set("air_density", 0.0);
    still.solver.set("tolerance", 1e-8);
    Session s(std::move(still), log);
    VecX expected = cooked(s, 8);
    for (Eigen::Index i = 2; i < expected.size(); i += 3) expected[i] += 7 * 0.2;
    EXPECT_LT((run(0) - expected).lpNorm<Eigen::Infinity>(), 1e-5);
    EXPECT_GT((run(1) - expected).lpNorm<Eigen::Infinity>(), 0.05);
    const double half = (run(0.5) - expected).lpNorm<Eigen::Infinity>();
    EXPECT_GT(half, 0.02);
    EXPECT_LT(half, (run(1) - expected).lpNorm<Eigen::Infinity>());
}

TEST(Session, AnimatedParametersAct)
{
    NullLog log;
    SessionSetup setup = hanging_setup();
    setup.shot.set_json("gravity",
                        R"({"keys": [[1, [0, 0, 0]], [5, [0, 0, 0]], [6, [0, 0, 20]]]})");
    setup.cloths[0].cloth.set_json("bend_warp", R"({"keys": [[1, 1e-6], [10, 1e-3]]})");
    Session s(std::move(setup), log);
    EXPECT_LT((cooked(s, 5) - sheet_geometry(8).positions()).lpNorm<Eigen::Infinity>(), 1e-6);
    EXPECT_GT(cooked(s, 8)[3 * 80 + 2], 0.01);
}

TEST(Session, AChangedKeyKeepsTheFramesBeforeIt)
{
    NullLog log;
    SessionSetup setup = hanging_setup();
    setup.shot.set_json("wind", R"({"keys": [[1, [0, 0, 0]], [5, [0, 0, 0]], [10, [0, 0, 9]]]})");
    Session s(setup, log);
    cooked(s, 9);
    SessionSetup changed = setup;
    changed.shot.set_json("wind", R"({"keys": [[1, [0, 0, 0]], [5, [0, 0, 0]], [10, [0, 0, 3]]]})");
    s.set_parameters(changed);
    EXPECT_TRUE(s.cached(5));
    EXPECT_FALSE(s.cached(6));
    Session fresh(changed, log);
    EXPECT_EQ(cooked(s, 9), cooked(fresh, 9));

    changed.cloths[0].cloth.set("density", 0.5);
    s.set_parameters(changed);
    EXPECT_FALSE(s.cached(2));
}

TEST(Session, TimeScaleZeroFreezes)
{
    NullLog log;
    SessionSetup setup = hanging_setup();
    setup.shot.set("time_scale", 0.0);
    Session s(std::move(setup), log);
    EXPECT_EQ(cooked(s, 4), sheet_geometry(8).positions());
}
