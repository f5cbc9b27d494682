#include "core/base/error.h"
#include "core/render/png_file.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <fstream>

using namespace selvage;

namespace
{

Image8 pattern(int width, int height)
{
    Image8 image{width, height, {}};
    for (int i = 0; i < width * height * 3; ++i) image.rgb.push_back(std::uint8_t(i * 37 + i / 11));
    return image;
}

} // namespace

TEST(PngFile, ReadsBackTheSamePixels)
{
    const test::TemporaryFolder folder;
    const Image8 image = pattern(37, 19);
    write_png(folder.file("a.png"), image);
    const Image8 back = read_png(folder.file("a.png"));
    EXPECT_EQ(back.width, 37);
    EXPECT_EQ(back.height, 19);
    EXPECT_EQ(back.rgb, image.rgb);
}

TEST(PngFile, LeavesOnlyTheFinishedFile)
{
    const test::TemporaryFolder folder;
    write_png(folder.file("a.png"), pattern(4, 4));
    write_png(folder.file("a.png"), pattern(5, 4));
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        EXPECT_EQ(entry.path().filename(), "a.png");
        ++files;
    }
    EXPECT_EQ(files, 1);
    EXPECT_EQ(read_png(folder.file("a.png")).width, 5);
}

TEST(PngFile, UnwritablePathNamesItself)
{
    const test::TemporaryFolder folder;
    write_png(folder.file("new/a.png"), pattern(4, 4)); // makes the folder
    EXPECT_EQ(read_png(folder.file("new/a.png")).width, 4);
    const std::string path = folder.file("new/a.png/b.png"); // a file where the folder should be
    try {
        write_png(path, pattern(4, 4));
        FAIL() << "wrote into a file as if it were a folder";
    } catch (const FileError& e) {
        EXPECT_NE(std::string(e.what()).find(path), std::string::npos);
    }
    // A folder stands where the picture should go.
    std::filesystem::create_directory(folder.path() / "b.png");
    EXPECT_THROW(write_png(folder.file("b.png"), pattern(4, 4)), FileError);
}

TEST(PngFile, BrokenFileIsRefused)
{
    const test::TemporaryFolder folder;
    std::ofstream(folder.file("a.png")) << "not a picture";
    EXPECT_THROW(read_png(folder.file("a.png")), FileError);
    EXPECT_THROW(read_png(folder.file("none.png")), FileError);
}
