#include "core/base/error.h"
#include "core/render/movie_encoder.h"
#include "core/render/png_file.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

using namespace selvage;

namespace
{

std::vector<std::string> write_frames(const test::TemporaryFolder& folder, int count)
{
    std::vector<std::string> files;
    for (int i = 0; i < count; ++i) {
        files.push_back(folder.file("f" + std::to_string(i) + ".png"));
        write_png(files.back(), Image(33, 21, Color(float(i) / float(count), 0.5f, 0.2f)));
    }
    return files;
}

bool have(const std::string& program)
{
    return std::system(("command -v " + program + " > /dev/null 2>&1").c_str()) == 0;
}

} // namespace

TEST(MovieEncoder, MakesAMovieOfTheRightLengthAndSize)
{
    if (!have("ffmpeg") || !have("ffprobe")) GTEST_SKIP() << "ffmpeg is not installed";
    const test::TemporaryFolder folder;
    // A name that a careless command line would take apart.
    const std::string movie = folder.file("a movie; %d 'x' $(y).mp4");
    ASSERT_EQ(encode_movie(write_frames(folder, 8), movie, 24, "ffmpeg", NeverCancel()),
              EncodeStatus::done);
    std::filesystem::rename(movie, folder.file("plain.mp4"));
    const std::string probe = "ffprobe -v error -count_frames -select_streams v:0 -show_entries "
                              "stream=codec_name,width,height,pix_fmt,r_frame_rate,nb_read_frames "
                              "-of default=noprint_wrappers=1 '" +
                              folder.file("plain.mp4") + "' > '" + folder.file("probe.txt") + "'";
    ASSERT_EQ(std::system(probe.c_str()), 0);
    std::ifstream in(folder.file("probe.txt"));
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    for (const char* line : {"codec_name=h264", "width=34", "height=22", "pix_fmt=yuv420p",
                             "r_frame_rate=24/1", "nb_read_frames=8"})
        EXPECT_NE(text.find(line), std::string::npos) << line << " in\n" << text;
    // Nothing is left of what was needed on the way.
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
        EXPECT_EQ(entry.path().string().find(".tmp"), std::string::npos) << entry.path();
}

TEST(MovieEncoder, MissingProgramIsReported)
{
    const test::TemporaryFolder folder;
    EXPECT_EQ(encode_movie(write_frames(folder, 1), folder.file("a.mp4"), 24,
                           "no_such_encoder_here", NeverCancel()),
              EncodeStatus::no_encoder);
    EXPECT_FALSE(std::filesystem::exists(folder.file("a.mp4")));
}

TEST(MovieEncoder, FailureCarriesTheProgramsWords)
{
    const test::TemporaryFolder folder;
    const std::string script = folder.file("encoder");
    std::ofstream(script) << "#!/bin/sh\necho 'the tape is torn' >&2\nexit 3\n";
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    try {
        encode_movie(write_frames(folder, 1), folder.file("a.mp4"), 24, script, NeverCancel());
        FAIL() << "a failing encoder went unnoticed";
    } catch (const FileError& e) {
        EXPECT_NE(std::string(e.what()).find("the tape is torn"), std::string::npos) << e.what();
    }
}

TEST(MovieEncoder, CancelEndsTheProgram)
{
    const test::TemporaryFolder folder;
    const std::string script = folder.file("encoder");
    std::ofstream(script) << "#!/bin/sh\nexec sleep 600\n";
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    CancelFlag cancel;
    cancel.request();
    EXPECT_EQ(encode_movie(write_frames(folder, 1), folder.file("a.mp4"), 24, script, cancel),
              EncodeStatus::cancelled);
}
