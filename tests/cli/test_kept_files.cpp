// What is on disk after a kill, a full disk or a refusal, and how a run goes on from there.
#include "core/base/error.h"
#include "core/io/geometry_file.h"
#include "tests/support/animated_source.h"
#include "tests/support/places.h"
#include "tests/support/shot_folder.h"
#include "tests/support/subprocess.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <random>
#include <sstream>
#include <sys/mount.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

namespace fs = std::filesystem;

/// Simulates with a log, which is run.jsonl unless it is said.
std::vector<std::string> kept_command(const ShotFolder& folder, std::vector<std::string> more = {},
                                      const std::string& log = "")
{
    std::vector<std::string> all = {(binary_folder() / "bin/selvage").string(), "simulate",
                                    folder.shot(), "--log",
                                    log.empty() ? folder.file("run.jsonl") : log};
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

/// A disk of its own size in the place of a folder; root may make one.
class SmallDisk
{
public:
    SmallDisk(std::string folder, const char* options)
        : folder_(std::move(folder)),
          mounted_(mount("tmpfs", folder_.c_str(), "tmpfs", 0, options) == 0)
    {
    }
    ~SmallDisk()
    {
        if (mounted_) umount(folder_.c_str());
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;

    bool mounted() const { return mounted_; }
    bool remount(const char* options, unsigned long flags = 0) const
    {
        return mount("tmpfs", folder_.c_str(), "tmpfs", MS_REMOUNT | flags, options) == 0;
    }

private:
    std::string folder_;
    bool mounted_;
};

std::string bytes_of(const fs::path& path)
{
    std::ifstream in(path, std::ios::binary);
    std::stringstream bytes;
    bytes << in.rdbuf();
    return bytes.str();
}

/// Every file of the shot's folder, hidden ones too.
std::map<std::string, std::string> everything(const ShotFolder& folder)
{
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder.file("")))
        if (entry.is_regular_file()) files[entry.path().string()] = bytes_of(entry.path());
    return files;
}

std::vector<std::string> unfinished(const ShotFolder& folder)
{
    std::vector<std::string> found;
    std::error_code gone; // files vanish while we look
    for (fs::recursive_directory_iterator it(folder.file(""), gone), end; !gone && it != end;
         it.increment(gone))
        if (it->path().extension() == ".tmp") found.push_back(it->path().string());
    return found;
}

std::vector<int> logged_frames(const ShotFolder& folder)
{
    std::vector<int> frames;
    std::ifstream in(folder.file("run.jsonl"));
    for (std::string line; std::getline(in, line);)
        frames.push_back(nlohmann::json::parse(line)["frame"].get<int>());
    return frames;
}

const std::vector<int> frames_1_to_12 = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

/// Whatever stands under a final name is whole.
void expect_only_whole_files(const ShotFolder& broken, const ShotFolder& whole)
{
    const auto all = whole.output();
    for (const auto& [name, bytes] : broken.output()) {
        ASSERT_EQ(all.count(name), 1u) << name;
        EXPECT_EQ(bytes, all.at(name)) << name;
    }
}

void expect_finished_by_resume(const ShotFolder& broken, const ShotFolder& whole)
{
    const ProcessResult r = run(kept_command(broken, {"--resume"}));
    ASSERT_EQ(r.exit_code, 0) << r.err;
    EXPECT_EQ(broken.output(), whole.output());
    EXPECT_EQ(unfinished(broken), std::vector<std::string>());
    EXPECT_EQ(logged_frames(broken), frames_1_to_12);
}

} // namespace

TEST(KeptFiles, KilledAtRandomTimes)
{
    for (const char* output : {"", "\"output\": \"sim/$NAME.usda\", "}) {
        const ShotFolder whole(output, 16);
        const auto start = std::chrono::steady_clock::now();
        ASSERT_EQ(run(kept_command(whole)).exit_code, 0);
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        std::mt19937 random(11);
        for (int trial = 0; trial < 6; ++trial) {
            const ShotFolder broken(output, 16);
            for (int kills = 0; kills < 2; ++kills) { // the second while it resumes
                Subprocess process(kept_command(broken, kills ? std::vector<std::string>{"--resume"}
                                                              : std::vector<std::string>{}));
                std::this_thread::sleep_for(std::chrono::duration<double>(
                    seconds * std::uniform_real_distribution<double>(0.02, 1)(random)));
                process.signal(SIGKILL);
                process.wait();
                expect_only_whole_files(broken, whole);
            }
            expect_finished_by_resume(broken, whole);
        }
    }
}

TEST(KeptFiles, KilledWhileAFileIsWritten)
{
    const ShotFolder whole("", 24);
    ASSERT_EQ(run(kept_command(whole)).exit_code, 0);
    int left = 0;
    for (int trial = 0; trial < 10; ++trial) {
        const ShotFolder broken("", 24);
        Subprocess process(kept_command(broken));
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        for (std::size_t seen = 0;
             seen < std::size_t(1 + trial) && std::chrono::steady_clock::now() < deadline;)
            if (!unfinished(broken).empty()) ++seen;
        process.signal(SIGKILL);
        process.wait();
        left += !unfinished(broken).empty();
        expect_only_whole_files(broken, whole);
        expect_finished_by_resume(broken, whole);
    }
    EXPECT_GT(left, 0); // some were caught in the act
}

TEST(KeptFiles, TheLogIsRefusedBeforeAnythingIsTouched)
{
    const ShotFolder folder;
    ASSERT_EQ(run(kept_command(folder)).exit_code, 0);
    const auto before = everything(folder);
    for (const std::string& place : {folder.file(""), folder.file("sheet.bgeo/run.jsonl")}) {
        const ProcessResult r = run(kept_command(folder, {}, place));
        EXPECT_EQ(r.exit_code, 2);
        EXPECT_NE(r.err.find("log file"), std::string::npos) << r.err;
        EXPECT_NE(r.err.find("--log"), std::string::npos) << r.err;
        EXPECT_EQ(everything(folder), before);
    }
    // A slip of the hand: what is read would be replaced.
    for (const std::string& place : {folder.shot(), folder.file("sheet.bgeo")}) {
        const ProcessResult r = run(kept_command(folder, {}, place));
        EXPECT_EQ(r.exit_code, 2);
        EXPECT_NE(r.err.find("something else than a log"), std::string::npos) << r.err;
        EXPECT_EQ(everything(folder), before);
    }
}

TEST(KeptFiles, InputsAreNotWrittenOver)
{
    const ShotFolder folder;
    for (int f = 1; f <= 12; ++f)
        fs::copy_file(folder.file("sheet.bgeo"), folder.file(fmt::format("sheet.{:04}.bgeo", f)));
    const auto before = everything(folder);
    for (const char* geometry : {"sheet.$F4.bgeo", "sheet.%04d.bgeo", "sheet.0005.bgeo"}) {
        const ProcessResult r =
            run(kept_command(folder, {"--set", std::string("cloth.sheet.geometry=") + geometry,
                                      "--set", "output=sim/../$NAME.$F4.bgeo"}));
        EXPECT_EQ(r.exit_code, 2) << geometry;
        for (const char* word :
             {"output 'sim/../$NAME.$F4.bgeo'", "which the shot reads", geometry})
            EXPECT_NE(r.err.find(word), std::string::npos) << r.err;
        EXPECT_EQ(everything(folder), before) << geometry;
    }
}

TEST(KeptFiles, AFullDiskKeepsTheFramesBefore)
{
    const ShotFolder whole("", 16), folder("", 16);
    ASSERT_EQ(run(kept_command(whole)).exit_code, 0);
    fs::create_directory(folder.file("sim"));
    const SmallDisk disk(folder.file("sim"), "size=100k");
    if (!disk.mounted()) GTEST_SKIP() << "a small disk cannot be mounted here";
    const ProcessResult r = run(kept_command(folder));
    EXPECT_EQ(r.exit_code, 2);
    for (const char* word : {"the disk is full", "sim/"})
        EXPECT_NE(r.err.find(word), std::string::npos) << r.err;
    EXPECT_GT(folder.output().size(), 0u);
    EXPECT_LT(folder.output().size(), 12u);
    EXPECT_EQ(unfinished(folder), std::vector<std::string>());
    expect_only_whole_files(folder, whole);
    ASSERT_TRUE(disk.remount("size=10m")); // room is made
    expect_finished_by_resume(folder, whole);
}

TEST(KeptFiles, AReadOnlyDiskIsAClearError)
{
    const ShotFolder folder;
    fs::create_directory(folder.file("sim"));
    const SmallDisk disk(folder.file("sim"), "size=1m");
    if (!disk.mounted()) GTEST_SKIP() << "a small disk cannot be mounted here";
    ASSERT_TRUE(disk.remount("size=1m", MS_RDONLY));
    const ProcessResult r = run(kept_command(folder));
    EXPECT_EQ(r.exit_code, 2);
    for (const char* word : {"read-only", "sim/"})
        EXPECT_NE(r.err.find(word), std::string::npos) << r.err;
    EXPECT_EQ(folder.output().size(), 0u);
}

TEST(KeptFiles, AFullDiskUnderTheLogIsAnErrorAndKeepsTheFrame)
{
    if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
    const ShotFolder folder;
    const ProcessResult r = run(kept_command(folder, {}, "/dev/full"));
    EXPECT_EQ(r.exit_code, 2);
    for (const char* word : {"/dev/full", "frame 1", "No space left"})
        EXPECT_NE(r.err.find(word), std::string::npos) << r.err;
    EXPECT_EQ(folder.output().size(), 1u);
}

TEST(KeptFiles, ALimitOnFileSizesIsAClearError)
{
    const ShotFolder whole("", 2), folder("", 2);
    ASSERT_EQ(run(kept_command(whole)).exit_code, 0);
    // The log outgrows it, the frames do not.
    std::string line = "ulimit -f 6; exec";
    for (const std::string& word : kept_command(folder)) line += " '" + word + "'";
    const ProcessResult r = run({"/bin/sh", "-c", line});
    EXPECT_EQ(r.exit_code, 2);
    for (const char* word : {"run.jsonl", "File too large", "--resume"})
        EXPECT_NE(r.err.find(word), std::string::npos) << r.err;
    EXPECT_GT(folder.output().size(), 1u);
    EXPECT_LT(folder.output().size(), 12u);
    expect_only_whole_files(folder, whole);
    expect_finished_by_resume(folder, whole);

    const ShotFolder large("", 24);
    line = "ulimit -f 6; exec";
    for (const std::string& word : kept_command(large)) line += " '" + word + "'";
    const ProcessResult frame = run({"/bin/sh", "-c", line});
    EXPECT_EQ(frame.exit_code, 2);
    EXPECT_NE(frame.err.find("larger than allowed"), std::string::npos) << frame.err;
    EXPECT_EQ(unfinished(large), std::vector<std::string>());
}

TEST(KeptFiles, RefusedRunsLeaveEarlierOnesAsTheyWere)
{
    const ShotFolder folder;
    ASSERT_EQ(run(kept_command(folder)).exit_code, 0);
    Geometry nan = sheet_geometry(8), flat = sheet_geometry(8);
    VecX x = nan.positions();
    x[3 * 5] = std::nan("");
    nan.set_positions(x);
    flat.add_polygon({0, 1, 0});
    write_geometry(folder.file("nan.bgeo"), nan);
    write_geometry(folder.file("flat.bgeo"), flat);
    write_geometry(folder.file("empty.bgeo"), Geometry());
    const auto before = everything(folder);
    for (const char* set :
         {"gravty=[0,0,0]", "cloth.sheet.geometry=nothing.bgeo", "cloth.sheet.geometry=nan.bgeo",
          "cloth.sheet.geometry=flat.bgeo", "cloth.sheet.geometry=empty.bgeo",
          "cloth.sheet.pins.target=nothing.$F4.bgeo", "output=sim/$NAME.bgeo"})
        for (const bool resume : {false, true}) {
            std::vector<std::string> more = {"--set", set};
            if (resume) more.push_back("--resume");
            EXPECT_EQ(run(kept_command(folder, more)).exit_code, 2) << set;
            EXPECT_EQ(everything(folder), before) << set;
        }
}

TEST(KeptFiles, AFinishedShotResumesToNothing)
{
    for (const char* output : {"", "\"output\": \"sim/$NAME.usda\", "}) {
        const ShotFolder folder(output);
        ASSERT_EQ(run(kept_command(folder)).exit_code, 0);
        const auto before = everything(folder);
        const ProcessResult r = run(kept_command(folder, {"--resume"}));
        EXPECT_EQ(r.exit_code, 0) << r.err;
        EXPECT_EQ(everything(folder), before);
    }
}

TEST(KeptFiles, CommandsThatDoNotLookAtCtrlCEndAtOnce)
{
    const ShotFolder folder;
    const std::string pipe = folder.file("pipe.bgeo");
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    Subprocess process({(binary_folder() / "bin/selvage").string(), "inspect", pipe});
    int to_it = -1; // opens once the command waits for what we will never say
    for (int i = 0; i < 1000 && to_it < 0; ++i) {
        to_it = open(pipe.c_str(), O_WRONLY | O_NONBLOCK);
        if (to_it < 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ASSERT_GE(to_it, 0);
    process.signal(SIGINT);
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    close(to_it); // one that goes on waiting would now find a file without content
    const ProcessResult r = process.wait();
    EXPECT_EQ(r.exit_code, 128 + SIGINT) << r.err;
}
