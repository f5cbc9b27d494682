// The command as a shot pipeline runs it: exit codes, kill, interrupt, resume.
#include "core/example/sphere.h"
#include "core/geometry/vdb_collider.h"
#include "core/io/geometry_file.h"
#include "tests/support/animated_source.h"
#include "tests/support/places.h"
#include "tests/support/shot_folder.h"
#include "tests/support/subprocess.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <fstream>
#include <optional>
#include <random>
#include <thread>

using namespace selvage;
using namespace selvage::test;

namespace
{

const std::string selvage_command = (binary_folder() / "bin/selvage").string();

std::vector<std::string> simulate_command(const ShotFolder& folder,
                                          std::vector<std::string> more = {})
{
    std::vector<std::string> all = {selvage_command, "simulate", folder.shot()};
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

void wait_for_frames(const ShotFolder& folder, std::size_t frames)
{
    for (int i = 0; i < 3000 && folder.output().size() < frames; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

void expect_refused(const ProcessResult& r, const std::vector<std::string>& words)
{
    EXPECT_EQ(r.exit_code, 2) << r.err;
    for (const std::string& w : words)
        EXPECT_NE(r.err.find(w), std::string::npos) << w << " in: " << r.err;
}

/// An input that can be animated, and how messages call it.
struct Place {
    std::string extra, key, who;
    Vec3 at = Vec3::Zero();
};

} // namespace

TEST(Simulate, KilledAtARandomFrameAndResumedGivesTheSameBytes)
{
    const ShotFolder whole("", 24);
    ASSERT_EQ(run(simulate_command(whole)).exit_code, 0);
    std::mt19937 random(7);
    for (int trial = 0; trial < 3; ++trial) {
        const ShotFolder broken("", 24);
        Subprocess process(simulate_command(broken));
        wait_for_frames(broken, 1 + random() % 8);
        process.signal(SIGKILL);
        EXPECT_EQ(process.wait().exit_code, 128 + SIGKILL);
        EXPECT_LT(broken.output().size(), 12u);
        ASSERT_EQ(run(simulate_command(broken, {"--resume"})).exit_code, 0);
        EXPECT_EQ(broken.output(), whole.output());
    }
}

TEST(Simulate, KilledWithPointsReleasedAndResumedGivesTheSameBytes)
{
    // Two walls close on the sheet and go on through each other.
    const std::string walls = R"("colliders": [
      { "name": "front", "plane": { "normal": [0, 0, 1],
        "point": {"keys": [[1, [0, 0, -0.05]], [5, [0, 0, 0.02]], [12, [0, 0, -0.05]]]} } },
      { "name": "back", "plane": { "normal": [0, 0, -1],
        "point": {"keys": [[1, [0, 0, 0.05]], [5, [0, 0, -0.02]], [12, [0, 0, 0.05]]]} } } ],)";
    const ShotFolder whole(walls, 24);
    ASSERT_EQ(run(simulate_command(whole)).exit_code, 0);
    const ShotFolder broken(walls, 24);
    Subprocess process(simulate_command(broken));
    const auto released = [&] {
        for (const auto& [name, bytes] : broken.output())
            if (read_geometry(broken.file("sim/" + name)).find(Owner::point, "sv_released"))
                return true;
        return false;
    };
    for (int i = 0; i < 3000 && !released(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    process.signal(SIGKILL);
    EXPECT_EQ(process.wait().exit_code, 128 + SIGKILL);
    EXPECT_TRUE(released());
    EXPECT_LT(broken.output().size(), 12u);
    ASSERT_EQ(run(simulate_command(broken, {"--resume"})).exit_code, 0);
    EXPECT_EQ(broken.output(), whole.output());
}

TEST(Simulate, VolumesCollideAndAreChecked)
{
    if (!has_openvdb()) GTEST_SKIP() << "built without OpenVDB";
    const ShotFolder folder(
        R"("colliders": [ { "name": "ball", "geometry": "ball.$F4.vdb", "thickness": 0.004 } ],)");
    for (int f = 1; f <= 12; ++f) {
        // It comes through the middle of where the sheet hangs.
        const Geometry ball = sphere(0.15, 3, Vec3(0.5, 0.5, -0.2 + 0.02 * f));
        write_geometry(folder.file(fmt::format("ball.{:04}.bgeo", f)), ball);
    }
    const std::string polygons = folder.file("ball.$F4.bgeo"),
                      volumes = folder.file("ball.$F4.vdb");
    ASSERT_EQ(run({selvage_command, "convert", polygons, volumes}).exit_code, 2); // no --voxel
    ASSERT_EQ(run({selvage_command, "convert", polygons, volumes, "--voxel", "0.015"}).exit_code,
              0);
    const ProcessResult inspected = run({selvage_command, "inspect", volumes});
    EXPECT_NE(inspected.out.find("signed distance"), std::string::npos) << inspected.out;
    ASSERT_EQ(run(simulate_command(folder)).exit_code, 0);
    const std::string written = folder.file("sim/sheet.$F4.bgeo.sc");
    const ProcessResult judged = run({selvage_command, "check", written, "--with", volumes});
    EXPECT_EQ(judged.exit_code, 0) << judged.out;
    // The ball's last place against earlier sheets: these were there.
    const ProcessResult wrong =
        run({selvage_command, "check", written, "--with", folder.file("ball.0012.vdb")});
    EXPECT_EQ(wrong.exit_code, 1);
    EXPECT_NE(wrong.out.find("inside a volume"), std::string::npos) << wrong.out;
}

TEST(Simulate, InterruptKeepsFinishedFramesAndExits130)
{
    const ShotFolder folder("", 24);
    Subprocess process(simulate_command(folder));
    wait_for_frames(folder, 2);
    process.signal(SIGINT);
    const ProcessResult r = process.wait();
    EXPECT_EQ(r.exit_code, 130) << r.err;
    EXPECT_GE(folder.output().size(), 2u);
    EXPECT_LT(folder.output().size(), 12u);
    EXPECT_NE(r.err.find("--resume"), std::string::npos);
}

TEST(Simulate, BadInputExits2AndTouchesNothing)
{
    const auto refused = [](const std::vector<std::string>& more,
                            const std::vector<std::string>& words) {
        const ShotFolder folder;
        expect_refused(run(simulate_command(folder, more)), words);
        EXPECT_FALSE(folder.has_output());
    };
    refused({"--set", "gravty=[0,0,0]"}, {"gravty", "gravity"});
    refused({"--set", "cloth.sheet.geometry=nothing.bgeo"},
            {"Cloth 'sheet'", "nothing.bgeo", "no such file", "Check the path"});
    refused({"--set", "nonsense"}, {"key=value"});
    refused({"--frames", "a-b"}, {"--frames"});
    refused({"--frames", "1-"}, {"--frames wants A-B"});
    refused({"--threads", "-1"}, {"--threads", "range 0 to 4096"});
    refused({"--set", "cloth.sheet.geometry=."}, {"Cloth 'sheet'", "is a folder"});
    refused({"--no-such-flag"}, {"--no-such-flag"});
    EXPECT_EQ(run({selvage_command, "simulate", "/nowhere.json"}).exit_code, 2);
    EXPECT_EQ(run({selvage_command, "dance"}).exit_code, 2);
}

TEST(Simulate, BadGeometryIsNamed)
{
    const auto refused = [](const Geometry& g, const std::vector<std::string>& words) {
        const ShotFolder folder;
        write_geometry(folder.file("sheet.bgeo"), g);
        expect_refused(run(simulate_command(folder)), words);
        EXPECT_FALSE(folder.has_output());
    };
    Geometry nan = sheet_geometry(8);
    VecX x = nan.positions();
    x[3 * 5] = std::nan("");
    nan.set_positions(x);
    refused(nan, {"Cloth 'sheet'", "sheet.bgeo", "point 5", "not a number", "Repair"});
    Geometry flat = sheet_geometry(8);
    flat.add_polygon({0, 1, 0});
    refused(flat,
            {"Cloth 'sheet'", "sheet.bgeo", "polygon 64", "0, 1, 0", "zero rest area", "Remove"});
    refused(Geometry(), {"Cloth 'sheet'", "sheet.bgeo", "no points"});

    // Of what moves, the frame is told as well.
    const ShotFolder folder;
    for (int f = 1; f <= 12; ++f)
        write_geometry(folder.file(fmt::format("moving.{:04}.bgeo", f)), flat);
    expect_refused(run(simulate_command(folder, {"--set", "cloth.sheet.geometry=moving.$F4.bgeo"})),
                   {"Cloth 'sheet'", "at frame 1", "moving.0001.bgeo", "polygon 64", "Remove"});
    EXPECT_FALSE(folder.has_output());
}

TEST(Simulate, AnInputThatTurnsBadKeepsTheFramesBefore)
{
    // From frame 6 on, `bad` stands in the place of the sheet; without it the file is missing.
    const auto turns_bad = [](const Place& place, const std::optional<Geometry>& bad,
                              std::vector<std::string> words) {
        const ShotFolder folder(place.extra);
        const auto placed = [&](Geometry g) {
            g.set_positions(g.positions() + place.at.replicate(Eigen::Index(g.point_count()), 1));
            return g;
        };
        words.insert(words.end(), {place.who, "frame 6", "anim.0006.bgeo"});
        for (int f = 1; f <= 12; ++f) {
            char name[32];
            std::snprintf(name, sizeof name, "anim.%04d.bgeo", f);
            if (f < 6)
                write_geometry(folder.file(name), placed(sheet_geometry(8)));
            else if (bad)
                write_geometry(folder.file(name), placed(*bad));
        }
        expect_refused(run(simulate_command(folder, {"--set", place.key + "=anim.$F4.bgeo"})),
                       words);
        EXPECT_EQ(folder.output().size(), 5u) << place.who;
    };
    Geometry nan = sheet_geometry(8);
    VecX x = nan.positions();
    x[3 * 17] = std::nan("");
    nan.set_positions(x);
    Geometry other;
    other.set_point_count(81);
    other.set_positions(sheet_geometry(8).positions());
    other.set_group(*sheet_geometry(8).find_group(Owner::point, "top"));
    for (int k = 0; k < 64; ++k) other.add_polygon({k, k + 9, k + 10, k + 1});
    for (const Place& place :
         {Place{"", "cloth.sheet.pins.target", "Cloth 'sheet', pin target"},
          Place{"", "cloth.sheet.geometry", "Cloth 'sheet'"},
          Place{"", "cloth.sheet.rest.geometry", "Cloth 'sheet', rest shape"},
          Place{R"("colliders": [ { "name": "wall", "geometry": "sheet.bgeo" } ],)",
                "colliders.wall.geometry", "Collider 'wall'", Vec3(0, 0, -1)}}) {
        turns_bad(place, sheet_geometry(9), {"100 points but 81", "keep their points"});
        turns_bad(place, {}, {"no such file", "Write that frame"});
        turns_bad(place, nan, {"point 17", "not a number", "Repair"});
        turns_bad(place, other, {"primitive 8 connects", "keep their polygons"});
    }
}

TEST(Simulate, ThreadsGiveTheSameBytes)
{
    const ShotFolder one("", 24), two("", 24);
    ASSERT_EQ(run(simulate_command(one, {"--threads", "1"})).exit_code, 0);
    ASSERT_EQ(run(simulate_command(two, {"--threads", "2"})).exit_code, 0);
    EXPECT_EQ(one.output(), two.output());
}

TEST(Simulate, OutAndFramesAndProgress)
{
    const ShotFolder folder;
    const ProcessResult r = run(simulate_command(
        folder, {"--out", folder.file("elsewhere"), "--frames", "3-6", "--progress", "alf"}));
    EXPECT_EQ(r.exit_code, 0) << r.err;
    EXPECT_FALSE(folder.has_output());
    EXPECT_TRUE(std::filesystem::exists(folder.file("elsewhere/sheet.0006.bgeo.sc")));
    EXPECT_FALSE(std::filesystem::exists(folder.file("elsewhere/sheet.0002.bgeo.sc")));
    EXPECT_NE(r.out.find("ALF_PROGRESS 100%"), std::string::npos);
}

TEST(Simulate, AnUnwritableOutputIsAClearError)
{
    const ShotFolder folder;
    std::ofstream(folder.file("sim")) << "a file where a folder should be";
    const ProcessResult r = run(simulate_command(folder));
    EXPECT_EQ(r.exit_code, 2);
    EXPECT_NE(r.err.find("sim"), std::string::npos) << r.err;
}
