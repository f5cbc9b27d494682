#include "core/contact/contact_mesh.h"

#include "tests/contact/scenes.h"
#include "tests/support/messages.h"

#include <gtest/gtest.h>

namespace selvage
{
namespace
{

using namespace test;

TEST(ContactMesh, SwitchesBodiesAndGroups)
{
    ContactScene s = stacked_sheets(2, 2, 1, 0, 0, true);
    ContactMesh& m = s.mesh;
    const int a = m.first_vertex(0), b = m.first_vertex(1), floor = m.first_vertex(2);
    EXPECT_TRUE(m.collide(a, a + 1) && m.collide(a, b) && m.collide(a, floor));
    m.set_collide(0, 0, false);
    EXPECT_FALSE(m.collide(a, a + 1));
    EXPECT_TRUE(m.collide(a, b));

    // A new group has the switches of its body, and then its own.
    const int group = m.add_group(0);
    m.set_group(0, 1, group);
    EXPECT_FALSE(m.collide(a, a + 1));
    EXPECT_TRUE(m.collide(a + 1, b));
    m.set_collide(0, group, 2, 0, false);
    EXPECT_FALSE(m.collide(a + 1, floor));
    EXPECT_FALSE(m.collide(floor, a + 1));
    EXPECT_TRUE(m.collide(a, floor));
    m.set_collide(0, 1, false); // whole bodies: all groups
    EXPECT_FALSE(m.collide(a, b) || m.collide(a + 1, b));
    EXPECT_TRUE(m.collide(b, floor));
}

TEST(ContactMesh, FrictionIsTheMeanUnlessAPairHasItsOwn)
{
    ContactScene s = stacked_sheets(2, 2, 1, 0, 0, true); // 0.3, 0.3, floor 0.5
    ContactMesh& m = s.mesh;
    EXPECT_DOUBLE_EQ(m.friction(0, 2).resting, std::sqrt(0.3 * 0.5));
    EXPECT_DOUBLE_EQ(m.friction(0, 2).sliding, std::sqrt(0.3 * 0.5));
    m.set_sliding_friction(0, 0.2);
    EXPECT_DOUBLE_EQ(m.friction(2, 0).sliding, std::sqrt(0.2 * 0.5));
    EXPECT_DOUBLE_EQ(m.friction(0, 1).sliding, std::sqrt(0.2 * 0.3));
    EXPECT_DOUBLE_EQ(m.friction(1, 2).sliding, std::sqrt(0.3 * 0.5));
    m.set_friction(0, 2, {0.9, 0.7});
    EXPECT_EQ(m.friction(2, 0).resting, 0.9);
    expect_says(message_of([&] { m.set_sliding_friction(1, 0.4); }), {"'sheet'", "0.4", "0.3"});
}

} // namespace
} // namespace selvage
