// .pc2 files as input: of convert, inspect, render and of a shot.
#include "core/io/geometry_file.h"
#include "core/io/pc2.h"
#include "tests/support/animated_source.h"
#include "tests/support/places.h"
#include "tests/support/shot_folder.h"
#include "tests/support/subprocess.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace selvage;
using namespace selvage::test;

namespace
{

ProcessResult selvage_on_cache(std::vector<std::string> arguments)
{
    arguments.insert(arguments.begin(), (binary_folder() / "bin/selvage").string());
    return run(arguments);
}

/// The sheet moved along by 1 cm per frame, frames 1 to `last`.
VecX sheet_in_cache(int frame)
{
    const VecX x = sheet_geometry(8).positions();
    return x + Vec3(0.01 * (frame - 1), 0, 0).replicate(x.size() / 3, 1);
}

std::string sheet_cache(const ShotFolder& folder, int last)
{
    const std::string path = folder.file("sheet.pc2");
    PointCacheWriter writer(path, 81);
    for (int f = 1; f <= last; ++f) writer.add(f, sheet_in_cache(f));
    writer.finish();
    return path;
}

} // namespace

TEST(PointCacheInput, ConvertsToFramesWithAndWithoutTopology)
{
    const ShotFolder folder;
    const std::string cache = sheet_cache(folder, 3);
    ASSERT_EQ(selvage_on_cache({"convert", cache, folder.file("p.$F4.bgeo")}).exit_code, 0);
    const Geometry points = read_geometry(folder.file("p.0002.bgeo"));
    EXPECT_EQ(points.primitive_count(), 0u);
    EXPECT_EQ(points.positions(), sheet_in_cache(2).cast<float>().cast<double>());

    const std::string topology = folder.file("sheet.bgeo");
    ASSERT_EQ(
        selvage_on_cache({"convert", cache, folder.file("q.$F4.bgeo"), "--topology", topology})
            .exit_code,
        0);
    const Geometry whole = read_geometry(folder.file("q.0003.bgeo"));
    EXPECT_TRUE(whole.same_topology(sheet_geometry(8)));
    EXPECT_TRUE(whole.find(Owner::primitive, "paint"));
    EXPECT_EQ(whole.positions(), sheet_in_cache(3).cast<float>().cast<double>());

    // And back again.
    ASSERT_EQ(
        selvage_on_cache({"convert", folder.file("p.$F4.bgeo"), folder.file("back.pc2")}).exit_code,
        0);
    EXPECT_EQ(PointCacheReader(folder.file("back.pc2")).at(3), whole.positions());

    write_geometry(folder.file("other.bgeo"), sheet_geometry(4));
    const ProcessResult wrong = selvage_on_cache(
        {"convert", cache, folder.file("q.$F4.bgeo"), "--topology", folder.file("other.bgeo")});
    EXPECT_EQ(wrong.exit_code, 2);
    EXPECT_NE(wrong.err.find("81 points but the --topology 25"), std::string::npos) << wrong.err;
}

TEST(PointCacheInput, GapsAreRefused)
{
    const ShotFolder folder;
    for (const int f : {1, 2, 4})
        write_geometry(folder.file(fmt::format("a.{:04}.bgeo", f)), sheet_geometry(2));
    const ProcessResult r =
        selvage_on_cache({"convert", folder.file("a.$F4.bgeo"), folder.file("a.pc2")});
    EXPECT_EQ(r.exit_code, 2);
    for (const char* word : {"a.pc2", "frame 4", "frame 3"})
        EXPECT_NE(r.err.find(word), std::string::npos) << r.err;
    EXPECT_FALSE(std::filesystem::exists(folder.file("a.pc2")));
}

TEST(PointCacheInput, InspectAndRender)
{
    const ShotFolder folder;
    const std::string cache = sheet_cache(folder, 3);
    const ProcessResult r = selvage_on_cache({"inspect", cache, "--json"});
    ASSERT_EQ(r.exit_code, 0) << r.err;
    EXPECT_EQ(nlohmann::json::parse(r.out)["counts"]["points"], 81);
    const std::string picture = folder.file("new/folder/x.png");
    const ProcessResult drawn =
        selvage_on_cache({"render", cache, "--topology", folder.file("sheet.bgeo"), "--out",
                          picture, "--size", "64x48"});
    EXPECT_EQ(drawn.exit_code, 0) << drawn.err;
    EXPECT_TRUE(std::filesystem::exists(picture));
}

TEST(PointCacheInput, DrivesPinsAndNamesTheFrameItLacks)
{
    const ShotFolder folder;
    sheet_cache(folder, 5);
    const std::vector<std::string> command = {"simulate", folder.shot(), "--set",
                                              "cloth.sheet.pins.target=sheet.pc2"};
    const ProcessResult r = selvage_on_cache(command);
    EXPECT_EQ(r.exit_code, 2);
    for (const char* word : {"Cloth 'sheet', pin target", "frame 6", "sheet.pc2", "1 to 5"})
        EXPECT_NE(r.err.find(word), std::string::npos) << r.err;
    ASSERT_EQ(folder.output().size(), 5u);
    const VecX last = read_geometry(folder.file("sim/sheet.0005.bgeo.sc")).positions();
    EXPECT_NEAR(last[0], 0.04, 1e-6);
}
