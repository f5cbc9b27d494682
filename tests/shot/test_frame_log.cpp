#include "core/shot/frame_log.h"

#include "core/base/error.h"
#include "core/io/atomic_file.h"
#include "core/shot/shot_runner.h"
#include "tests/support/shot_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

using namespace selvage;
using namespace selvage::test;

namespace
{

FrameReport report_of_frame(int frame)
{
    FrameReport r;
    r.frame = frame;
    return r;
}

std::vector<int> frames_logged(const std::string& path)
{
    std::vector<int> frames;
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);)
        frames.push_back(nlohmann::json::parse(line)["frame"].get<int>());
    return frames;
}

RunReport run_with_log(const ShotFolder& folder, bool resume, int cancel_after = 1000)
{
    NullLog log;
    CancelFlag cancel;
    return run_shot(read_shot(folder.shot()), {resume, folder.file("log/run.jsonl")}, log, cancel,
                    [&](const FrameReport& r) {
                        if (r.frame == cancel_after) cancel.request();
                    });
}

const std::vector<int> all_twelve = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

} // namespace

TEST(FrameLog, KeepsTheLinesOfFinishedFramesOnly)
{
    const TemporaryFolder folder;
    const std::string path = folder.file("run.jsonl");
    {
        FrameLog log(path);
        for (int frame = 1; frame <= 4; ++frame) log.add(report_of_frame(frame));
    }
    std::ofstream(path, std::ios::app) << R"({"frame":5,"seconds":{"tot)"; // killed here
    {
        FrameLog log(path);
        log.keep_until(3);
        log.add(report_of_frame(4));
    }
    EXPECT_EQ(frames_logged(path), (std::vector<int>{1, 2, 3, 4}));
}

TEST(FrameLog, OpeningChangesNothing)
{
    const TemporaryFolder folder;
    const std::string earlier = report_of_frame(9).json() + "\nanything\n";
    write_file(folder.file("run.jsonl"), earlier);
    FrameLog log(folder.file("run.jsonl"));
    EXPECT_EQ(read_file(folder.file("run.jsonl")), earlier);
}

TEST(FrameLog, WhatIsNoLogIsNotReplaced)
{
    const TemporaryFolder folder;
    const std::string path = folder.file("shot.json");
    for (const char* content : {"{ \"selvage\": 1 }\n", "\x7fNSJb", "anything\n"}) {
        write_file(path, content);
        try {
            FrameLog log(path);
            FAIL() << content;
        } catch (const FileError& e) {
            for (const char* word : {"shot.json", "something else", "--log"})
                EXPECT_NE(std::string(e.what()).find(word), std::string::npos) << e.what();
        }
        EXPECT_EQ(read_file(path), content);
    }
    for (const char* cut_short : {"", "{\"fr", "{\"frame\":12,\"sec"}) {
        write_file(path, cut_short);
        EXPECT_NO_THROW(FrameLog{path}) << cut_short;
    }
}

TEST(FrameLog, AFullDiskIsAnError)
{
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
    FrameLog log("/dev/full");
    try {
        log.add(report_of_frame(3));
        FAIL();
    } catch (const FileError& e) {
        const std::string said = e.what();
        for (const char* word : {"frame 3", "/dev/full", "No space left", "--resume"})
            EXPECT_NE(said.find(word), std::string::npos) << said;
    }
}

TEST(FrameLog, APlaceThatCannotBeWrittenIsAnError)
{
    const TemporaryFolder folder;
    EXPECT_THROW(FrameLog(folder.path().string()), FileError); // a folder
    write_file(folder.file("file"), "x");
    EXPECT_THROW(FrameLog(folder.file("file/run.jsonl")), FileError);
}

TEST(FrameLog, AResumedRunHasEveryFrameOnce)
{
    const ShotFolder folder;
    run_with_log(folder, false, 5);
    EXPECT_EQ(frames_logged(folder.file("log/run.jsonl")), (std::vector<int>{1, 2, 3, 4, 5, 6}));
    run_with_log(folder, true); // the line of the interrupted frame 6 goes
    EXPECT_EQ(frames_logged(folder.file("log/run.jsonl")), all_twelve);
}

TEST(FrameLog, GoingBackToAnEarlierCheckpointDropsTheLinesAfterIt)
{
    const ShotFolder folder;
    run_with_log(folder, false, 7);
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(folder.file("sim/.selvage")))
        if (entry.path().filename() == "state.7.checkpoint")
            std::filesystem::resize_file(entry.path(), 100);
    EXPECT_EQ(run_with_log(folder, true).resumed_at, 7);
    EXPECT_EQ(frames_logged(folder.file("log/run.jsonl")), all_twelve);
}

TEST(FrameLog, AFreshRunStartsAFreshLog)
{
    const ShotFolder folder;
    run_with_log(folder, false, 5);
    run_with_log(folder, false);
    EXPECT_EQ(frames_logged(folder.file("log/run.jsonl")), all_twelve);
}
