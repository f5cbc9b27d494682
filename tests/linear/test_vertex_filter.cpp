#include "core/linear/vertex_filter.h"

#include <gtest/gtest.h>

namespace selvage
{
namespace
{

TEST(VertexFilter, StartsFreeAndKnowsItsConstraints)
{
    VertexFilter filter(3);
    EXPECT_EQ(filter.size(), 3);
    EXPECT_FALSE(filter.any_constraint());
    filter.fix(1);
    EXPECT_TRUE(filter.any_constraint());
    EXPECT_EQ(filter.kind(1), VertexFilter::Kind::fixed);
    filter.release(1);
    EXPECT_FALSE(filter.any_constraint());
}

TEST(VertexFilter, AppliesEachKind)
{
    VertexFilter filter(4);
    filter.fix(1);
    filter.block_direction(2, Vec3::UnitX());
    filter.block_directions(3, Vec3::UnitX(), Vec3::UnitZ());
    VecX v = VecX::LinSpaced(12, 1, 12);
    filter.apply(v);
    VecX expected(12);
    expected << 1, 2, 3, 0, 0, 0, 0, 8, 9, 0, 11, 0;
    EXPECT_EQ(v, expected);
}

TEST(VertexFilter, ProjectorsAreSymmetricAndIdempotent)
{
    VertexFilter filter(2);
    const Vec3 p = Vec3(1, 2, 3).normalized(), q = p.cross(Vec3(0, 1, 0)).normalized();
    filter.block_direction(0, p);
    filter.block_directions(1, p, q);
    for (int i = 0; i < 2; ++i) {
        const Mat3 S = filter.projector(i);
        EXPECT_LT((S * S - S).norm(), 1e-15);
        EXPECT_EQ(S, S.transpose());
        EXPECT_LT((S * p).norm(), 1e-15);
    }
    EXPECT_LT((filter.projector(1) * q).norm(), 1e-15);
}

TEST(VertexFilter, LaterConstraintReplacesEarlier)
{
    VertexFilter filter(2);
    filter.block_direction(0, Vec3::UnitX());
    filter.block_direction(1, Vec3::UnitY());
    filter.release(0);
    EXPECT_EQ(filter.projector(0), Mat3::Identity());
    filter.block_direction(0, Vec3::UnitZ());
    EXPECT_EQ(filter.projector(0), Mat3(Vec3(1, 1, 0).asDiagonal()));
    EXPECT_EQ(filter.projector(1), Mat3(Vec3(1, 0, 1).asDiagonal()));
    filter.fix(0);
    EXPECT_EQ(filter.projector(0), Mat3::Zero());
}

} // namespace
} // namespace selvage
