#include "core/example/example.h"

#include "core/base/error.h"
#include "core/geometry/nearest_surface.h"
#include "core/geometry/triangulate.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

using namespace selvage;

TEST(Example, CapeShotIsComplete)
{
    const auto example = make_example("cape");
    EXPECT_EQ(example->first_frame(), 1);
    EXPECT_EQ(example->last_frame(), 96);
    const auto still = example->still();
    ASSERT_EQ(still.size(), 1u);
    EXPECT_EQ(still[0].first, "cape");

    const auto first = example->at_frame(1), later = example->at_frame(60.5);
    ASSERT_EQ(first.size(), 2u);
    EXPECT_EQ(first[0].first, "body");
    EXPECT_EQ(first[1].first, "cape_anim");
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_TRUE(first[i].second.same_topology(later[i].second));
        EXPECT_GT((first[i].second.positions() - later[i].second.positions()).norm(), 1);
    }
    EXPECT_TRUE(still[0].second.same_topology(first[1].second));
    EXPECT_EQ(still[0].second.positions(), first[1].second.positions());
}

TEST(Example, CushionShotIsComplete)
{
    const auto example = make_example("cushion");
    const auto still = example->still(), first = example->at_frame(1),
               later = example->at_frame(13);
    ASSERT_EQ(still.size(), 1u);
    EXPECT_EQ(still[0].first, "cushion");
    for (const char* group : {"front_edge", "back_edge", "loops"})
        EXPECT_TRUE(still[0].second.find_group(Owner::point, group)) << group;
    ASSERT_EQ(first.size(), 1u);
    EXPECT_EQ(first[0].first, "bar");
    EXPECT_GT((first[0].second.positions() - later[0].second.positions()).norm(), 0.1);
}

TEST(Example, StackShotIsComplete)
{
    const auto stack = make_example("stack")->still();
    ASSERT_EQ(stack.size(), 2u);
    EXPECT_EQ(stack[0].first, "cloths");
    EXPECT_TRUE(stack[0].second.find(Owner::primitive, "layer"));
    EXPECT_EQ(stack[1].first, "table");
}

/// Curves whose roots lie on the surface that carries them, and that are outside of it.
TEST(Example, HairShotsGrowOutOfTheirSurfaces)
{
    const struct {
        const char *name, *hair, *surface;
        double off; ///< [m] roots, at most
    } shots[] = {{"fringe", "fringe", "bust", 1e-6}, {"hair_ball", "curls", "ball", 1e-3}};
    for (const auto& shot : shots) {
        const auto example = make_example(shot.name);
        const auto still = example->still(), first = example->at_frame(1),
                   later = example->at_frame(9.5);
        ASSERT_EQ(still.size(), 1u);
        EXPECT_EQ(still[0].first, shot.hair);
        ASSERT_EQ(first.size(), 1u);
        EXPECT_EQ(first[0].first, shot.surface);
        EXPECT_TRUE(first[0].second.same_topology(later[0].second));
        EXPECT_GT((first[0].second.positions() - later[0].second.positions()).norm(), 0.1);

        const std::vector<Vec3i> triangles = triangulate(first[0].second).triangles;
        const VecX surface = first[0].second.positions(), x = still[0].second.positions();
        const auto& curves = still[0].second.primitives();
        ASSERT_GT(curves.size(), 100u);
        for (std::size_t c = 0; c < curves.size(); c += 10) {
            ASSERT_FALSE(curves[c].closed);
            const std::int64_t n = curves[c].count;
            for (const std::int64_t k : {std::int64_t(0), n / 2, n - 1}) {
                const Vec3 p = x.segment<3>(3 * (curves[c].first + k));
                const SurfacePlace place = nearest_surface(p, triangles, surface);
                if (k == 0) {
                    EXPECT_LT(place.distance, shot.off);
                    continue;
                }
                const Vec3i& t = triangles[std::size_t(place.triangle)];
                const Vec3 a = surface.segment<3>(3 * t[0]);
                const Vec3 normal = (surface.segment<3>(3 * t[1]) - a)
                                        .cross(Vec3(surface.segment<3>(3 * t[2])) - a);
                EXPECT_GT(normal.dot(p - place_at(t, place.weights, surface)), 0) << c;
                EXPECT_GT(place.distance, 5e-4) << c;
            }
        }
    }
}

/// Straight rods 0.3 mm apart whose ends turn against each other and keep their heights.
TEST(Example, BraidsShotTurnsItsEnds)
{
    const auto example = make_example("braids");
    EXPECT_TRUE(example->still().empty());
    const auto first = example->at_frame(1), later = example->at_frame(51);
    ASSERT_EQ(first.size(), 1u);
    EXPECT_EQ(first[0].first, "rods");
    ASSERT_EQ(first[0].second.primitives().size(), 100u);
    EXPECT_TRUE(first[0].second.same_topology(later[0].second));
    const VecX a = first[0].second.positions(), b = later[0].second.positions();
    ASSERT_EQ(a.size(), 3 * 100 * 61);
    double nearest = infinity;
    for (int s = 0; s < 100; ++s)
        for (int t = 0; t < s; ++t)
            nearest = std::min(nearest, (a.segment<3>(183 * s) - a.segment<3>(183 * t)).norm());
    EXPECT_NEAR(nearest, 3e-4, 1e-9);
    for (int s = 0; s < 100; ++s) { // by 135° in half a second, above one way and below the other
        const Vec3 top = a.segment<3>(183 * s), bottom = a.segment<3>(183 * s + 180);
        EXPECT_NEAR(top[0], bottom[0], 1e-12);
        const double c = std::cos(0.75 * M_PI), d = std::sin(0.75 * M_PI);
        const Vec3 up(c * top[0] + d * top[2], top[1], c * top[2] - d * top[0]);
        const Vec3 down(c * top[0] - d * top[2], bottom[1], c * top[2] + d * top[0]);
        EXPECT_LT((b.segment<3>(183 * s) - up).norm(), 1e-9);
        EXPECT_LT((b.segment<3>(183 * s + 180) - down).norm(), 1e-9);
    }
}

TEST(Example, UnknownNameListsTheKnownOnes)
{
    try {
        make_example("cap");
        FAIL();
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("cape"), std::string::npos);
    }
}
