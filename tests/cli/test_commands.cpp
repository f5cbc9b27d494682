#include "core/io/geometry_file.h"
#include "tests/support/animated_source.h"
#include "tests/support/places.h"
#include "tests/support/subprocess.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <regex>
#include <sstream>

using namespace selvage;
using namespace selvage::test;

namespace
{

ProcessResult selvage_run(std::vector<std::string> arguments)
{
    arguments.insert(arguments.begin(), (binary_folder() / "bin/selvage").string());
    return run(arguments);
}

} // namespace

TEST(Commands, ListsAreReadableByPrograms)
{
    const auto materials = nlohmann::json::parse(selvage_run({"materials", "--json"}).out);
    for (const auto& m : materials) EXPECT_FALSE(m.at("source").get<std::string>().empty());
    EXPECT_GT(nlohmann::json::parse(selvage_run({"parameters", "--json"}).out).size(), 30u);
    EXPECT_NE(selvage_run({"materials"}).out.find("cotton"), std::string::npos);
    EXPECT_NE(selvage_run({"parameters"}).out.find("solver.tolerance"), std::string::npos);
    EXPECT_EQ(selvage_run({"--version"}).exit_code, 0);
    EXPECT_EQ(selvage_run({"--help"}).exit_code, 0);
    EXPECT_EQ(selvage_run({}).exit_code, 2);
}

TEST(Commands, EveryFigureOfAClothPresetIsCitedOrTuned)
{
    int cloths = 0;
    for (const auto& m : nlohmann::json::parse(selvage_run({"materials", "--json"}).out)) {
        if (m.value("kind", "cloth") != "cloth") continue;
        ++cloths;
        const std::string source = m.at("source");
        SCOPED_TRACE(m.at("name").get<std::string>() + ": " + source);
        // "density, thickness: A 2014; stretch, shear: …": every part says who measured or "tuned".
        std::istringstream parts(source);
        for (std::string part; std::getline(parts, part, ';');)
            EXPECT_TRUE(part.find("tuned") != std::string::npos ||
                        std::regex_search(part, std::regex("[A-Z][a-z]+.* (19|20)[0-9]{2}")))
                << part;
        for (const char* figure : {"density", "thickness", "stretch", "shear", "bending",
                                   "friction", "damping", "air drag"})
            EXPECT_TRUE(std::regex_search(source, std::regex(std::string(figure) + "[a-z, ]*:")))
                << figure;
    }
    EXPECT_GE(cloths, 12);
}

TEST(Commands, CheckTellsGoodFromBad)
{
    const TemporaryFolder folder;
    write_geometry(folder.file("good.bgeo"), sheet_geometry(6));
    Geometry bad = sheet_geometry(6);
    bad.set_point_count(bad.point_count() + 3);
    VecX x = bad.positions();
    const Eigen::Index n = x.size();
    x.tail(9) << 0.3, 0.3, -0.5, 0.35, 0.3, 0.5, 0.3, 0.35, 0.5; // a triangle through the sheet
    bad.set_positions(x);
    const int first = int(n / 3) - 3;
    bad.add_polygon({first, first + 1, first + 2});
    write_geometry(folder.file("bad.bgeo"), bad);

    EXPECT_EQ(selvage_run({"check", folder.file("good.bgeo")}).exit_code, 0);
    const ProcessResult r = selvage_run({"check", folder.file("bad.bgeo"), "--json"});
    EXPECT_EQ(r.exit_code, 1);
    EXPECT_FALSE(nlohmann::json::parse(r.out).at("ok").get<bool>());
    EXPECT_EQ(selvage_run({"check", folder.file("missing.bgeo")}).exit_code, 2);

    Geometry stretched = sheet_geometry(6);
    stretched.set_positions(1.5 * stretched.positions());
    write_geometry(folder.file("stretched.bgeo"), stretched);
    EXPECT_EQ(selvage_run({"check", folder.file("stretched.bgeo"), "--rest",
                           folder.file("good.bgeo"), "--strain-limit", "0.1"})
                  .exit_code,
              1);
}

TEST(Commands, InspectSaysWhatIsInside)
{
    const TemporaryFolder folder;
    write_geometry(folder.file("sheet.bgeo.sc"), sheet_geometry(4));
    const auto j =
        nlohmann::json::parse(selvage_run({"inspect", folder.file("sheet.bgeo.sc"), "--json"}).out);
    EXPECT_EQ(j["counts"]["points"], 25);
    EXPECT_EQ(j["counts"]["polygons"], 16);
    EXPECT_EQ(j["groups"][0]["name"], "top");
    EXPECT_NE(selvage_run({"inspect", folder.file("sheet.bgeo.sc")}).out.find("paint"),
              std::string::npos);
}

TEST(Commands, ConvertKeepsGeometry)
{
    const TemporaryFolder folder;
    for (int f = 1; f <= 3; ++f)
        write_geometry(folder.file("a.000" + std::to_string(f) + ".bgeo.sc"), sheet_geometry(4));
    const std::string sequence = folder.file("a.$F4.bgeo.sc");
    EXPECT_EQ(selvage_run({"convert", sequence, folder.file("b.$F4.geo")}).exit_code, 0);
    EXPECT_EQ(read_geometry(folder.file("b.0002.geo")).positions(), sheet_geometry(4).positions());
    EXPECT_EQ(selvage_run({"convert", sequence, folder.file("b.usda")}).exit_code, 0);
    EXPECT_EQ(selvage_run({"convert", sequence, folder.file("b.pc2")}).exit_code, 0);
    EXPECT_EQ(selvage_run({"convert", sequence, folder.file("b.obj")}).exit_code,
              2); // many into one
    EXPECT_EQ(
        selvage_run({"convert", folder.file("a.0001.bgeo.sc"), folder.file("b.xyz")}).exit_code, 2);
}

TEST(Commands, RenderMakesAPicture)
{
    const TemporaryFolder folder;
    write_geometry(folder.file("sheet.bgeo"), sheet_geometry(4));
    const std::string picture = folder.file("sheet.png");
    EXPECT_EQ(selvage_run({"render", folder.file("sheet.bgeo"), "--out", picture, "--size", "64x48",
                           "--color", "P.y"})
                  .exit_code,
              0);
    EXPECT_GT(std::filesystem::file_size(picture), 200u);
    EXPECT_EQ(selvage_run({"render", folder.file("sheet.bgeo"), "--out", picture, "--size", "huge"})
                  .exit_code,
              2);
}
