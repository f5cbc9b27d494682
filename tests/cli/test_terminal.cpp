// Progress as people and farms see it.
#include "core/io/geometry_file.h"
#include "tests/support/animated_source.h"
#include "tests/support/places.h"
#include "tests/support/shot_folder.h"
#include "tests/support/subprocess.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <regex>

using namespace selvage;
using namespace selvage::test;

namespace
{

ProcessResult progress_of(const std::string& style, const std::vector<std::string>& more = {})
{
    const ShotFolder folder("", 4);
    std::vector<std::string> command = {(binary_folder() / "bin/selvage").string(), "simulate",
                                        folder.shot(), "--progress", style};
    command.insert(command.end(), more.begin(), more.end());
    return run(command);
}

std::size_t occurrences(const std::string& text, const std::string& pattern)
{
    const std::regex r(pattern);
    return std::size_t(
        std::distance(std::sregex_iterator(text.begin(), text.end(), r), std::sregex_iterator()));
}

} // namespace

TEST(TerminalProgress, BarShowsFrameTimeLeftAndFigures)
{
    const ProcessResult r = progress_of("bar");
    ASSERT_EQ(r.exit_code, 0);
    EXPECT_EQ(occurrences(r.err, "frame [0-9]+/12  ETA [0-9]+:[0-9]{2}  [0-9]+ it  [0-9]+ contacts"
                                 "  strain [0-9.]+ %"),
              12u)
        << r.err;
    const std::size_t last = r.err.rfind('\r');
    EXPECT_NE(r.err.find("frame 12/12  ETA 0:00", last), std::string::npos) << r.err.substr(last);
    EXPECT_EQ(r.err.find("░", last), std::string::npos) << "the bar is full at the end";
    EXPECT_NE(r.err.find("░"), std::string::npos);
    EXPECT_EQ(r.err.back(), '\n'); // a prompt after it stands on its own line
}

TEST(TerminalProgress, PlainIsALinePerFrame)
{
    for (const char* style : {"plain", "auto"}) { // no terminal here
        const ProcessResult r = progress_of(style);
        EXPECT_EQ(occurrences(r.err, "frame [0-9]+/12  [0-9.]+ s  [0-9]+ iterations  [0-9]+ "
                                     "contacts  strain [0-9.]+ %  converged\n"),
                  12u)
            << r.err;
        EXPECT_EQ(r.err.find('\r'), std::string::npos);
    }
    EXPECT_EQ(progress_of("none").err, "");
}

TEST(TerminalProgress, AFolderIsNoShot)
{
    const ShotFolder folder;
    const ProcessResult r =
        run({(binary_folder() / "bin/selvage").string(), "simulate", folder.file("")});
    EXPECT_EQ(r.exit_code, 2);
    EXPECT_NE(r.err.find("it is a folder"), std::string::npos) << r.err;
    EXPECT_NE(r.err.find(".json"), std::string::npos) << r.err;
}

TEST(Inspect, NamesThatAreNotUtf8AreShown)
{
    const ShotFolder folder;
    Geometry g = sheet_geometry(2);
    g.set(make_attribute("caf\xe9", Owner::point, Storage::real32, 1, g.point_count()));
    write_geometry(folder.file("g.bgeo"), g);
    const ProcessResult r = run(
        {(binary_folder() / "bin/selvage").string(), "inspect", folder.file("g.bgeo"), "--json"});
    ASSERT_EQ(r.exit_code, 0) << r.err;
    EXPECT_NE(nlohmann::json::parse(r.out).dump().find("caf"), std::string::npos);
}

TEST(Inspect, TJunctionsAreTold)
{
    const ShotFolder folder;
    Geometry g = sheet_geometry(2);
    g.set_point_count(11);
    VecX x = g.positions();
    x.segment<3>(3 * 9) = Vec3(0, -1, 0);
    x.segment<3>(3 * 10) = Vec3(1, -1, 0);
    g.set_positions(x);
    g.add_polygon({6, 9, 10, 8}); // its upper edge passes point 7
    write_geometry(folder.file("g.bgeo"), g);
    const std::string command = (binary_folder() / "bin/selvage").string();
    const ProcessResult r = run({command, "inspect", folder.file("g.bgeo"), "--json"});
    EXPECT_EQ(nlohmann::json::parse(r.out)["mesh"]["t_junctions"],
              nlohmann::json::parse("[[7, 6, 8]]"))
        << r.out;
    EXPECT_NE(run({command, "inspect", folder.file("g.bgeo")}).out.find("1 T-junctions"),
              std::string::npos);
}
