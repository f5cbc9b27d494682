#include "core/base/error.h"
#include "core/io/atomic_file.h"
#include "core/io/geometry_file.h"
#include "tests/io/compare_geometry.h"
#include "tests/io/rich_geometry.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

template <class Body> std::string message(Body&& body)
{
    try {
        body();
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

} // namespace

TEST(GeometryFile, EveryFormatRoundTrips)
{
    const TemporaryFolder folder;
    for (const char* name : {"a.geo", "a.bgeo", "a.bgeo.sc", "A.BGEO"}) {
        write_geometry(folder.file(name), rich_geometry());
        EXPECT_EQ(difference(rich_geometry(), read_geometry(folder.file(name))), "") << name;
    }
    write_geometry(folder.file("a.obj"), plain_geometry());
    EXPECT_EQ(difference(plain_geometry(), read_geometry(folder.file("a.obj"))), "");
    EXPECT_EQ(read_file(folder.file("a.geo"))[0], '[');
    EXPECT_EQ(read_file(folder.file("a.bgeo")).substr(0, 5), "\x7fNSJb");
    EXPECT_EQ(read_file(folder.file("a.bgeo.sc")).substr(0, 4), "scf1");
}

TEST(GeometryFile, MisnamedHoudiniFilesAreRead)
{
    const TemporaryFolder folder;
    write_geometry(folder.file("a.bgeo.sc"), rich_geometry());
    write_file(folder.file("b.geo"), read_file(folder.file("a.bgeo.sc")));
    EXPECT_EQ(difference(rich_geometry(), read_geometry(folder.file("b.geo"))), "");
}

TEST(GeometryFile, UnknownExtensionListsTheKnownOnes)
{
    const std::string text = message([] { read_geometry("shirt.fbx"); });
    for (const char* known : {"shirt.fbx", ".bgeo.sc", ".bgeo", ".geo", ".obj"})
        EXPECT_NE(text.find(known), std::string::npos) << text;
    EXPECT_NE(message([] { read_geometry("/tmp"); }).find("'/tmp' is a folder"), std::string::npos);
    EXPECT_FALSE(is_geometry_path("a.pc2"));
    EXPECT_TRUE(is_geometry_path("a.$F4.bgeo.sc"));
}

TEST(GeometryFile, ErrorsNameTheFile)
{
    const TemporaryFolder folder;
    const std::string path = folder.file("broken.obj");
    write_file(path, "v 1 2 3\nf 1 2 3\n");
    EXPECT_EQ(message([&] { read_geometry(path); }), path + ": Line 2: There is no vertex 2.");
    EXPECT_THROW(read_geometry(folder.file("missing.geo")), FileError);
    EXPECT_NE(message([&] { read_geometry(folder.file("missing.geo")); }).find("missing.geo"),
              std::string::npos);
}
