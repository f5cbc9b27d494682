#include "core/session/scene_assembly.h"

#include "core/example/cloth_grid.h"
#include "core/model/scene_contact.h"
#include "tests/support/messages.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

Geometry grid_at(double height)
{
    Geometry g = cloth_grid(2, 2, 1, 1, GridCells::regular_triangles);
    VecX x = g.positions();
    for (Eigen::Index i = 1; i < x.size(); i += 3) x[i] += height;
    g.set_positions(x);
    return g;
}

void set_text(Geometry& g, Owner owner, const std::string& name, const std::string& text,
              std::size_t element = 0)
{
    Attribute a = g.find(owner, name)
                      ? *g.find(owner, name)
                      : make_attribute(name, owner, Storage::string, 1, g.element_count(owner));
    a.set_text(element, 0, text);
    g.set(std::move(a));
}

/// Two sheets, "shirt" (vertices 0–8) and "cape" (9–17), over a collider "body" (18–26).
struct Wardrobe {
    Geometry shirt = grid_at(1), cape = grid_at(2), body = grid_at(0);
    SessionSetup setup;
    MessageLog log;

    Wardrobe()
    {
        for (const char* name : {"shirt", "cape"}) {
            setup.cloths.emplace_back();
            setup.cloths.back().cloth.set("name", std::string(name));
            setup.cloths.back().cloth.set("friction", 0.4);
        }
        setup.colliders.emplace_back();
        setup.colliders.back().collider.set("name", std::string("body"));
        setup.colliders.back().collider.set("friction", 0.1);
    }
    ContactMesh mesh()
    {
        setup.cloths[0].geometry = std::make_shared<StaticSource>(shirt);
        setup.cloths[1].geometry = std::make_shared<StaticSource>(cape);
        setup.colliders[0].geometry = std::make_shared<StaticSource>(body);
        return scene_contact_mesh(*assemble_scene(setup, log).scene);
    }
    void pair(const std::string& a, const std::string& b)
    {
        setup.pairs.emplace_back();
        setup.pairs.back().pair.set("a", a);
        setup.pairs.back().pair.set("b", b);
    }
};

constexpr int shirt = 0, cape = 9, body = 18;

} // namespace

TEST(ContactAssembly, PscaleIsHalfTheThicknessOfItsPoint)
{
    Wardrobe w;
    VecX radius = VecX::Constant(9, 0.01);
    radius[4] = 0.02;
    w.cape.set_scalars("pscale", radius, Storage::real64);
    w.body.set_scalars("pscale", VecX::Constant(9, 0.005), Storage::real64);
    const ContactMesh m = w.mesh();
    EXPECT_EQ(m.thickness(cape), 0.02);
    EXPECT_EQ(m.thickness(cape + 4), 0.04);
    EXPECT_EQ(m.thickness(body + 3), 0.01);
    EXPECT_LT(m.thickness(shirt), 0.01); // its material's
    EXPECT_EQ(w.log.all, "");

    radius[4] = 0.7; // thicker than its edges are long
    w.cape.set_scalars("pscale", radius);
    w.mesh();
    expect_says(w.log.all, {"Cloth 'cape'", "pscale", "point 4", "mean edge"});
    radius[4] = -1;
    w.cape.set_scalars("pscale", radius);
    expect_says(message_of([&] { w.mesh(); }), {"Cloth 'cape'", "point 4", "pscale -1"});
}

TEST(ContactAssembly, FrictionIsPaintedAsAFactor)
{
    Wardrobe w;
    VecX factor = VecX::Ones(9);
    factor[2] = 0.5;
    w.shirt.set_scalars("friction", factor);
    w.shirt.set_scalars("dynamicfriction", 2 * factor);
    Attribute whole = make_attribute("friction", Owner::detail, Storage::real32, 1, 1);
    whole.set_number(0, 0, 0.25);
    w.body.set(std::move(whole));
    const ContactMesh m = w.mesh();
    EXPECT_EQ(m.friction_scale(shirt + 2), Vec2(0.5, 1));
    EXPECT_EQ(m.friction_scale(shirt), Vec2(1, 2));
    EXPECT_EQ(m.friction_scale(cape), Vec2(1, 1));
    EXPECT_EQ(m.friction_scale(body + 8), Vec2(0.25, 1));
    EXPECT_DOUBLE_EQ(m.friction(0, 2).resting, 0.2);
}

TEST(ContactAssembly, PointsLeaveOutSelfAndCollisionsWithColliders)
{
    Wardrobe w;
    VecX marked = VecX::Zero(9);
    marked[0] = 1;
    w.shirt.set_scalars("disableself", marked);
    w.shirt.set_scalars("disableexternal", VecX(marked.reverse()));
    const ContactMesh m = w.mesh();
    EXPECT_FALSE(m.collide(shirt, shirt + 5));
    EXPECT_TRUE(m.collide(shirt + 4, shirt + 5));
    EXPECT_TRUE(m.collide(shirt, cape)); // its own object only
    EXPECT_TRUE(m.collide(shirt, body));
    EXPECT_FALSE(m.collide(shirt + 8, body + 2));
    EXPECT_TRUE(m.collide(shirt + 8, cape + 2));
}

TEST(ContactAssembly, CollisionignoreNamesObjectsGroupsAndPatterns)
{
    Wardrobe w;
    set_text(w.shirt, Owner::point, "collisionignore", "cape", 3);  // an object
    set_text(w.shirt, Owner::point, "collisionignore", "arm_*", 4); // a point group of the body
    set_text(w.shirt, Owner::point, "collisionignore", "wet", 5);   // a collisiongroup
    set_text(w.cape, Owner::detail, "collisionignore", "* ^body cape");
    set_text(w.body, Owner::point, "collisiongroup", "wet", 7);
    Group arm;
    arm.name = "arm_left";
    arm.member = {1, 1, 0, 0, 0, 0, 0, 0, 0};
    w.body.set_group(arm);
    const ContactMesh m = w.mesh();
    EXPECT_EQ(w.log.all, "");
    EXPECT_FALSE(m.collide(shirt + 3, cape + 1));
    EXPECT_TRUE(m.collide(shirt + 3, body));
    EXPECT_FALSE(m.collide(shirt + 4, body + 1));
    EXPECT_TRUE(m.collide(shirt + 4, body + 2));
    EXPECT_FALSE(m.collide(shirt + 5, body + 7));
    EXPECT_TRUE(m.collide(shirt + 5, body + 6));
    EXPECT_FALSE(m.collide(cape, shirt)); // by the cape's wish
    EXPECT_FALSE(m.collide(cape, cape + 3));
    EXPECT_TRUE(m.collide(cape, body));
    EXPECT_TRUE(m.collide(shirt, shirt + 8));

    Wardrobe typo;
    set_text(typo.shirt, Owner::point, "collisionignore", "bodi", 3);
    typo.mesh();
    expect_says(typo.log.all, {"Cloth 'shirt'", "'bodi'", "Did you mean 'body'"});
}

TEST(ContactAssembly, PairsOfTheShotSwitchAndRub)
{
    Wardrobe w;
    w.setup.colliders[0].collider.set("dynamic_friction", 0.05);
    w.pair("shirt", "body");
    w.setup.pairs[0].pair.set("collide", 0.0);
    w.pair("cape", "*");
    w.setup.pairs[1].pair.set("friction", 0.7);
    w.setup.pairs[1].pair.set("dynamic_friction", 0.6);
    const ContactMesh m = w.mesh();
    EXPECT_FALSE(m.collide(body, shirt));
    EXPECT_TRUE(m.collide(shirt, cape) && m.collide(cape, body) && m.collide(shirt, shirt + 1));
    for (const int other : {0, 1, 2}) {
        EXPECT_EQ(m.friction(1, other).resting, 0.7);
        EXPECT_EQ(m.friction(1, other).sliding, 0.6);
    }
    EXPECT_DOUBLE_EQ(m.friction(0, 2).resting, 0.2);
    EXPECT_DOUBLE_EQ(m.friction(0, 2).sliding, std::sqrt(0.4 * 0.05));
}

TEST(ContactAssembly, PairsOfTheShotNamePartsOfObjects)
{
    Wardrobe w;
    Group arm;
    arm.name = "arm_left";
    arm.member = {1, 1, 0, 0, 0, 0, 0, 0, 0};
    w.body.set_group(arm);
    set_text(w.cape, Owner::point, "collisiongroup", "hem", 3);
    w.pair("shirt", "arm_*");
    w.pair("hem", "body");
    for (PairSetup& p : w.setup.pairs) p.pair.set("collide", 0.0);
    const ContactMesh m = w.mesh();
    EXPECT_FALSE(m.collide(shirt, body) || m.collide(shirt + 8, body + 1));
    EXPECT_TRUE(m.collide(shirt, body + 2) && m.collide(cape, body));
    EXPECT_FALSE(m.collide(cape + 3, body) || m.collide(cape + 3, body + 8));
    EXPECT_TRUE(m.collide(cape + 3, shirt) && m.collide(cape + 2, body + 8));

    w.setup.pairs[0].pair.set("friction", 0.2);
    expect_says(message_of([&] { w.mesh(); }), {"'arm_*'", "whole objects", "Paint"});
}

TEST(ContactAssembly, WrongPairsAndFrictionsAreRefused)
{
    Wardrobe w;
    w.pair("shirt", "boddy");
    expect_says(message_of([&] { w.mesh(); }), {"'shirt', 'boddy'", "Did you mean 'body'"});

    Wardrobe swapped;
    swapped.pair("shirt", "cape");
    swapped.setup.pairs[0].pair.set("dynamic_friction", 0.6);
    expect_says(message_of([&] { swapped.mesh(); }), {"dynamic_friction 0.6", "0.4"});

    Wardrobe cloth;
    cloth.setup.cloths[1].cloth.set("dynamic_friction", 0.5);
    expect_says(message_of([&] { cloth.mesh(); }), {"Cloth 'cape'", "dynamic_friction 0.5"});
}
