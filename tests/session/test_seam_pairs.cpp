#include "core/session/seam_pairs.h"

#include "core/example/cushion.h"
#include "core/model/cloth_builder.h"
#include "core/session/point_selection.h"
#include "tests/support/animated_source.h"
#include "tests/support/messages.h"

#include <gtest/gtest.h>

#include <numeric>

using namespace selvage;
using namespace selvage::test;

namespace
{

Cloth cloth_of(const Geometry& g)
{
    NullLog log;
    return make_cloth("cloth", g, nullptr, ClothMaterial(), log);
}

} // namespace

TEST(SeamPairs, BordersAreOrderedAllAround)
{
    const Geometry g = cushion_panels(5);
    const Cloth cloth = cloth_of(g);
    const std::vector<int> border = group_points(g, "front_edge", "test");
    const EdgeChain chain = edge_chain(cloth, border, {}, "test");
    EXPECT_TRUE(chain.closed);
    ASSERT_EQ(chain.points.size(), 20u);
    for (std::size_t k = 0; k < 20; ++k) // neighbours in the ring are neighbours in space
        EXPECT_NEAR((cloth.x_rest.segment<3>(3 * chain.points[k]) -
                     cloth.x_rest.segment<3>(3 * chain.points[(k + 1) % 20]))
                        .norm(),
                    0.08, 1e-6);
}

TEST(SeamPairs, FacingRingsAreSewnFaceToFace)
{
    const Geometry g = cushion_panels(5);
    const Cloth cloth = cloth_of(g);
    const auto chain = [&](const char* group) {
        return edge_chain(cloth, group_points(g, group, "test"), {}, "test");
    };
    const std::vector<Link> links =
        sew(cloth, chain("front_edge"), cloth, chain("back_edge"), g.positions());
    ASSERT_EQ(links.size(), 20u);
    double length = 0;
    for (const Link& l : links) {
        EXPECT_EQ(l.to, Link::To::vertex);
        EXPECT_EQ(std::abs(l.vertex - l.others[0]), 36); // the same place on the other panel
        length += l.share;
    }
    EXPECT_NEAR(length, 4 * 0.4, 1e-6);
}

TEST(SeamPairs, UnevenEdgesAreJoinedByLength)
{
    Cloth fine = cloth_of(sheet_geometry(6)), coarse = cloth_of(sheet_geometry(4));
    coarse.first_vertex = fine.point_count();
    VecX x(fine.x_rest.size() + coarse.x_rest.size());
    x << fine.x_rest, coarse.x_rest;
    const auto top = [](const Cloth& c, int n) {
        std::vector<int> points(std::size_t(n + 1));
        std::iota(points.begin(), points.end(), 0);
        return edge_chain(c, points, {}, "test");
    };
    const std::vector<Link> links = sew(coarse, top(coarse, 4), fine, top(fine, 6), x);
    ASSERT_EQ(links.size(), 7u); // from the side with more points
    for (const Link& l : links) {
        Vec3 partner = Vec3::Zero();
        if (l.to == Link::To::vertex)
            partner = x.segment<3>(3 * l.others[0]);
        else
            for (std::size_t k = 0; k < 3; ++k)
                partner += l.weights[Eigen::Index(k)] * x.segment<3>(3 * l.others[k]);
        EXPECT_LT((partner - x.segment<3>(3 * l.vertex)).norm(), 1e-6);
    }
}

TEST(SeamPairs, WhatIsNoLineIsExplained)
{
    const Cloth cloth = cloth_of(sheet_geometry(4));
    expect_says(message_of([&] {
                    edge_chain(cloth, {0, 1, 5, 6}, {}, "Seam 's': group");
                }),
                {"Seam 's': group"});
    expect_says(message_of([&] {
                    edge_chain(cloth, {0, 1, 3, 4}, {}, "Seam 's': group");
                }),
                {"several lines"});
    expect_says(message_of([&] { edge_chain(cloth, {0}, {}, "Seam 's': group"); }), {"two points"});
}
