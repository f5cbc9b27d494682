#include "core/base/error.h"
#include "core/io/atomic_file.h"
#include "core/io/usda.h"
#include "tests/io/rich_geometry.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <filesystem>

using namespace selvage;
using namespace selvage::test;

namespace
{

/// A quad, a triangle and two hairs, with attributes of all kinds that USD takes.
Geometry shot(double time)
{
    Geometry g;
    g.set_point_count(10);
    g.add_polygon({0, 1, 2, 3});
    g.add_polygon({3, 2, 4});
    g.add_polygon({5, 6, 7}, false);
    g.add_polygon({8, 9}, false);
    VecX x(30);
    for (int i = 0; i < 30; ++i) x[i] = i % 3 == 1 ? time : 0.5 * i;
    g.set_positions(x);
    g.set_vectors("v", VecX::Constant(30, time));
    g.set_scalars("pscale", VecX::Constant(10, 0.25));
    g.set_vectors("Cd", VecX::Constant(30, 0.5), "color");
    g.set_scalars("1 bad-name", VecX::LinSpaced(10, 0, 9));
    Attribute uv = make_attribute("uv", Owner::vertex, Storage::real32, 3, g.vertex_count());
    for (std::size_t i = 0; i < uv.size(); ++i) uv.set_number(i, 0, double(i));
    g.set(uv);
    Attribute name = make_attribute("name", Owner::primitive, Storage::string, 1, 4);
    name.set_text(0, 0, "left \"sleeve\"");
    g.set(name);
    Attribute id = make_attribute("id", Owner::point, Storage::int32, 1, 10);
    for (std::size_t i = 0; i < 10; ++i) id.set_number(i, 0, double(i));
    g.set(id);
    g.set(make_attribute("offset", Owner::detail, Storage::real32, 2, 1));
    return g;
}

std::string write_shot(const std::string& path)
{
    UsdaSettings settings;
    settings.name = "7th cape";
    UsdaWriter writer(path, settings);
    for (int f = 1001; f <= 1004; ++f) writer.add(f, shot(std::max(f - 1002, 0)));
    writer.finish();
    return read_file(path);
}

/// Two strands, from root to tip against the order of their points, over three frames.
std::string write_hair(const std::string& path)
{
    UsdaWriter writer(path);
    for (int frame = 1; frame <= 3; ++frame) {
        Geometry g;
        g.set_point_count(5);
        g.add_polygon({4, 3, 2}, false);
        g.add_polygon({1, 0}, false);
        VecX x = VecX::LinSpaced(15, 0, 14);
        x[12] = frame;
        g.set_positions(x);
        g.set_vectors("v", VecX::Constant(15, frame));
        g.set_scalars("pscale", VecX::LinSpaced(5, 1, 5));
        Attribute guide = make_attribute("guide", Owner::primitive, Storage::int32, 1, 2);
        guide.set_number(1, 0, 7);
        g.set(guide);
        writer.add(frame, g);
    }
    writer.finish();
    return read_file(path);
}

const std::vector<std::string> hair_parts = {
    "def BasisCurves \"curves\"",
    "uniform token type = \"linear\"",
    "int[] curveVertexCounts = [3, 2]",
    "float[] widths = [10, 8, 6, 4, 2]",
    "1: [(1, 13, 14), (9, 10, 11), (6, 7, 8), (3, 4, 5), (0, 1, 2)],",
    "3: [(3, 13, 14), (9, 10, 11), (6, 7, 8), (3, 4, 5), (0, 1, 2)],",
    "2: [(2, 2, 2), (2, 2, 2), (2, 2, 2), (2, 2, 2), (2, 2, 2)],",
    "int[] primvars:guide = [0, 7] (\n            interpolation = \"uniform\""};

bool has(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

int run(const std::string& command) { return std::system(command.c_str()); }

} // namespace

TEST(Usda, SaysWhatUsdExpects)
{
    const TemporaryFolder folder;
    const std::string text = write_shot(folder.file("shot.usda"));
    EXPECT_EQ(text.substr(0, 10), "#usda 1.0\n");
    for (const char* part : {"defaultPrim = \"_7th_cape\"",
                             "metersPerUnit = 1",
                             "upAxis = \"Y\"",
                             "timeCodesPerSecond = 24",
                             "startTimeCode = 1001",
                             "endTimeCode = 1004",
                             "int[] faceVertexCounts = [4, 3]",
                             "int[] faceVertexIndices = [0, 1, 2, 3, 3, 2, 4]",
                             "int[] curveVertexCounts = [3, 2]",
                             "point3f[] points.timeSamples = {",
                             "vector3f[] velocities.timeSamples = {",
                             "float3[] extent.timeSamples = {",
                             "texCoord2f[] primvars:st = [(0, 0), (1, 0)",
                             "interpolation = \"faceVarying\"",
                             "string[] primvars:name = [\"left \\\"sleeve\\\"\", \"\"]",
                             "int[] primvars:id = [0, 1, 2",
                             "float[] primvars:_1_bad_name",
                             "float[] widths = [0.5, 0.5, 0.5, 0.5, 0.5]",
                             "color3f[] primvars:displayColor",
                             "orientation = \"leftHanded\""})
        EXPECT_TRUE(has(text, part)) << part;
}

TEST(Usda, StrandsAloneMakeCurvesAndNoMesh)
{
    const TemporaryFolder folder;
    const std::string text = write_hair(folder.file("hair.usda"));
    EXPECT_FALSE(has(text, "def Mesh"));
    for (const std::string& part : hair_parts)
        EXPECT_TRUE(has(text, part)) << part << " in:\n" << text;
}

TEST(Usda, EqualFramesKeepFirstAndLast)
{
    const TemporaryFolder folder;
    const std::string text = write_shot(folder.file("shot.usda"));
    const std::size_t at = text.find("velocities.timeSamples");
    const std::string samples = text.substr(at, text.find('}', at) - at);
    for (const char* frame : {"1001: ", "1002: ", "1003: ", "1004: "})
        EXPECT_TRUE(has(samples, frame)) << frame; // 0, 0, 1, 2
}

TEST(Usda, ChangedTopologyNamesTheFrame)
{
    const TemporaryFolder folder;
    UsdaWriter writer(folder.file("a.usda"));
    writer.add(1, shot(0));
    Geometry other = shot(0);
    other.add_polygon({0, 1, 4});
    try {
        writer.add(2, other);
        FAIL();
    } catch (const InputError& e) {
        EXPECT_TRUE(has(e.what(), "frame 2")) << e.what();
    }
    EXPECT_THROW(writer.add(1, shot(0)), InputError);
}

TEST(Usda, NothingAppearsBeforeTheEnd)
{
    const TemporaryFolder folder;
    {
        UsdaWriter writer(folder.file("a.usda"));
        writer.add(1, shot(0));
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

// An independent reader (npm package tinyusdz) accepts what we write and refuses a broken file.
TEST(UsdaReaderFull, TinyUsdzReadsTheFile)
{
    const std::filesystem::path source = source_folder() / "tests/io/usda_reader";
    const std::filesystem::path tool = binary_folder() / "usda_reader";
    if (run("command -v node npm >/dev/null 2>&1") != 0) GTEST_SKIP() << "node and npm are missing";
    std::filesystem::create_directories(tool);
    for (const char* name : {"package.json", "check.mjs"})
        std::filesystem::copy_file(source / name, tool / name,
                                   std::filesystem::copy_options::overwrite_existing);
    const std::string folder_name = "'" + tool.string() + "'";
    if (!std::filesystem::exists(tool / "node_modules/tinyusdz") &&
        run("cd " + folder_name +
            " && npm install --no-audit --no-fund --ignore-scripts >npm.log 2>&1") != 0)
        GTEST_SKIP() << "npm cannot install tinyusdz (no network?), see " << tool / "npm.log";

    const TemporaryFolder folder;
    const std::string text = write_shot(folder.file("shot.usda"));
    const auto check = [&](const std::string& file, const std::string& numbers,
                           const std::vector<std::string>& texts = {}) {
        std::string expected = numbers;
        for (const std::string& part : texts) expected += " '" + part + "'";
        return run("cd " + folder_name + " && node check.mjs '" + file + "' " + expected + " >'" +
                   file + ".log' 2>&1");
    };
    // The reader makes one point of each corner that differs in position or uv: 4 + 3.
    const std::string shot_file = folder.file("shot.usda");
    EXPECT_EQ(check(shot_file, "7 3"), 0) << read_file(shot_file + ".log");
    EXPECT_NE(check(shot_file, "7 4"), 0);
    EXPECT_NE(check(shot_file, "7 3", {"1005: ["}), 0);
    EXPECT_EQ(check(shot_file, "7 3",
                    {"def Mesh \"mesh\"", "def BasisCurves \"curves\"", "timeCodesPerSecond = 24",
                     "startTimeCode = 1001", "endTimeCode = 1004",
                     "point3f[] points.timeSamples = { 1001: [(0, 0, 1), (1.5, 0, 2.5)",
                     "1004: [(0, 2, 1), (1.5, 2, 2.5)", "int[] curveVertexCounts = [3, 2]",
                     "1004: [(2, 2, 2), (2, 2, 2), (2, 2, 2), (2, 2, 2), (2, 2, 2)]",
                     "vector3f[] velocities.timeSamples = { 1001: [(0, 0, 0)",
                     "float[] widths = [0.5, 0.5, 0.5, 0.5, 0.5] ( interpolation = \"vertex\" )",
                     "texCoord2f[] primvars:st = [(0, 0), (1, 0)",
                     "color3f[] primvars:displayColor = [(0.5, 0.5, 0.5)",
                     "string[] primvars:name = [", "sleeve", "int[] primvars:id = [0, 1, 2"}),
              0)
        << read_file(shot_file + ".log");

    UsdaWriter still(folder.file("still.usda"));
    still.add(1, grid_geometry(4));
    still.finish();
    EXPECT_EQ(check(folder.file("still.usda"), "16 18"), 0)
        << read_file(folder.file("still.usda.log"));

    write_hair(folder.file("hair.usda"));
    EXPECT_EQ(check(folder.file("hair.usda"), "0 0", hair_parts), 0)
        << read_file(folder.file("hair.usda.log"));

    // Cut inside a value, and a bracket of the wrong kind.
    write_file(folder.file("cut.usda"), text.substr(0, text.find("points.timeSamples") + 60));
    EXPECT_NE(check(folder.file("cut.usda"), "7 3"), 0);
    std::string typo = text;
    typo.replace(typo.find("faceVertexCounts = ["), 20, "faceVertexCounts = (");
    write_file(folder.file("typo.usda"), typo);
    EXPECT_NE(check(folder.file("typo.usda"), "7 3"), 0);
}
