#include "core/session/session.h"
#include "tests/support/animated_source.h"
#include "tests/support/messages.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

Geometry enlarged(Geometry g, double factor)
{
    g.set_positions(factor * g.positions());
    return g;
}

/// The hanging sheet in units of `unit` metres, its pins moving forward, a tile in the way of its
/// lower part.
SessionSetup swinging(double unit)
{
    SessionSetup s = hanging_setup();
    s.shot.set("unit", unit);
    s.cloths[0].geometry =
        std::make_shared<StaticSource>(enlarged(sheet_geometry(8), 1 / unit), "sheet.bgeo");
    s.cloths[0].pin_target = std::make_shared<FunctionSource>([unit](double frame) {
        Geometry g = sheet_geometry(8);
        VecX x = g.positions();
        for (Eigen::Index i = 2; i < x.size(); i += 3) x[i] += 0.02 * (frame - 1);
        g.set_positions(x / unit);
        return g;
    });
    ColliderSetup tile;
    tile.collider.set("name", std::string("tile"));
    Geometry g = sheet_geometry(2);
    VecX x = g.positions();
    for (Eigen::Index i = 0; i < x.size(); i += 3) x.segment<3>(i) += Vec3(0, -0.4, 0.05);
    g.set_positions(x / unit);
    tile.geometry = std::make_shared<StaticSource>(g, "tile.bgeo");
    s.colliders.push_back(tile);
    return s;
}

} // namespace

TEST(SceneUnits, CentimetresGiveTheSameMotion)
{
    NullLog log;
    Session metres(swinging(1), log), centimetres(swinging(0.01), log);
    const auto m = metres.cook(8, NeverCancel()), c = centimetres.cook(8, NeverCancel());
    const VecX x_m = m.objects.at(0).geometry.positions();
    const VecX x_c = c.objects.at(0).geometry.positions();
    EXPECT_GT((x_m - sheet_geometry(8).positions()).norm(), 0.1);
    EXPECT_LT((0.01 * x_c - x_m).lpNorm<Eigen::Infinity>(), 1e-4);
    const VecX v_m = m.objects.at(0).geometry.vectors("v");
    const VecX v_c = c.objects.at(0).geometry.vectors("v");
    EXPECT_LT((0.01 * v_c - v_m).lpNorm<Eigen::Infinity>(), 1e-2);
}

TEST(SceneUnits, AttributesPassThroughInTheHostsUnits)
{
    NullLog log;
    SessionSetup s = swinging(0.01);
    Geometry g = enlarged(sheet_geometry(8), 100);
    g.set_vectors("rest", g.positions());
    s.cloths[0].geometry = std::make_shared<StaticSource>(g, "sheet.bgeo");
    Session session(s, log);
    const Geometry out = session.cook(4, NeverCancel()).objects.at(0).geometry;
    EXPECT_EQ(out.vectors("rest"), g.positions());
    EXPECT_EQ(out.get(Owner::point, "P").storage, Storage::real32);
    EXPECT_EQ(session.cook(1, NeverCancel()).objects.at(0).geometry.positions(), g.positions());
}

TEST(SceneUnits, CentimetresTakenForMetresAreNoticed)
{
    MessageLog log;
    SessionSetup s = swinging(1);
    s.colliders.clear();
    s.cloths[0].pin_target = nullptr;
    s.cloths[0].geometry =
        std::make_shared<StaticSource>(enlarged(sheet_geometry(8), 100), "sheet.bgeo");
    Session session(s, log);
    expect_says(log.all, {"141 m across", "0.01"});
    s.cloths[0].geometry =
        std::make_shared<StaticSource>(enlarged(sheet_geometry(8), 1e-3), "sheet.bgeo");
    s.collision.set("enabled", 0.0);
    Session small(s, log);
    expect_says(log.all, {"only 0.00141 m across", "\"unit\""});
}
