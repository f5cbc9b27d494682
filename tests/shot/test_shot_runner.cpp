#include "core/base/error.h"
#include "core/io/geometry_file.h"
#include "core/shot/shot_runner.h"
#include "tests/support/animated_source.h"
#include "tests/support/shot_folder.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tet_block.h"

#include <gtest/gtest.h>

#include <fstream>

using namespace selvage;
using namespace selvage::test;

namespace
{

RunReport simulate(const ShotFolder& folder, const RunOptions& options = {},
                   const Cancel& cancel = NeverCancel(), const Overrides& overrides = {})
{
    NullLog log;
    return run_shot(read_shot(folder.shot(), overrides), options, log, cancel);
}

/// Cancels once `frames` frames are finished.
RunReport simulate_until(const ShotFolder& folder, int frames)
{
    NullLog log;
    CancelFlag cancel;
    return run_shot(read_shot(folder.shot()), {}, log, cancel, [&](const FrameReport& r) {
        if (r.frame == frames) cancel.request();
    });
}

/// A file in the hidden folder, whatever that is called; empty where there is none.
std::filesystem::path kept_file(const ShotFolder& folder, const std::string& name)
{
    std::error_code none;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(folder.file("sim/.selvage"), none))
        if (entry.path().filename() == name) return entry.path();
    return {};
}

std::string refusal(const std::function<void()>& act)
{
    try {
        act();
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

constexpr const char* as_usda = "\"output\": \"sim/$NAME.usda\", ";

} // namespace

TEST(ShotRunner, WritesEveryFrameAndALog)
{
    const ShotFolder folder;
    RunOptions options;
    options.log_file = folder.file("log/run.jsonl");
    const RunReport r = simulate(folder, options);
    EXPECT_EQ(r.outcome, RunOutcome::done);
    EXPECT_EQ(r.frames_written, 12);
    EXPECT_EQ(folder.output().size(), 12u);
    EXPECT_EQ(folder.output().begin()->first, "sheet.0001.bgeo.sc");
    std::ifstream log(options.log_file);
    int lines = 0;
    for (std::string line; std::getline(log, line); ++lines)
        for (const char* key : {"frame", "seconds", "substeps", "iterations", "contacts", "min_gap",
                                "max_strain", "energy", "linear_iterations", "status"})
            EXPECT_NE(line.find("\"" + std::string(key) + "\""), std::string::npos) << line;
    EXPECT_EQ(lines, 12);
}

TEST(ShotRunner, ResumedRunGivesTheSameBytes)
{
    for (const char* extra : {"", "\"substeps\": 2, \"preroll\": {\"frames\": 3}, "}) {
        const ShotFolder whole(extra), broken(extra);
        simulate(whole);
        const RunReport stopped = simulate_until(broken, 5);
        EXPECT_EQ(stopped.outcome, RunOutcome::cancelled);
        EXPECT_EQ(broken.output().size(), 5u);
        const RunReport rest = simulate(broken, {/*resume*/ true, ""});
        EXPECT_EQ(rest.resumed_at, 6);
        EXPECT_EQ(broken.output(), whole.output());
    }
}

TEST(ShotRunner, ResumeWithBdf2KeepsTheHistory)
{
    const std::string extra = "";
    const Overrides bdf2 = {{"solver.integrator", "bdf2"}};
    const ShotFolder whole(extra), broken(extra);
    simulate(whole, {}, NeverCancel(), bdf2);
    NullLog log;
    CancelFlag cancel;
    run_shot(read_shot(broken.shot(), bdf2), {}, log, cancel, [&](const FrameReport& r) {
        if (r.frame == 7) cancel.request();
    });
    simulate(broken, {true, ""}, NeverCancel(), bdf2);
    EXPECT_EQ(broken.output(), whole.output());
}

TEST(ShotRunner, ADamagedCheckpointIsPassedOver)
{
    const ShotFolder whole, broken;
    simulate(whole);
    simulate_until(broken, 5);
    const std::filesystem::path newest = kept_file(broken, "state.5.checkpoint");
    ASSERT_TRUE(std::filesystem::exists(newest));
    std::filesystem::resize_file(newest, std::filesystem::file_size(newest) / 2);
    EXPECT_EQ(simulate(broken, {true, ""}).resumed_at, 5); // went on from frame 4
    EXPECT_EQ(broken.output(), whole.output());
}

TEST(ShotRunner, ResumeWithoutACheckpointStartsOver)
{
    const ShotFolder folder;
    EXPECT_EQ(simulate(folder, {true, ""}).resumed_at, 0);
    EXPECT_EQ(folder.output().size(), 12u);
}

TEST(ShotRunner, SingleFileOutputsAppearWhenTheShotIsDone)
{
    const ShotFolder whole("\"output\": \"sim/$NAME.usda\", "),
        broken("\"output\": \"sim/$NAME.usda\", ");
    simulate(whole);
    EXPECT_EQ(whole.output().size(), 1u);
    EXPECT_EQ(whole.output().count("sheet.usda"), 1u);
    simulate_until(broken, 5);
    EXPECT_EQ(broken.output().size(), 0u);
    simulate(broken, {true, ""});
    EXPECT_EQ(broken.output(), whole.output());
}

TEST(ShotRunner, ResumingAFinishedShotIsDoneAtOnce)
{
    for (const char* extra : {"", as_usda, "\"output\": \"sim/$NAME.pc2\", "}) {
        const ShotFolder folder(extra);
        simulate(folder);
        const auto before = folder.output();
        for (int again = 0; again < 2; ++again) {
            const RunReport r = simulate(folder, {/*resume*/ true, ""});
            EXPECT_EQ(r.outcome, RunOutcome::done);
            EXPECT_EQ(r.frames_written, 0);
            EXPECT_EQ(folder.output(), before);
        }
    }
}

TEST(ShotRunner, AKillWhilePartsAreRemovedDoesNoHarm)
{
    // As after a kill: the file is there and said to be, some parts are still there.
    const ShotFolder folder(as_usda);
    simulate_until(folder, 5);
    const std::filesystem::path part = kept_file(folder, "sheet.0003.bgeo.sc");
    ASSERT_FALSE(part.empty());
    std::filesystem::copy(part, folder.file("part"));
    simulate(folder, {/*resume*/ true, ""});
    EXPECT_FALSE(std::filesystem::exists(part));
    std::filesystem::copy(folder.file("part"), part);
    const auto before = folder.output();
    EXPECT_EQ(simulate(folder, {/*resume*/ true, ""}).outcome, RunOutcome::done);
    EXPECT_EQ(folder.output(), before);
    EXPECT_FALSE(std::filesystem::exists(part));
}

TEST(ShotRunner, MissingPartsAreToldBeforeAnythingIsSimulated)
{
    const ShotFolder folder(as_usda);
    simulate(folder, {}, NeverCancel(), {{"frames", "[1, 6]"}});
    const auto before = folder.output();
    const auto longer = [&] {
        simulate(folder, {/*resume*/ true, ""}, NeverCancel(), {{"frames", "[1, 12]"}});
    };
    const std::string said = refusal(longer);
    for (const char* word :
         {"after frame 6", "frame 1 of 'sheet'", "sheet.usda", "without --resume"})
        EXPECT_NE(said.find(word), std::string::npos) << said;
    EXPECT_EQ(folder.output(), before);

    std::filesystem::remove(folder.file("sim/sheet.usda")); // and now nothing of it is left
    const auto same = [&] {
        simulate(folder, {/*resume*/ true, ""}, NeverCancel(), {{"frames", "[1, 6]"}});
    };
    EXPECT_NE(refusal(same).find("without --resume"), std::string::npos);
}

TEST(ShotRunner, ACheckpointAfterTheRangeDoesNotCrowdOutNewOnes)
{
    const ShotFolder folder;
    simulate(folder);
    NullLog log;
    CancelFlag cancel;
    const Overrides shorter = {{"frames", "[1, 6]"}};
    run_shot(read_shot(folder.shot(), shorter), {/*resume*/ true, ""}, log, cancel,
             [&](const FrameReport& r) {
                 if (r.frame == 3) cancel.request();
             });
    EXPECT_EQ(simulate(folder, {/*resume*/ true, ""}, NeverCancel(), shorter).resumed_at, 4);
}

TEST(ShotRunner, ShotsSharingAFolderKeepTheirOwnCheckpoints)
{
    const ShotFolder folder;
    const ShotFolder whole;
    simulate(whole);
    std::ofstream(folder.file("other.json")) << R"({ "selvage": 1, "frames": [1, 3],
  "cloth": [ { "name": "other", "geometry": "sheet.bgeo", "pins": { "group": "top" } } ] })";
    simulate_until(folder, 5);
    NullLog log;
    EXPECT_EQ(
        run_shot(read_shot(folder.file("other.json")), {true, ""}, log, NeverCancel()).resumed_at,
        0);
    run_shot(read_shot(folder.file("other.json")), {}, log, NeverCancel());
    EXPECT_EQ(simulate(folder, {/*resume*/ true, ""}).resumed_at, 6);
    for (const auto& [name, bytes] : whole.output()) EXPECT_EQ(folder.output()[name], bytes);
}

TEST(ShotRunner, WhatKilledRunsLeftIsRemoved)
{
    const ShotFolder folder;
    simulate_until(folder, 2);
    const std::string left = folder.file("sim/.sheet.0003.bgeo.sc.999999999.0.tmp");
    const auto hidden = kept_file(folder, "state.2.checkpoint").parent_path() /
                        ".state.3.checkpoint.999999999.0.tmp";
    std::ofstream(left) << "half";
    std::ofstream(hidden) << "half";
    simulate(folder, {/*resume*/ true, ""});
    EXPECT_FALSE(std::filesystem::exists(left));
    EXPECT_FALSE(std::filesystem::exists(hidden));
}

TEST(ShotRunner, BadShotsTouchNothing)
{
    const ShotFolder folder;
    const auto refused = [&](const Overrides& overrides) {
        EXPECT_THROW(simulate(folder, {}, NeverCancel(), overrides), InputError);
        EXPECT_FALSE(folder.has_output());
    };
    refused({{"cloth.sheet.geometry", "missing.bgeo"}});
    refused({{"cloth.sheet.pins.group", "nobody"}});
    refused({{"output", "sim/$NAME.bgeo"}});
    refused({{"output", "sim/$NAME.$F4.abc"}});
    refused({{"cloth.sheet.pins.target", "missing.$F4.bgeo"}});
}

TEST(ShotRunner, InputMissingAtFrameNKeepsTheFramesBefore)
{
    const ShotFolder folder;
    for (int f = 1; f <= 6; ++f)
        write_geometry(folder.file("anim.000" + std::to_string(f) + ".bgeo"), sheet_geometry(8));
    try {
        simulate(folder, {}, NeverCancel(), {{"cloth.sheet.pins.target", "anim.$F4.bgeo"}});
        FAIL();
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("anim.0007.bgeo"), std::string::npos) << e.what();
        EXPECT_NE(std::string(e.what()).find("Cloth 'sheet'"), std::string::npos) << e.what();
    }
    EXPECT_EQ(folder.output().size(), 6u);
}

TEST(ShotRunner, SolidsComeFromEveryHoudiniFormat)
{
    const TetMesh block = tet_block(3, 1, 1, 0.1);
    Geometry g = tet_geometry(block);
    g.set_group(left_side(block));
    g.set_scalars("young_scale", VecX::Constant(Eigen::Index(block.points.size()), 0.5));
    VecX of_text;
    for (const char* extension : {"geo", "bgeo", "bgeo.sc"}) {
        const TemporaryFolder folder;
        const std::string input = std::string("block.") + extension;
        write_geometry((folder.path() / input).string(), g);
        const std::string shot = (folder.path() / "shot.json").string();
        std::ofstream(shot) << R"({ "selvage": 1, "frames": [1, 4], "solids": [ { "name": "block",
            "geometry": ")" << input
                            << R"(", "young": 4e4, "pins": { "group": "left" } } ],
            "output": "sim/$NAME.$F4.bgeo" })";
        NullLog log;
        EXPECT_EQ(run_shot(read_shot(shot), {}, log, NeverCancel()).outcome, RunOutcome::done);
        const Geometry last = read_geometry((folder.path() / "sim" / "block.0004.bgeo").string());
        EXPECT_EQ(last.primitive_count(), block.tets.size() / 4);
        EXPECT_EQ(last.get(Owner::point, "young_scale").number(0), 0.5);
        const VecX x = last.positions();
        EXPECT_GT((block.stacked() - x).maxCoeff(), 1e-3);
        if (of_text.size() == 0) of_text = x;
        EXPECT_EQ(x, of_text) << extension;
    }
}
