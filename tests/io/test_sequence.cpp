#include "core/io/sequence.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <fstream>

using namespace selvage;

TEST(Sequence, Patterns)
{
    EXPECT_EQ(frame_path("a.$F.bgeo", 12), "a.12.bgeo");
    EXPECT_EQ(frame_path("a.$F4.bgeo.sc", 12), "a.0012.bgeo.sc");
    EXPECT_EQ(frame_path("a.${F4}b", 12), "a.0012b");
    EXPECT_EQ(frame_path("a$F4b", 12), "a0012b");
    EXPECT_EQ(frame_path("a.%04d.obj", 12345), "a.12345.obj");
    EXPECT_EQ(frame_path("a.%d.obj", 7), "a.7.obj");
    EXPECT_EQ(frame_path("$F/a.$F2.obj", 7), "7/a.07.obj");
    EXPECT_EQ(frame_path("a.$FF.geo", 7), "a.7.geo");
    EXPECT_EQ(frame_path("plain.geo", 7), "plain.geo");
}

TEST(Sequence, OtherVariablesAreLeftAlone)
{
    EXPECT_EQ(frame_path("$NAME.$FPS.$F4", 1), "$NAME.$FPS.0001");
    EXPECT_EQ(frame_path("100%.$F", 1), "100%.1");
    EXPECT_TRUE(is_sequence("sim/$NAME.$F4.bgeo.sc"));
    EXPECT_FALSE(is_sequence("sim/$NAME.$FILE.bgeo.sc"));
    EXPECT_FALSE(is_sequence("a%5x.geo"));
}

TEST(Sequence, NegativeAndFractionalFrames)
{
    EXPECT_EQ(frame_path("$F4", -5), "-005");
    EXPECT_EQ(frame_path("$F", -12), "-12");
    EXPECT_EQ(frame_path("$F4", 12.25), "0012.25");
    EXPECT_EQ(frame_path("$F4", -0.5), "-000.5");
    EXPECT_EQ(frame_path("$F", 0.1 + 0.2), "0.3");
    EXPECT_EQ(frame_path("$F", 2.9999999999), "3");
}

TEST(Sequence, ExistingFrames)
{
    const test::TemporaryFolder folder;
    for (const char* name : {"a.0003.geo", "a.0001.geo", "a.0002.5.geo", "a.-001.geo",
                             "a.12345.geo", "a.7.geo", "a.0004.bgeo", "b.0001.geo", "a.xxxx.geo"})
        std::ofstream(folder.file(name)) << "x";
    EXPECT_EQ(existing_frames(folder.file("a.$F4.geo")),
              (std::vector<double>{-1, 1, 2.5, 3, 12345}));
    EXPECT_EQ(existing_frames(folder.file("a.%d.geo")), (std::vector<double>{7, 12345}));
    EXPECT_TRUE(existing_frames(folder.file("missing/a.$F4.geo")).empty());
}
