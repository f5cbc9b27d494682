#include "core/base/error.h"
#include "core/check/report.h"
#include "tests/check/meshes.h"
#include "tests/support/volumes.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>

using namespace selvage;

namespace
{

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

TEST(CheckReport, CleanGeometryPasses)
{
    const CheckReport r = check_geometry(
        {named("low", make_grid(4, o, X, Y)), named("high", make_grid(4, 0.1 * Z, X, Y))},
        {/*thickness*/ 0.05});
    EXPECT_TRUE(r.ok);
    EXPECT_EQ(r.triangles, 64u);
    ASSERT_TRUE(r.smallest_gap);
    EXPECT_DOUBLE_EQ(r.smallest_gap->distance, 0.1);
    EXPECT_TRUE(contains(report_text(r), "OK"));
}

TEST(CheckReport, EmptyInputPasses)
{
    EXPECT_TRUE(check_geometry({}).ok);
    EXPECT_TRUE(check_geometry({named("nothing", Geometry())}).ok);
    EXPECT_TRUE(check_geometry({{"nothing", Geometry(), Geometry()}}).ok);
    EXPECT_FALSE(nlohmann::json::parse(report_json(check_geometry({}))).empty());
}

TEST(CheckReport, NonFinitePointsAreNamedAndTheRestIsStillJudged)
{
    Geometry g = make_grid(4, o, X, Y);
    VecX P = g.positions();
    P[3 * 7 + 1] = std::nan("");
    P[3 * 9] = infinity;
    g.set_positions(P);
    const CheckReport r = check_geometry({named("first", make_grid(2, Z, X, Y)), named("cape", g)});
    EXPECT_FALSE(r.ok);
    ASSERT_EQ(r.non_finite.count, 2u);
    EXPECT_EQ(r.non_finite.list[0].object, 1);
    EXPECT_EQ(r.non_finite.list[0].points[0], 7);
    EXPECT_EQ(r.non_finite.list[1].points[0], 9);
    EXPECT_EQ(r.intersections.crossing_count, 0u);
    EXPECT_TRUE(contains(report_text(r), "cape primitive"));
    EXPECT_TRUE(contains(report_text(r), "FAILED"));
}

TEST(CheckReport, DegenerateTriangles)
{
    const std::vector<NamedGeometry> objects = {
        named("cape", make_geometry({o, X, Y, 0.5 * X, 5 * Z}, {{0, 1, 2}, {0, 3, 1}}))};
    CheckReport r = check_geometry(objects);
    EXPECT_FALSE(r.ok);
    ASSERT_EQ(r.degenerate.count, 1u);
    EXPECT_EQ(r.degenerate.list[0], (ElementId{0, 1, {0, 3, 1}}));
    CheckOptions lenient;
    lenient.allow_degenerate = true;
    r = check_geometry(objects, lenient);
    EXPECT_EQ(r.degenerate.count, 1u);
    EXPECT_TRUE(r.ok);
}

TEST(CheckReport, SeamsPassAndCrossingsFail)
{
    const NamedGeometry left = named("left", make_grid(4, o, X, Y));
    CheckReport r = check_geometry({left, named("right", make_grid(4, X, X + Z, Y))});
    EXPECT_TRUE(r.ok);
    EXPECT_GT(r.intersections.touching_count, 0u);
    EXPECT_TRUE(contains(report_text(r), "unfused seams"));

    r = check_geometry({left, named("right", make_grid(4, {0.5, 0.1, -0.4}, Y, Z))});
    EXPECT_FALSE(r.ok);
    EXPECT_EQ(r.smallest_gap->distance, 0);
    EXPECT_TRUE(contains(report_text(r), "left primitive"));
}

TEST(CheckReport, DoubledSheetFails)
{
    const NamedGeometry sheet = named("sheet", make_grid(3, o, X, Y));
    const CheckReport r = check_geometry({sheet, sheet});
    EXPECT_FALSE(r.ok);
    EXPECT_EQ(r.coincident.count, 18u);
}

TEST(CheckReport, ThinGapsFail)
{
    CheckOptions options;
    options.thickness = 0.02;
    const std::vector<NamedGeometry> objects = {named("low", make_grid(4, o, X, Y)),
                                                named("high", make_grid(4, 0.01 * Z, X, Y))};
    const CheckReport r = check_geometry(objects, options);
    EXPECT_FALSE(r.ok);
    EXPECT_GT(r.gaps.count, 0u);
    EXPECT_TRUE(contains(report_text(r), "nearer than 0.02 m"));
    options.thickness = 0;
    EXPECT_TRUE(check_geometry(objects, options).ok);
}

TEST(CheckReport, StrainLimit)
{
    const Geometry rest = make_grid(3, o, X, Y, /*triangles*/ false);
    const Geometry now = make_grid(3, o, 1.2 * X, Y, /*triangles*/ false);
    CheckOptions options;
    options.strain_limit = 0.1;
    CheckReport r = check_geometry({{"cape", now, rest}}, options);
    EXPECT_FALSE(r.ok);
    ASSERT_EQ(r.strain.size(), 1u);
    EXPECT_NEAR(r.strain[0].strain.largest.stretch, 1.2, 1e-12);
    EXPECT_TRUE(contains(report_text(r), "9 primitives stretched by more than 10 %"));
    options.strain_limit = 0.3;
    EXPECT_TRUE(check_geometry({{"cape", now, rest}}, options).ok);
    EXPECT_THROW(check_geometry({{"cape", now, make_grid(2, o, X, Y)}}), InputError);
}

TEST(CheckReport, JsonParsesAndAgrees)
{
    Geometry g = make_grid(4, o, X, Y);
    const CheckReport r =
        check_geometry({{"a \"quoted\" \\ n\xc3\xa4me", g, g},
                        named("bad \xff byte", make_grid(4, {0.5, 0.1, -0.4}, Y, Z))},
                       {/*thickness*/ 0.01});
    const auto json = nlohmann::json::parse(report_json(r));
    EXPECT_EQ(json["ok"], false);
    EXPECT_EQ(json["objects"][0], "a \"quoted\" \\ n\xc3\xa4me");
    EXPECT_EQ(json["crossing"]["count"], r.intersections.crossing_count);
    EXPECT_EQ(json["crossing"]["list"].size(), r.intersections.crossing.size());
    EXPECT_EQ(json["min_gap"]["distance"], 0);
    EXPECT_TRUE(json["strain"][0]["limit"].is_null());
    EXPECT_NEAR(json["strain"][0]["largest"]["stretch"].get<double>(), 1, 1e-12);
}

TEST(CheckReport, PositionsAreJudgedAsStored)
{
    // 1e-9 m apart in doubles; in 32 bits both layers lie in one plane.
    const auto layer = [](double height, Storage storage) {
        const Geometry fine = make_grid(2, {0.25, 0.25, height}, 0.3 * X, 0.7 * Y);
        Geometry g = fine;
        g.remove(Owner::point, "P");
        g.set_vectors("P", fine.positions(), "point", storage);
        return g;
    };
    const Geometry base = make_grid(3, Z, X, Y);
    const auto check = [&](Storage storage) {
        return check_geometry({named("base", base), named("layer", layer(1 + 1e-9, storage))}).ok;
    };
    EXPECT_TRUE(check(Storage::real64));
    EXPECT_FALSE(check(Storage::real32));
}

/// The whole check of 200 000 triangles; the time is recorded, not judged.
TEST(CheckReportFull, LargeSheets)
{
    const Geometry low = make_grid(224, o, X, Y);
    const std::vector<NamedGeometry> objects = {{"low", low, low},
                                                named("high", make_grid(225, 0.004 * Z, X, Y))};
    const auto start = std::chrono::steady_clock::now();
    CheckOptions options;
    options.thickness = 0.001;
    const CheckReport r = check_geometry(objects, options);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    RecordProperty("check_seconds", std::to_string(seconds.count()));
    EXPECT_TRUE(r.ok);
    EXPECT_GE(r.triangles, 200000u);
    // Neighbours' neighbours are nearer than the other sheet: half a cell's diagonal.
    EXPECT_NEAR(r.smallest_gap->distance, 1 / (225 * std::sqrt(2.0)), 1e-9);
}

TEST(CheckReport, PointsBehindPlanesFail)
{
    const std::vector<NamedGeometry> sheet = {named("sheet", make_grid(4, 0.1 * Z, X, Y))};
    CheckOptions options;
    options.planes = {parse_plane("0,0,2,0.1")}; // z = 0.05
    CheckReport r = check_geometry(sheet, options);
    EXPECT_TRUE(r.ok) << report_text(r);
    options.thickness = 0.06;
    r = check_geometry(sheet, options);
    EXPECT_FALSE(r.ok);
    EXPECT_EQ(r.below_planes.count, 25u);
    EXPECT_NEAR(r.below_planes.list[0].height, 0.05, 1e-7);
    options.thickness = 0;
    options.planes.push_back(parse_plane("1, 0, 0, 0.25"));
    r = check_geometry(sheet, options);
    EXPECT_EQ(r.below_planes.count, 5u);
    EXPECT_EQ(r.below_planes.list[0].plane, 1);
    EXPECT_TRUE(contains(report_text(r), "behind a plane"));
    for (const char* wrong : {"", "0,1,0", "0,1,0,0,0", "0,0,0,1", "0 1 0 0", "0,up,0,0"})
        EXPECT_THROW(parse_plane(wrong), InputError) << wrong;
}

TEST(CheckReport, ElementsInsideVolumesFail)
{
    const NamedGeometry ball = {"ball", test::volume_geometry(test::ball_field(0.1, o)),
                                std::nullopt};
    const auto plate = [](double height) {
        return named("plate", make_geometry({Vec3(-0.3, height, -0.3), Vec3(0, height, 0.6),
                                             Vec3(0.3, height, -0.3)},
                                            {{0, 1, 2}}));
    };
    CheckReport r = check_geometry({plate(0.105), ball});
    EXPECT_TRUE(r.ok) << report_text(r);
    r = check_geometry({plate(0.105), ball}, {/*thickness*/ 0.006});
    EXPECT_FALSE(r.ok);
    // Its corners and edges are far away: only its inside meets the ball.
    r = check_geometry({plate(0.09), ball});
    EXPECT_FALSE(r.ok);
    ASSERT_EQ(r.in_volumes.count, 1u);
    EXPECT_NEAR(r.in_volumes.list[0].distance, -0.01, 1e-4);
    EXPECT_EQ(r.in_volumes.list[0].volume, 1);
    EXPECT_EQ(r.in_volumes.list[0].element.points[2], 2);
    EXPECT_TRUE(contains(report_text(r), "inside a volume"));
    EXPECT_TRUE(contains(report_json(r), "in_volumes"));
}

TEST(CheckReport, BentQuadsAreCutAsInThePoseGiven)
{
    // A saddle that is cut along the one diagonal has a ridge there, along the other a valley.
    const Geometry saddle =
        make_geometry({0.1 * Z, X - 0.1 * Z, X + Y + 0.1 * Z, Y - 0.1 * Z}, {{0, 1, 2, 3}});
    const Vec3 centre = 0.5 * (X + Y);
    const Geometry blade =
        make_geometry({centre, centre + 0.05 * X, centre + 0.5 * Z}, {{0, 1, 2}});
    const auto crossings = [&](std::optional<Geometry> cut_by) {
        NamedGeometry cloth = named("cloth", saddle);
        cloth.cut_by = std::move(cut_by);
        return check_geometry({cloth, named("blade", blade)}).intersections.crossing_count;
    };
    const auto pose = [](double corner) {
        return make_geometry({o, X, corner * (X + Y), Y}, {{0, 1, 2, 3}});
    };
    EXPECT_GT(crossings(pose(0.9)), 0u);
    EXPECT_EQ(crossings(pose(1.1)), 0u);
    EXPECT_EQ(crossings(make_grid(2, o, X, Y)), crossings(std::nullopt)); // another mesh
}

TEST(CheckReport, ObjectsThatAreNotJudgedMayCrossEachOther)
{
    const NamedGeometry cloth = named("cloth", make_grid(4, 3 * Z, X, Y)),
                        body = named("body", make_grid(4, o, X, Y)),
                        prop = named("prop", make_grid(4, Vec3(0.3, 0.3, -0.5), X, Z));
    CheckOptions options;
    EXPECT_FALSE(check_geometry({cloth, body, prop}, options).ok);
    options.judged_objects = 1;
    EXPECT_TRUE(check_geometry({cloth, body, prop}, options).ok);
    EXPECT_FALSE(check_geometry({prop, body, cloth}, options).ok);
}

TEST(CheckReport, ObjectsThatAreNotJudgedMayBeFlawed)
{
    const NamedGeometry cloth = named("cloth", make_grid(4, 0.02 * Z, X, Y));
    // A triangle without area, another one twice, and a lip that nearly touches it.
    const NamedGeometry body = named(
        "body", make_geometry({o, X, Y, o, X, Y, X + 0.001 * Z, o + 0.001 * Z, 0.5 * X, 3 * X - Z},
                              {{0, 1, 2}, {3, 4, 5}, {7, 6, 9}, {0, 8, 1}}));
    CheckOptions options;
    options.thickness = 0.01;
    EXPECT_FALSE(check_geometry({body}, options).ok);
    EXPECT_GT(check_geometry({cloth, body}, options).degenerate.count, 0u);
    options.judged_objects = 1;
    const CheckReport r = check_geometry({cloth, body}, options);
    EXPECT_TRUE(r.ok);
    ASSERT_TRUE(r.smallest_gap);
    EXPECT_NEAR(r.smallest_gap->distance, 0.019, 1e-12); // of the cloth over the lip

    options.thickness = 0.05;
    EXPECT_FALSE(check_geometry({cloth, body}, options).ok);
}
