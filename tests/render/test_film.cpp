#include "core/base/error.h"
#include "core/render/film.h"
#include "core/render/png_file.h"
#include "tests/render/scenes.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

using namespace selvage;

namespace
{

RenderOptions small(const std::string& output, int last)
{
    RenderOptions o;
    o.output = output;
    o.last_frame = last;
    o.width = 64;
    o.height = 36;
    o.samples = 2;
    return o;
}

/// A sheet that rises by its own size each frame; "heat" is the frame number.
std::vector<RenderObject> rising_sheet(int frame)
{
    Geometry g = test::square_sheet(0.5, frame);
    g.set_scalars("heat", VecX::Constant(4, frame));
    return {test::object(g)};
}

class CancelAfter : public Cancel
{
public:
    explicit CancelAfter(int polls) : left_(polls) {}
    bool requested() const override { return --left_ < 0; }

private:
    mutable int left_;
};

} // namespace

TEST(Film, FrameNamesFollowThePattern)
{
    EXPECT_EQ(frame_file_name("a.$F4.png", 7, true), "a.0007.png");
    EXPECT_EQ(frame_file_name("a.$F.png", 7, true), "a.7.png");
    EXPECT_EQ(frame_file_name("d$F2/a.%05d.png", 7, true), "d07/a.00007.png");
    EXPECT_EQ(frame_file_name("x.y/a.png", 7, true), "x.y/a.0007.png");
    EXPECT_EQ(frame_file_name("a.png", 7, false), "a.png");
    EXPECT_EQ(frame_file_name("100%.png", 7, false), "100%.png");
}

TEST(Film, WritesOnePicturePerFrame)
{
    const test::TemporaryFolder folder;
    RenderOptions o = small(folder.file("a.$F3.png"), 5);
    o.frame_step = 2;
    int drawn = 0;
    const RenderReport r = render_sequence(o, rising_sheet, NeverCancel(), [&](const auto& p) {
        if (p.stage == RenderProgress::Stage::drawing) drawn = p.done;
    });
    EXPECT_EQ(r.frames.size(), 3u);
    EXPECT_EQ(drawn, 3);
    EXPECT_TRUE(r.message.empty()) << r.message;
    for (const char* name : {"a.001.png", "a.003.png", "a.005.png"})
        EXPECT_EQ(read_png(folder.file(name)).width, 64) << name;
}

TEST(Film, CameraAndColoursSuitAllFrames)
{
    const test::TemporaryFolder folder;
    RenderOptions o = small(folder.file("a.png"), 3);
    o.color_attribute = "heat";
    const RenderReport r = render_sequence(o, rising_sheet);
    EXPECT_EQ(*r.coloring.low, 1);
    EXPECT_EQ(*r.coloring.high, 3);
    for (const double y : {1.0, 3.0})
        for (const double x : {-0.5, 0.5}) {
            const Vec3 q = r.camera.project(Vec3(x, y, 0.5));
            EXPECT_LT(std::abs(q.y()), 1);
            EXPECT_LT(std::abs(q.x()), 64.0 / 36);
        }
}

TEST(Film, MovieOrPicturesBesideIt)
{
    const test::TemporaryFolder folder;
    RenderOptions o = small(folder.file("a.mp4"), 2);
    o.encoder = "no_such_encoder_here";
    o.caption = "sheet $F4";
    const RenderReport r = render_sequence(o, rising_sheet);
    EXPECT_TRUE(r.movie.empty());
    EXPECT_NE(r.message.find("no_such_encoder_here"), std::string::npos);
    ASSERT_EQ(r.frames.size(), 2u);
    EXPECT_EQ(r.frames[0], folder.file("a_frames/a.0001.png"));
    EXPECT_TRUE(std::filesystem::exists(r.frames[1]));
}

TEST(Film, FinishedMovieLeavesNoPicturesUnlessAsked)
{
    if (std::system("command -v ffmpeg > /dev/null 2>&1") != 0)
        GTEST_SKIP() << "ffmpeg is not installed";
    const test::TemporaryFolder folder;
    RenderOptions o = small(folder.file("a.mp4"), 2);
    EXPECT_EQ(render_sequence(o, rising_sheet).movie, o.output);
    EXPECT_TRUE(std::filesystem::exists(o.output));
    EXPECT_FALSE(std::filesystem::exists(folder.file("a_frames")));
    o.keep_frames = true;
    EXPECT_EQ(render_sequence(o, rising_sheet).frames.size(), 2u);
    EXPECT_TRUE(std::filesystem::exists(folder.file("a_frames/a.0002.png")));
}

TEST(Film, CancelKeepsFinishedPictures)
{
    const test::TemporaryFolder folder;
    // Three polls while looking at the frames, then one for each small picture.
    const RenderReport r =
        render_sequence(small(folder.file("a.png"), 3), rising_sheet, CancelAfter(4));
    EXPECT_TRUE(r.cancelled);
    EXPECT_EQ(r.frames.size(), 1u);
    EXPECT_TRUE(std::filesystem::exists(folder.file("a.0001.png")));
    EXPECT_FALSE(std::filesystem::exists(folder.file("a.0002.png")));
}

TEST(Film, NotFinitePointsAreReported)
{
    const test::TemporaryFolder folder;
    const RenderReport r = render_sequence(small(folder.file("a.png"), 2), [](int frame) {
        auto objects = rising_sheet(frame);
        VecX x = objects[0].geometry.positions();
        if (frame == 2) x[4] = std::nan("");
        objects[0].geometry.set_positions(x);
        return objects;
    });
    EXPECT_EQ(r.skipped_primitives, 1u);
    EXPECT_EQ(r.first_skipped_frame, 2);
    EXPECT_FALSE(r.message.empty());
}

TEST(Film, BadOptionsAreExplained)
{
    const test::TemporaryFolder folder;
    const auto fails = [&](const RenderOptions& o) {
        EXPECT_THROW(render_sequence(o, rising_sheet), InputError) << o.output;
    };
    fails(small(folder.file("a.gif"), 2));
    fails(small(folder.file("a.png"), 0));
    RenderOptions o = small(folder.file("a.png"), 1);
    o.width = 0;
    fails(o);
    o = small(folder.file("a.png"), 1);
    o.color_attribute = "cold";
    try {
        render_sequence(o, rising_sheet);
        FAIL() << "coloured by an attribute that is not there";
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("heat"), std::string::npos) << e.what();
    }
}

TEST(Film, UnwritableOutputIsAFileError)
{
    const test::TemporaryFolder folder;
    write_png(folder.file("a_frames"), Image(2, 2)); // a file where the folder should go
    EXPECT_THROW(render_sequence(small(folder.file("a_frames/a.png"), 1), rising_sheet), FileError);
    EXPECT_THROW(render_sequence(small(folder.file("a.mp4"), 1), rising_sheet), FileError);
}
