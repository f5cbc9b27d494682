#include "core/session/scene_assembly.h"
#include "tests/support/animated_source.h"
#include "tests/support/messages.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace selvage;
using namespace selvage::test;

namespace
{

SessionSetup setup_with(Geometry g)
{
    SessionSetup s = hanging_setup();
    s.cloths[0].geometry = std::make_shared<StaticSource>(std::move(g), "bad.bgeo");
    return s;
}

std::string message_of(const SessionSetup& s)
{
    return test::message_of([&] {
        NullLog log;
        assemble_scene(s, log);
    });
}

} // namespace

TEST(SceneAssembly, MassIsDensityTimesArea)
{
    NullLog log;
    SessionSetup s = hanging_setup();
    s.cloths[0].cloth.set("density", 0.3);
    EXPECT_NEAR(assemble_scene(s, log).scene->mass.sum(), 0.3, 1e-12);
}

TEST(SceneAssembly, MassAttributeReplacesDensityAndZeroPins)
{
    NullLog log;
    Geometry g = sheet_geometry(4);
    VecX mass = VecX::Constant(25, 0.01);
    mass[24] = 0;
    g.set_scalars("mass", mass);
    const AssembledScene a = assemble_scene(setup_with(g), log);
    EXPECT_NEAR(a.scene->mass[3], 0.01, 1e-9);
    EXPECT_EQ(a.scene->pins.size(), 6u); // five of the group and the massless one
}

TEST(SceneAssembly, StoppedPointsArePinned)
{
    NullLog log;
    Geometry g = sheet_geometry(4);
    Attribute stopped = make_attribute("stopped", Owner::point, Storage::int32, 1, 25);
    stopped.set_number(20, 0, 1);
    stopped.set_number(21, 0, 2); // rotation only
    g.set(stopped);
    EXPECT_EQ(assemble_scene(setup_with(g), log).scene->pins.size(), 6u);
}

TEST(SceneAssembly, NGonsBecomeTrianglesWithoutMovingPoints)
{
    NullLog log;
    Geometry g;
    g.set_point_count(6);
    VecX x(18);
    x << 0, 0, 0, 2, 0, 0, 2, 1, 0, 1, 1, 0, 1, 2, 0, 0, 2, 0; // an L
    g.set_positions(x);
    g.add_polygon({0, 1, 2, 3, 4, 5});
    SessionSetup s = setup_with(g);
    s.cloths[0].pins = ParameterSet("cloth.pins");
    const AssembledScene a = assemble_scene(s, log);
    EXPECT_EQ(a.scene->cloths[0].mesh.triangles.size(), 4u);
    EXPECT_NEAR(a.scene->mass.sum(), 3 * a.scene->cloths[0].material.density, 1e-12);
}

TEST(SceneAssembly, LoosePointsFollowTheInput)
{
    NullLog log;
    Geometry g = sheet_geometry(4);
    g.set_point_count(26);
    const AssembledScene a = assemble_scene(setup_with(g), log);
    EXPECT_EQ(a.scene->pins.back().vertex, 25);
}

TEST(SceneAssembly, RestAttributeIsTheRestShape)
{
    NullLog log;
    Geometry g = sheet_geometry(4);
    g.set_vectors("rest", 2 * g.positions(), "point");
    EXPECT_EQ(assemble_scene(setup_with(g), log).scene->cloths[0].x_rest, 2 * g.positions());
}

TEST(SceneAssembly, WarpRunsAlongV)
{
    NullLog log;
    Geometry g = sheet_geometry(2);
    Attribute uv = make_attribute("uv", Owner::point, Storage::real32, 3, 9);
    for (std::size_t i = 0; i < 9; ++i)
        uv.set_number(i, 1, g.positions()[3 * Eigen::Index(i)]); // v along x
    for (std::size_t i = 0; i < 9; ++i)
        uv.set_number(i, 0, g.positions()[3 * Eigen::Index(i) + 1]); // u along y
    g.set(uv);
    const AssembledScene a = assemble_scene(setup_with(g), log);
    for (const Vec3& w : a.scene->cloths[0].warp) EXPECT_NEAR(std::abs(w[0]), 1, 1e-6);
}

TEST(SceneAssembly, BadInputsNameObjectElementAndRemedy)
{
    expect_says(message_of(setup_with(Geometry())), {"Cloth 'sheet'", "bad.bgeo", "no points"});

    Geometry points_only;
    points_only.set_point_count(3);
    expect_says(message_of(setup_with(points_only)), {"Cloth 'sheet'", "no closed polygons"});

    Geometry nan = sheet_geometry(4);
    VecX x = nan.positions();
    x[3 * 7 + 1] = std::nan("");
    nan.set_positions(x);
    expect_says(message_of(setup_with(nan)), {"Cloth 'sheet'", "point 7", "not a number"});

    Geometry flat = sheet_geometry(4);
    flat.add_polygon({3, 4, 3});
    expect_says(message_of(setup_with(flat)),
                {"Cloth 'sheet'", "polygon 16", "3, 4, 3", "zero rest area", "Remove"});

    SessionSetup group = hanging_setup();
    group.cloths[0].pins.set("group", std::string("collar"));
    expect_says(message_of(group), {"Cloth 'sheet'", "collar", "top"});

    SessionSetup rest = hanging_setup();
    rest.cloths[0].rest = std::make_shared<StaticSource>(sheet_geometry(5), "rest.bgeo");
    expect_says(message_of(rest), {"Cloth 'sheet'", "36 points", "81"});

    SessionSetup material = hanging_setup();
    material.cloths[0].cloth.set("material", std::string("coton"));
    expect_says(message_of(material), {"coton", "cotton"});

    Geometry negative = sheet_geometry(4);
    VecX mass = VecX::Ones(25);
    mass[4] = -1;
    negative.set_scalars("mass", mass);
    expect_says(message_of(setup_with(negative)), {"Cloth 'sheet'", "point 4", "mass -1"});

    expect_says(message_of(SessionSetup()), {"nothing to simulate"});

    SessionSetup twice = hanging_setup();
    twice.cloths.push_back(twice.cloths[0]);
    expect_says(message_of(twice), {"Cloth 'sheet'", "twice"});
}

TEST(SceneAssembly, ObjectsFarFromTheOriginAreNamed)
{
    const auto at = [](double distance) {
        Geometry g = sheet_geometry(4);
        VecX x = g.positions();
        for (Eigen::Index i = 0; i < x.size(); i += 3) x[i] += distance;
        g.set_positions(x);
        return setup_with(g);
    };
    MessageLog log;
    assemble_scene(at(1000), log);
    EXPECT_EQ(log.all, "");
    assemble_scene(at(1e5), log);
    expect_says(log.all, {"Cloth 'sheet'", "from the origin", "32 bits", "Move the scene"});
    expect_says(message_of(at(1e10)), {"Cloth 'sheet'", "cannot be told apart", "Move the scene"});
}

TEST(SceneAssembly, SuspiciousInputIsWarnedAbout)
{
    MessageLog log;
    Geometry g = sheet_geometry(4);
    g.set_positions(100 * g.positions());
    assemble_scene(setup_with(g), log);
    EXPECT_NE(log.all.find("set \"unit\" to 0.01"), std::string::npos) << log.all;

    SessionSetup idle = setup_with(sheet_geometry(4));
    idle.cloths[0].pins.set("group", std::string());
    idle.cloths[0].pins.set("target", std::string("sheet.$F4.bgeo"));
    assemble_scene(idle, log);
    EXPECT_NE(log.all.find("pins.target moves nothing"), std::string::npos) << log.all;

    Geometry seam = sheet_geometry(2);
    seam.set_point_count(11);
    VecX x = seam.positions();
    x.segment<3>(3 * 9) = x.segment<3>(3 * 6); // a copy of a corner point
    x.segment<3>(3 * 10) = Vec3(-1, -1, 0);
    seam.set_positions(x);
    seam.add_polygon({9, 10, 7});
    assemble_scene(setup_with(seam), log);
    EXPECT_NE(log.all.find("not connected"), std::string::npos) << log.all;

    Geometry half = sheet_geometry(2);
    half.set_point_count(12); // a quad below, as wide as two: its upper edge passes point 7
    VecX w = half.positions();
    w.segment<3>(3 * 9) = Vec3(0, -1, 0);
    w.segment<3>(3 * 10) = Vec3(1, -1, 0);
    w.segment<3>(3 * 11) = Vec3(5, 5, 5);
    half.set_positions(w);
    half.add_polygon({6, 9, 10, 8});
    MessageLog junctions;
    assemble_scene(setup_with(half), junctions);
    expect_says(junctions.all, {"Cloth 'sheet'", "1 T-junctions", "border point 7",
                                "inside the edge (6, 8)", "Divide"});

    Geometry fan = sheet_geometry(1);
    fan.set_point_count(5);
    VecX y = fan.positions();
    y.segment<3>(12) = Vec3(0.5, 0.5, 1);
    fan.set_positions(y);
    fan.add_polygon({0, 2, 4});
    fan.add_polygon({2, 0, 4});
    assemble_scene(setup_with(fan), log);
    EXPECT_NE(log.all.find("three or more"), std::string::npos) << log.all;
    expect_says(log.all, {"same points as another one", "polygons"});

    Geometry sliver = sheet_geometry(1);
    VecX z = sliver.positions();
    z.segment<3>(3 * 2) = 0.5 * (z.segment<3>(0) + z.segment<3>(3)) + Vec3(0, -1e-6, 0);
    sliver.set_positions(z);
    assemble_scene(setup_with(sliver), log);
    EXPECT_NE(log.all.find("slivers"), std::string::npos) << log.all;
}
