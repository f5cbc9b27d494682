// A shot of hair from the file to the picture.
#include "core/io/geometry_file.h"
#include "tests/support/places.h"
#include "tests/support/subprocess.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

using namespace selvage;
using namespace selvage::test;

namespace
{

const std::string selvage_command = (binary_folder() / "bin/selvage").string();

/// Curls with a radius per point, written to `path`.
void write_curls(const std::string& path, int strands)
{
    constexpr int points = 24;
    Geometry g;
    g.set_point_count(std::size_t(strands * points));
    VecX x(3 * strands * points), radius(strands * points);
    for (int s = 0; s < strands; ++s) {
        std::vector<int> curve;
        for (int i = 0; i < points; ++i) {
            const int p = s * points + i;
            const double t = double(i) / (points - 1), a = 6 * M_PI * t;
            x.segment<3>(3 * p) << 0.004 * s + 0.01 * (std::cos(a) - 1), -0.15 * t,
                0.01 * std::sin(a);
            radius[p] = 40e-6 * (1 - 0.5 * t);
            curve.push_back(p);
        }
        g.add_polygon(curve, false);
    }
    g.set_positions(x);
    g.set_scalars("pscale", radius);
    write_geometry(path, g);
}

std::string bytes_of(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    EXPECT_TRUE(file) << path;
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

TEST(HairShot, RunsFromFileToPictureAndResumes)
{
    const TemporaryFolder folder;
    write_curls(folder.file("guides.bgeo"), 6);
    std::ofstream(folder.file("shot.json")) << R"({
        "selvage": 1, "fps": 24, "frames": [1, 8], "wind": [2, 0, 0],
        "solver": { "method": "hair" },
        "hair": [ { "name": "fringe", "geometry": "guides.bgeo", "material": "hair_curly",
                    "roots": "first_point" } ],
        "colliders": [ { "name": "floor", "plane": { "point": [0, -0.13, 0] } } ],
        "output": "sim/$NAME.$F4.bgeo.sc" })";
    const ProcessResult whole = run({selvage_command, "simulate", folder.file("shot.json")});
    ASSERT_EQ(whole.exit_code, 0) << whole.err;
    const Geometry last = read_geometry(folder.file("sim/fringe.0008.bgeo.sc"));
    EXPECT_EQ(last.primitive_count(), 6u);
    EXPECT_NE(last.find(Owner::point, "orient"), nullptr);
    EXPECT_NE(last.find(Owner::point, "pscale"), nullptr);
    const VecX x = last.positions(), start = read_geometry(folder.file("guides.bgeo")).positions();
    EXPECT_LT((x - start).head<6>().cwiseAbs().maxCoeff(), 1e-7);
    EXPECT_GT((x - start)[3 * 23], 0.005); // the wind has blown the tips aside

    // Half the shot, then the rest of it.
    ASSERT_EQ(run({selvage_command, "simulate", folder.file("shot.json"), "--frames", "1-4",
                   "--out", folder.file("again")})
                  .exit_code,
              0);
    ASSERT_EQ(run({selvage_command, "simulate", folder.file("shot.json"), "--resume", "--out",
                   folder.file("again")})
                  .exit_code,
              0);
    for (const char* name : {"fringe.0005.bgeo.sc", "fringe.0008.bgeo.sc"})
        EXPECT_EQ(bytes_of(folder.file(std::string("sim/") + name)),
                  bytes_of(folder.file(std::string("again/") + name)))
            << name;

    ASSERT_EQ(run({selvage_command, "render", folder.file("sim/fringe.0008.bgeo.sc"), "--out",
                   folder.file("lock.png")})
                  .exit_code,
              0);
    EXPECT_TRUE(std::filesystem::exists(folder.file("lock.png")));
}

TEST(HairShot, UnknownKeysNameTheNearest)
{
    const TemporaryFolder folder;
    write_curls(folder.file("guides.bgeo"), 1);
    std::ofstream(folder.file("shot.json")) << R"({ "solver": { "method": "hair" },
        "hair": [ { "name": "a", "geometry": "guides.bgeo", "flatnes": 1 } ] })";
    const ProcessResult r = run({selvage_command, "simulate", folder.file("shot.json")});
    EXPECT_EQ(r.exit_code, 2);
    EXPECT_NE(r.err.find("flatness"), std::string::npos) << r.err;
}

namespace
{

/// A sheet of n × n quads at this height, written to `path`.
void write_sheet(const std::string& path, int n, double size, double height)
{
    Geometry g;
    g.set_point_count(std::size_t((n + 1) * (n + 1)));
    VecX x(3 * (n + 1) * (n + 1));
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j)
            x.segment<3>(3 * (i * (n + 1) + j)) << size * (double(j) / n - 0.5), height,
                size * (double(i) / n - 0.5);
    g.set_positions(x);
    Group rim;
    rim.name = "rim";
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j) rim.member.push_back(i % n == 0 || j % n == 0);
    g.set_group(rim);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            const int a = i * (n + 1) + j;
            g.add_polygon({a, a + n + 1, a + n + 2, a + 1});
        }
    write_geometry(path, g);
}

} // namespace

/// Curls whose tips come down on a sheet: one solve for both, judged from the written files, the
/// same bytes for one and two threads and after a pause.
TEST(HairShot, BarrierCouplesHairAndClothWithoutPassing)
{
    const TemporaryFolder folder;
    write_curls(folder.file("guides.bgeo"), 6);
    write_sheet(folder.file("sheet.bgeo"), 8, 0.1, -0.152);
    std::ofstream(folder.file("shot.json")) << R"({
        "selvage": 1, "fps": 48, "frames": [1, 8],
        "solver": { "method": "barrier" }, "collision": { "gap": 2e-4 },
        "hair": [ { "name": "fringe", "geometry": "guides.bgeo", "material": "hair_curly",
                    "sag_free": false } ],
        "cloth": [ { "name": "sheet", "geometry": "sheet.bgeo", "material": "silk",
                     "thickness": 2e-4, "pins": { "group": "rim" } } ],
        "output": "sim/$NAME.$F4.bgeo.sc" })";
    const auto simulate = [&](std::vector<std::string> more) {
        std::vector<std::string> command = {selvage_command, "simulate", folder.file("shot.json")};
        command.insert(command.end(), more.begin(), more.end());
        const ProcessResult r = run(command);
        EXPECT_EQ(r.exit_code, 0) << r.err;
    };
    simulate({"--threads", "1", "--log", folder.file("log.json")});
    simulate({"--threads", "2", "--frames", "1-4", "--out", folder.file("again")});
    simulate({"--threads", "2", "--resume", "--out", folder.file("again")});
    for (const char* name : {"fringe.0004.bgeo.sc", "fringe.0008.bgeo.sc", "sheet.0008.bgeo.sc"})
        EXPECT_EQ(bytes_of(folder.file(std::string("sim/") + name)),
                  bytes_of(folder.file(std::string("again/") + name)))
            << name;
    EXPECT_NE(bytes_of(folder.file("log.json")).find("\"contacts\":"), std::string::npos);
    const ProcessResult check =
        run({selvage_command, "check", folder.file("sim/fringe.$F4.bgeo.sc"), "--with",
             folder.file("sim/sheet.$F4.bgeo.sc"), "--passing", "--thickness", "4e-5"});
    EXPECT_EQ(check.exit_code, 0) << check.out;
    // The tips have pushed the sheet down.
    const VecX sheet = read_geometry(folder.file("sim/sheet.0008.bgeo.sc")).positions();
    EXPECT_LT(sheet.reshaped(3, sheet.size() / 3).row(1).minCoeff(), -0.152);
}
