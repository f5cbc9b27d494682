#include "core/example/example.h"

#include "core/base/error.h"
#include "core/example/braids.h"
#include "core/example/cape.h"
#include "core/example/cushion.h"
#include "core/example/dance.h"
#include "core/example/figure.h"
#include "core/example/fringe.h"
#include "core/example/gait.h"
#include "core/example/hair_ball.h"
#include "core/example/skirt.h"
#include "core/example/stack.h"

namespace selvage
{
namespace
{

class BraidsExample final : public Example
{
public:
    int last_frame() const override { return 101; }

    Files still() const override { return {}; }

    /// A hundred frames per second, a step each.
    Files at_frame(double frame) const override
    {
        return {{"rods", braided_rods(50, 60, 0.01 * (frame - first_frame()))}};
    }
};

class CapeExample final : public Example
{
public:
    CapeExample() : cape_(figure_, figure_pose(0, walk_)) {}

    int last_frame() const override { return 96; }

    Files still() const override { return {{"cape", cape_.geometry()}}; }

    Files at_frame(double frame) const override
    {
        const Pose pose = figure_pose((frame - first_frame()) / frames_per_second(), walk_);
        return {{"body", figure_.geometry(pose)}, {"cape_anim", cape_.carried_geometry(pose)}};
    }

private:
    WalkSettings walk_;
    Figure figure_;
    Cape cape_;
};

class CushionExample final : public Example
{
public:
    int last_frame() const override { return 96; }

    Files still() const override { return {{"cushion", cushion_panels()}}; }

    Files at_frame(double frame) const override
    {
        return {{"bar", cushion_bar((frame - first_frame()) / frames_per_second())}};
    }
};

class FringeExample final : public Example
{
public:
    int last_frame() const override { return 72; }

    Files still() const override { return {{"fringe", fringe_.strands()}}; }

    Files at_frame(double frame) const override
    {
        return {{"bust", fringe_.bust((frame - first_frame()) / frames_per_second())}};
    }

private:
    Fringe fringe_;
};

class HairBallExample final : public Example
{
public:
    int last_frame() const override { return 60; }

    Files still() const override { return {{"curls", hair_ball_curls(150, 30)}}; }

    /// A quarter of the speed that hair is measured at.
    Files at_frame(double frame) const override
    {
        const Mat3 R = hair_ball_rotation((frame - first_frame()) / frames_per_second() / 4);
        Geometry ball = hair_ball_surface();
        const VecX x = ball.positions();
        const Eigen::Matrix3Xd turned = R * x.reshaped(3, x.size() / 3);
        ball.set_positions(turned.reshaped());
        return {{"ball", ball}};
    }
};

class SkirtExample final : public Example
{
public:
    int last_frame() const override { return 72; }

    Files still() const override { return {{"skirt", skirt_.geometry()}}; }

    Files at_frame(double frame) const override
    {
        const Pose pose = dance_pose((frame - first_frame()) / frames_per_second());
        return {{"body", figure_.geometry(pose)}, {"skirt_anim", skirt_.carried_geometry(pose)}};
    }

private:
    Figure figure_;
    Skirt skirt_{figure_, dance_pose(0)};
};

class StackExample final : public Example
{
public:
    int last_frame() const override { return 48; }
    Files still() const override
    {
        return {{"cloths", stacked_cloths()}, {"table", round_table()}};
    }
    Files at_frame(double) const override { return {}; }
};

} // namespace

std::vector<std::string> example_names()
{
    return {"braids", "cape", "cushion", "fringe", "hair_ball", "skirt", "stack"};
}

std::unique_ptr<Example> make_example(const std::string& name)
{
    if (name == "braids") return std::make_unique<BraidsExample>();
    if (name == "cape") return std::make_unique<CapeExample>();
    if (name == "cushion") return std::make_unique<CushionExample>();
    if (name == "fringe") return std::make_unique<FringeExample>();
    if (name == "hair_ball") return std::make_unique<HairBallExample>();
    if (name == "skirt") return std::make_unique<SkirtExample>();
    if (name == "stack") return std::make_unique<StackExample>();
    std::string known;
    for (const std::string& n : example_names()) known += (known.empty() ? "" : ", ") + n;
    throw InputError("There is no example '" + name + "'. Choose one of: " + known + ".");
}

} // namespace selvage
