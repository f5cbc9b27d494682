// Inputs whose polygons change over the shot while their points do not.
#include "core/base/error.h"
#include "core/session/session.h"
#include "tests/support/animated_source.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace selvage;
using namespace selvage::test;

namespace
{

/// The sheet with its polygons from number 2 on listed from the last to the first.
Geometry with_other_polygons(const Vec3& offset = Vec3::Zero())
{
    const Geometry sheet = sheet_geometry(8);
    Geometry g;
    g.set_point_count(sheet.point_count());
    g.set_positions(sheet.positions() + offset.replicate(Eigen::Index(g.point_count()), 1));
    g.set_group(*sheet.find_group(Owner::point, "top"));
    std::vector<std::vector<int>> polygons;
    for (const Primitive& p : sheet.primitives()) {
        const std::vector<std::int32_t> points = sheet.points_of(p);
        polygons.emplace_back(points.begin(), points.end());
    }
    std::reverse(polygons.begin() + 2, polygons.end());
    for (const std::vector<int>& p : polygons) g.add_polygon(p);
    return g;
}

std::shared_ptr<GeometrySource> changing_at_frame_5(const Vec3& offset = Vec3::Zero())
{
    return std::make_shared<FunctionSource>([=](double frame) {
        if (frame >= 5) return with_other_polygons(offset);
        Geometry g = sheet_geometry(8);
        g.set_positions(g.positions() + offset.replicate(Eigen::Index(g.point_count()), 1));
        return g;
    });
}

void expect_change_named(SessionSetup setup, const std::string& who)
{
    NullLog log;
    Session s(std::move(setup), log);
    std::string said;
    try {
        s.cook(8, NeverCancel());
    } catch (const InputError& e) {
        said = e.what();
    }
    for (const std::string& word :
         {who, std::string("frame 5"), std::string("function at 5"), std::string("primitive 2"),
          std::string("points 2, 11, 12, 3"), std::string("keep their polygons")})
        EXPECT_NE(said.find(word), std::string::npos) << word << " in: " << said;
    EXPECT_TRUE(s.cached(4));
}

} // namespace

TEST(InputTopology, AColliderThatChangesIsNamed)
{
    SessionSetup setup = hanging_setup();
    ColliderSetup wall;
    wall.collider.set("name", std::string("wall"));
    wall.collider.set("geometry", std::string("wall.bgeo"));
    wall.geometry = changing_at_frame_5(Vec3(0, 0, -1));
    setup.colliders.push_back(std::move(wall));
    expect_change_named(std::move(setup), "Collider 'wall'");
}

TEST(InputTopology, ARestShapeThatChangesIsNamed)
{
    SessionSetup setup = hanging_setup();
    setup.cloths[0].rest = changing_at_frame_5();
    expect_change_named(std::move(setup), "Cloth 'sheet', rest shape");
}

TEST(InputTopology, APinTargetThatChangesIsNamed)
{
    SessionSetup setup = hanging_setup();
    setup.cloths[0].pin_target = changing_at_frame_5();
    expect_change_named(std::move(setup), "Cloth 'sheet', pin target");
}

TEST(InputTopology, AClothThatChangesIsNamedWithAndWithoutPins)
{
    for (const char* group : {"top", ""}) {
        SessionSetup setup = hanging_setup();
        setup.cloths[0].pins.set("group", std::string(group));
        setup.cloths[0].geometry = changing_at_frame_5();
        NullLog log;
        Session s(std::move(setup), log);
        try {
            s.cook(8, NeverCancel());
            FAIL();
        } catch (const InputError& e) {
            const std::string said = e.what();
            EXPECT_NE(said.find("Cloth 'sheet'"), std::string::npos) << said;
            EXPECT_NE(said.find("primitive 2 connects"), std::string::npos) << said;
        }
    }
}

TEST(InputTopology, TheStartFrameCountsEvenWhenInputsWereDropped)
{
    SessionSetup setup = hanging_setup();
    setup.cloths[0].pin_target = changing_at_frame_5();
    NullLog log;
    Session s(std::move(setup), log);
    s.cook(4, NeverCancel());
    s.invalidate_after(4); // what has been read is forgotten
    EXPECT_THROW(s.cook(5, NeverCancel()), InputError);
}

TEST(InputTopology, PointsAloneMayDriveAndVerticesMayBeStoredInAnyOrder)
{
    SessionSetup setup = hanging_setup();
    setup.cloths[0].pin_target = std::make_shared<FunctionSource>([](double) {
        Geometry points;
        points.set_point_count(81);
        points.set_positions(sheet_geometry(8).positions());
        return points;
    });
    setup.cloths[0].rest = std::make_shared<FunctionSource>([](double frame) {
        Geometry g = sheet_geometry(8);
        if (frame < 3) return g;
        std::vector<std::int32_t> points, vertices;
        std::vector<Primitive> primitives = g.primitives();
        const auto n = std::int32_t(g.vertex_count());
        for (std::int32_t i = 0; i < n; ++i) {
            points.push_back(g.vertex_point()[std::size_t(n - 1 - i)]);
            vertices.push_back(n - 1 - i);
        }
        Geometry other;
        other.set_topology(g.point_count(), points, vertices, {}, primitives);
        other.set_positions(g.positions());
        return other;
    });
    NullLog log;
    Session s(std::move(setup), log);
    EXPECT_TRUE(s.cook(4, NeverCancel()).ok());
}
