#include "core/example/cape.h"

#include "core/base/error.h"
#include "core/example/gait.h"
#include "tests/example/mesh_checks.h"

#include <gtest/gtest.h>

using namespace selvage;

namespace
{

struct Dressed {
    explicit Dressed(double cell = FigureSettings().cell) : figure(FigureSettings{cell}) {}
    Figure figure;
    Pose start = figure_pose(0);
    Cape cape{figure, start};
};

} // namespace

TEST(Cape, StartsClearOfTheBody)
{
    const Dressed d;
    const Triangles body = triangles_of(d.figure.geometry(d.start));
    const Triangles cape = triangles_of(d.cape.geometry());
    EXPECT_GT(least_distance(cape.x, body, 0.05), 0.01);
    EXPECT_GT(least_distance(body.x, cape, 0.05), 0.01);
    EXPECT_EQ(intersections(cape, body), 0);
    EXPECT_EQ(self_intersections(cape), 0);
    EXPECT_LT(least_distance(cape.x, body, 0.05), 0.03); // it sits on the shoulders
}

TEST(Cape, IsASheetOfQuads)
{
    const Dressed d(0.022);
    const Geometry& g = d.cape.geometry();
    const int rows = d.cape.rows(), columns = d.cape.columns();
    EXPECT_EQ(g.point_count(), std::size_t(rows) * std::size_t(columns));
    EXPECT_NEAR(double(g.point_count()), 10000, 200);
    for (const Primitive& p : g.primitives()) ASSERT_EQ(p.count, 4);
    EXPECT_EQ(bad_edges(g), 0);
    EXPECT_EQ(open_or_bad_edges(g), 2 * (rows + columns - 2)); // one border
    EXPECT_EQ(euler_characteristic(g), 1);
    EXPECT_EQ(g.get(Owner::vertex, "uv").size(), g.vertex_count());

    const Group* collar = g.find_group(Owner::point, "collar");
    ASSERT_TRUE(collar);
    EXPECT_EQ(collar->count(), 2 * std::size_t(columns));
    const VecX x = g.positions();
    for (std::size_t i = 0; i < g.point_count(); ++i)
        if (collar->member[i]) {
            EXPECT_GT(x[3 * Eigen::Index(i) + 1], 1.35);
        }
}

TEST(Cape, QuadsAreEven)
{
    const Dressed d(0.022);
    const VecX x = d.cape.geometry().positions();
    const auto at = [&](int row, int column) {
        return Vec3(x.segment<3>(3 * (row * d.cape.columns() + column)));
    };
    for (int k = 0; k + 1 < d.cape.rows(); ++k)
        for (int j = 0; j + 1 < d.cape.columns(); ++j) {
            const double across = (at(k, j + 1) - at(k, j)).norm();
            const double down = (at(k + 1, j) - at(k, j)).norm();
            EXPECT_LT(std::max(across / down, down / across), 2.0) << k << " " << j;
            EXPECT_GT(std::min(across, down), 0.003);
            EXPECT_LT(std::max(across, down), 0.022);
        }
}

TEST(Cape, FacesOutward)
{
    const Dressed d(0.022);
    const Triangles cape = triangles_of(d.cape.geometry());
    const Vec3 middle(0, 0, -0.03);
    for (const Vec3i& f : cape.faces) {
        const Vec3 n = (cape.point(f[1]) - cape.point(f[0]))
                           .cross(cape.point(f[2]) - cape.point(f[0]))
                           .normalized();
        Vec3 out = cape.point(f[0]) - middle;
        out.y() = 0.3; // over the shoulders it faces up
        ASSERT_GT(n.dot(out), 0);
    }
}

TEST(Cape, CollarFollowsTheChestRigidlyAndClearOfTheBody)
{
    const Dressed d;
    const Skeleton& s = d.figure.skeleton();
    const VecX x0 = d.cape.carried_positions(d.start);
    EXPECT_LT((x0 - d.cape.geometry().positions()).cwiseAbs().maxCoeff(), 1e-6);
    const Eigen::Index collar = 6 * d.cape.columns();
    for (int frame = 1; frame <= 96; frame += 8) {
        const Pose pose = figure_pose((frame - 1) / 24.0);
        const VecX x = d.cape.carried_positions(pose);
        const auto chest = [&](const Pose& p) { return bone_transforms(s, p)[Joint::upper_chest]; };
        const Eigen::Isometry3d motion = chest(pose) * chest(d.start).inverse();
        for (Eigen::Index i = 0; i < x.size(); i += 3)
            ASSERT_LT((motion * Vec3(x0.segment<3>(i)) - x.segment<3>(i)).norm(), 1e-12);
        const Triangles body = triangles_of(d.figure.geometry(pose));
        EXPECT_GT(least_distance(x.head(collar), body, 0.05), 0.01) << "frame " << frame;
    }
}

TEST(Cape, PointNumberIsASetting)
{
    const Figure figure(FigureSettings{0.022});
    CapeSettings settings;
    settings.points = 1500;
    const Cape cape(figure, figure_pose(0), settings);
    EXPECT_NEAR(double(cape.geometry().point_count()), 1500, 60);
    settings.points = 5;
    EXPECT_THROW(Cape(figure, figure_pose(0), settings), InputError);
}
