#include "core/contact/contact_islands.h"
#include "core/contact/strand_contacts.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

using namespace selvage;

namespace
{

/// Two strands of two points each, and a triangle below them.
struct TwoStrands {
    ContactMesh mesh{4};
    StrandContactQuery query;

    TwoStrands()
    {
        MeshTopology strands, floor = mesh_topology({{0, 1, 2}});
        strands.edges = {{0, 1}, {2, 3}};
        mesh.add_surface("strands", strands, 0, VecX::Zero(12), 0.02, 0.3);
        VecX triangle(9);
        triangle << -5, -1, -5, 5, -1, -5, 0, -1, 5;
        mesh.add_collider("floor", floor, triangle, 0, 0.3);
        query.x_0.resize(21);
        // Along x at y = 0; along z at y = 0.1.
        query.x_0 << -1, 0, 0, 1, 0, 0, 0.5, 0.1, -1, 0.5, 0.1, 1, triangle;
        query.x_1 = query.x_0;
        query.movable = {1, 1, 1, 1, 0, 0, 0};
    }
    std::vector<StrandContact> find()
    {
        std::vector<StrandContact> out;
        StrandContactSearch(mesh).find(query, out);
        return out;
    }
};

} // namespace

TEST(StrandContacts, NothingNearNothingFound) { EXPECT_TRUE(TwoStrands().find().empty()); }

TEST(StrandContacts, MeetingOnTheWayIsFoundWithThePlaceAndDirectionOfTheMeeting)
{
    TwoStrands s;
    s.query.x_1[7] = s.query.x_1[10] = -0.4; // the second strand falls past the first
    const auto found = s.find();
    ASSERT_EQ(found.size(), 1u);
    const StrandContact& c = found[0];
    EXPECT_EQ(c.feature_a, contact_feature(FeatureKind::edge, 0));
    EXPECT_EQ(c.feature_b, contact_feature(FeatureKind::edge, 1));
    EXPECT_NEAR(c.normal[1], -1, 1e-12); // from the second to the first
    EXPECT_NEAR(c.weight[0], 0.25, 1e-12);
    EXPECT_NEAR(c.weight[1], 0.75, 1e-12);
    EXPECT_NEAR(c.weight[2], -0.5, 1e-12);
    EXPECT_NEAR(c.weight[3], -0.5, 1e-12);
    EXPECT_NEAR(c.slack, 0.08, 1e-12);
    EXPECT_NEAR(c.thickness, 0.02, 1e-15);
    EXPECT_NEAR(c.friction, 0.3, 1e-15);
}

TEST(StrandContacts, NearPairsAreFoundWhereTheyAreAndOverlapsAreBounded)
{
    TwoStrands s;
    for (const int y : {7, 10}) s.query.x_0[y] = s.query.x_1[y] = 0.025;
    ASSERT_EQ(s.find().size(), 1u);
    EXPECT_NEAR(s.find()[0].slack, 0.005, 1e-12);
    for (const int y : {7, 10}) s.query.x_0[y] = s.query.x_1[y] = 0.005;
    EXPECT_EQ(s.find()[0].slack, -s.query.correction);
}

TEST(StrandContacts, SurfacesAreMetByPointsAndPushUpwards)
{
    TwoStrands s;
    for (int v = 0; v < 2; ++v) s.query.x_1[3 * v + 1] = -1.5;
    const auto found = s.find();
    ASSERT_EQ(found.size(), 2u); // both ends of the first strand
    for (const StrandContact& c : found) {
        EXPECT_NEAR(c.normal[1], 1, 1e-12);
        EXPECT_NEAR(c.slack, 0.99, 1e-12);
        EXPECT_EQ(c.feature_b, contact_feature(FeatureKind::triangle, 0));
    }
    // What no force moves is left out, and so are edges that grow out of a skin.
    s.query.movable[0] = s.query.movable[1] = 0;
    EXPECT_TRUE(s.find().empty());
}

TEST(StrandContacts, PlanesPushToTheFrontFromAnywhere)
{
    MeshTopology strand;
    strand.edges = {{0, 1}};
    ContactMesh mesh(2);
    mesh.add_surface("strand", strand, 0, VecX::Zero(6), 0.02, 0.3);
    Vec9 plane;
    plane << 0, 0, 0, 0, 0, 1, 1, 0, 0; // up
    mesh.add_plane("floor", plane, 0, 0.3);
    StrandContactQuery query;
    query.x_0.resize(15);
    query.x_0 << 50, 0.005, 9, 51, 3, 9, plane; // one point too near, one far above
    query.x_1 = query.x_0;
    query.x_1[4] = -1; // and falling
    query.movable = {1, 1, 0, 0, 0};
    std::vector<StrandContact> found;
    StrandContactSearch(mesh).find(query, found);
    ASSERT_EQ(found.size(), 2u);
    for (const StrandContact& c : found) {
        EXPECT_EQ(c.feature_b, contact_feature(FeatureKind::plane, 0));
        EXPECT_NEAR(c.normal[1], 1, 1e-12);
        double sum = 0;
        for (const double w : c.weight) sum += w;
        EXPECT_NEAR(sum, 0, 1e-12);
    }
    EXPECT_NEAR(found[0].slack, -query.correction, 1e-12);
    EXPECT_NEAR(found[1].slack, 2.99, 1e-9);
    query.x_0[1] = query.x_1[1] = -0.4; // behind the plane
    StrandContactSearch(mesh).find(query, found);
    EXPECT_NEAR(found[0].normal[1], 1, 1e-12);
}

/// Random pairs: every contact once, islands and colours apart, all sweeps in units.
TEST(ContactIslands, SeparatesIslandsAndColours)
{
    std::mt19937 random(3);
    const int bodies = 200;
    std::vector<std::array<int, 2>> pairs;
    std::uniform_int_distribution<int> body(0, bodies - 1), near(-1, 2);
    for (int k = 0; k < 400; ++k) {
        const int a = body(random), b = std::min(a + near(random), bodies - 1);
        pairs.push_back({a, k % 5 == 0 ? -1 : b});
    }
    const ContactIslands islands = contact_islands(pairs, bodies);
    EXPECT_GT(islands.islands.size(), 3u);
    std::set<int> contacts(islands.order.begin(), islands.order.end());
    EXPECT_EQ(contacts.size(), pairs.size());

    std::vector<int> island_of(bodies, -1);
    int next_contact = 0, next_unit = 0;
    for (std::size_t k = 0; k < islands.islands.size(); ++k) {
        const auto& island = islands.islands[k];
        EXPECT_EQ(island.first_contact, next_contact);
        next_contact = island.last_contact;
        for (std::size_t c = 0; c + 1 < island.colours.size(); ++c) {
            std::set<int> used;
            for (int u = island.colours[c]; u < island.colours[c + 1]; ++u, ++next_unit) {
                const auto& unit = islands.units[std::size_t(u)];
                ASSERT_EQ(u, next_unit);
                const std::set<int> own(unit.bodies.begin(), unit.bodies.end());
                for (const int b : own) {
                    if (b < 0) continue;
                    EXPECT_TRUE(used.insert(b).second); // no body twice in a colour
                    EXPECT_TRUE(island_of[std::size_t(b)] < 0 ||
                                island_of[std::size_t(b)] == int(k));
                    island_of[std::size_t(b)] = int(k);
                }
                for (int i = unit.begin; i < unit.end; ++i) {
                    const auto& p = pairs[std::size_t(islands.order[std::size_t(i)])];
                    EXPECT_EQ(std::min(p[0], p[1]), unit.bodies[0]);
                    EXPECT_EQ(std::max(p[0], p[1]), unit.bodies[1]);
                }
            }
        }
    }
    EXPECT_EQ(next_contact, int(pairs.size()));
}
