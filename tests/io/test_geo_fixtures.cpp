// Files written by Houdini 15 and 16, each in both encodings.
#include "core/base/error.h"
#include "core/io/geometry_file.h"
#include "tests/io/compare_geometry.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <filesystem>

using namespace selvage;
using namespace selvage::test;

namespace
{

const std::filesystem::path folder = fixtures_folder() / "bgeo";

class GeoFixtures : public testing::Test
{
protected:
    void SetUp() override
    {
        if (!std::filesystem::is_directory(folder))
            GTEST_SKIP() << "no Houdini files at " << folder;
    }

    /// All pairs that Selvage can read.
    static std::vector<std::filesystem::path> binaries()
    {
        std::vector<std::filesystem::path> files;
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            if (entry.path().extension() == ".bgeo" &&
                entry.path().stem().string().substr(0, 4) != "pack")
                files.push_back(entry.path());
        std::sort(files.begin(), files.end());
        return files;
    }

    static std::string message(const char* name)
    {
        try {
            read_geometry((folder / name).string());
        } catch (const FileError&) {
            throw;
        } catch (const InputError& e) {
            return e.what();
        }
        return "";
    }
};

} // namespace

TEST_F(GeoFixtures, BinaryEqualsText)
{
    EXPECT_GE(binaries().size(), 13u);
    for (auto file : binaries()) {
        const Geometry binary = read_geometry(file.string());
        const Geometry text = read_geometry(file.replace_extension(".geo").string());
        EXPECT_EQ(difference(binary, text, Compare::content), "") << file;
    }
}

TEST_F(GeoFixtures, SurviveEveryFormat)
{
    const TemporaryFolder temporary;
    for (const auto& file : binaries()) {
        for (const char* extension : {".bgeo", ".geo"}) {
            const Geometry g =
                read_geometry(std::filesystem::path(file).replace_extension(extension).string());
            for (const char* name : {"x.geo", "x.bgeo", "x.bgeo.sc"}) {
                write_geometry(temporary.file(name), g);
                EXPECT_EQ(difference(g, read_geometry(temporary.file(name))), "")
                    << file << " as " << name;
            }
        }
    }
}

TEST_F(GeoFixtures, ContentIsWhatHoudiniShows)
{
    const Geometry cubes = read_geometry((folder / "cube_multi_groups_16.bgeo").string());
    EXPECT_EQ(cubes.point_count(), 32u);
    EXPECT_EQ(cubes.primitive_count(), 24u);
    EXPECT_EQ(cubes.find_group(Owner::primitive, "faces")->count(), 12u);
    EXPECT_EQ(cubes.find_group(Owner::primitive, "all")->count(), 24u);
    EXPECT_EQ(cubes.get(Owner::point, "P").type_info, "point");
    EXPECT_EQ(cubes.positions()[3 * 31], 5.5);
    EXPECT_NE(cubes.info_json.find("Houdini 16.0.450"), std::string::npos);

    const Geometry even = read_geometry((folder / "cube_even_odd.bgeo").string());
    const Attribute& piece = even.get(Owner::primitive, "even_odd");
    EXPECT_EQ(piece.text(0), "piece0");
    EXPECT_EQ(piece.text(5), "piece1");
}

TEST_F(GeoFixtures, BrokenTupleIsNamed)
{
    const std::string text = message("badgrid.geo");
    EXPECT_NE(text.find("badgrid.geo"), std::string::npos) << text;
    EXPECT_NE(text.find("'P'"), std::string::npos) << text;
    EXPECT_NE(text.find("Tuple 3 has 3 of 4 components"), std::string::npos) << text;
}

TEST_F(GeoFixtures, PackedGeometryAsksForUnpack)
{
    for (const char* name : {"pack1_16.bgeo", "pack1_16.geo"}) {
        const std::string text = message(name);
        EXPECT_NE(text.find("Primitive 0"), std::string::npos) << text;
        EXPECT_NE(text.find("Unpack SOP"), std::string::npos) << text;
    }
}
