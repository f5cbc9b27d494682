#include "core/shot/shot_output.h"

#include "core/base/error.h"
#include "core/io/atomic_file.h"
#include "core/io/checkpoint.h"
#include "core/io/geometry_file.h"
#include "core/io/geometry_sequence_writer.h"
#include "core/io/sequence.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

namespace selvage
{
namespace
{

namespace fs = std::filesystem;

/// ".selvage/cape.1f0c97aa": the first object's name, and a number made of the names of all files.
std::string work_folder_name(const std::map<std::string, std::string>& files)
{
    std::string all;
    for (const auto& [file, object] : files) all += fs::path(file).filename().string() + '\n';
    return fmt::format(".selvage/{}.{:08x}", files.empty() ? "" : files.begin()->second,
                       checksum64(all) & 0xffffffff);
}

/// Whether writing these frames of an output would replace an input.
bool replaces(const std::string& output, const std::string& input, int first, int last)
{
    if (frame_path(output, first) == frame_path(input, first)) return true;
    if (is_sequence(input)) return false;
    for (const double frame : existing_frames(output))
        if (frame >= first && frame <= last && frame_path(output, frame) == input) return true;
    return false;
}

std::string range_text(int first, int last) { return fmt::format("{} {}\n", first, last); }

} // namespace

ShotOutput::ShotOutput(const Shot& shot) : shot_(&shot)
{
    std::map<std::string, std::string> taken;
    std::vector<std::string> names;
    for (const ClothSetup& c : shot.setup.cloths) names.push_back(c.name());
    for (const SolidSetup& s : shot.setup.solids) names.push_back(s.name());
    for (const HairSetup& h : shot.setup.hairs) names.push_back(h.name());
    for (const std::string& name : names) {
        Target t;
        t.path = shot.output_path(name);
        const bool single = GeometrySequenceWriter::is_single_file(t.path);
        if (!single && !is_geometry_path(t.path))
            throw InputError(fmt::format(
                "output '{}': known endings are .bgeo.sc, .bgeo, .geo, .obj, .usda and .pc2.",
                shot.setup.shot.text("output")));
        if (!single && !is_sequence(t.path) && shot.setup.last_frame() > shot.setup.first_frame())
            throw InputError(fmt::format(
                "output '{}' has no frame number: every frame would overwrite the one before. "
                "Write it like sim/$NAME.$F4.bgeo.sc.",
                shot.setup.shot.text("output")));
        for (const std::string& input : shot.inputs)
            if (replaces(t.path, input, shot.setup.first_frame(), shot.setup.last_frame()))
                throw InputError(fmt::format(
                    "output '{}' would write the frames of '{}' over '{}', which the shot reads. "
                    "Write to another folder.",
                    shot.setup.shot.text("output"), name, fs::path(input).filename().string()));
        if (const auto [other, fresh] = taken.emplace(t.path, name); !fresh)
            throw InputError(
                fmt::format("output '{}' is the same file for '{}' and '{}'. Use $NAME in it.",
                            shot.setup.shot.text("output"), other->second, name));
        targets_[name] = std::move(t);
    }
    if (targets_.empty()) return;
    const fs::path beside = fs::path(taken.begin()->first).parent_path();
    work_folder_ = (beside / work_folder_name(taken)).string();
    for (auto& [name, t] : targets_) {
        if (!GeometrySequenceWriter::is_single_file(t.path)) continue;
        t.parts = (fs::path(work_folder_) / (name + ".$F4.bgeo.sc")).string();
        t.assembled = (fs::path(work_folder_) / (name + ".assembled")).string();
    }
}

bool ShotOutput::is_assembled(const Target& t, int first, int last)
{
    return fs::exists(t.path) && fs::exists(t.assembled) &&
           read_file(t.assembled) == range_text(first, last);
}

void ShotOutput::remove_leftovers() const
{
    std::set<fs::path> folders = {work_folder_};
    for (const auto& [name, t] : targets_) folders.insert(fs::path(t.path).parent_path());
    for (const fs::path& folder : folders) remove_unfinished_files(folder.string());
}

void ShotOutput::check_resume(int first, int done, int last) const
{
    for (const auto& [name, t] : targets_) {
        if (t.parts.empty() || (done == last && is_assembled(t, first, last))) continue;
        for (int frame = first; frame <= done; ++frame)
            if (!fs::exists(frame_path(t.parts, frame)))
                throw InputError(fmt::format(
                    "Cannot resume after frame {}: frame {} of '{}' is not kept any more (the "
                    "frames of '{}' are removed once the file is complete). Simulate the whole "
                    "range without --resume.",
                    done, frame, name, fs::path(t.path).filename().string()));
    }
}

void ShotOutput::write(int frame, const FrameResult& result)
{
    for (const NamedResult& object : result.objects) {
        const Target& t = targets_.at(object.name);
        if (!t.assembled.empty()) fs::remove(t.assembled); // there is news to put together
        write_geometry(frame_path(t.parts.empty() ? t.path : t.parts, frame), object.geometry);
    }
}

void ShotOutput::finish(int first, int last)
{
    for (const auto& [name, t] : targets_) {
        if (t.parts.empty() || is_assembled(t, first, last)) continue;
        GeometrySequenceWriter writer(t.path, name, shot_->setup.shot.real("fps"));
        for (int frame = first; frame <= last; ++frame)
            writer.add(frame, read_geometry(frame_path(t.parts, frame)));
        writer.finish();
        write_file(t.assembled, range_text(first, last)); // from here on no part is needed
    }
    for (const auto& [name, t] : targets_) {
        if (t.parts.empty()) continue;
        std::error_code ignored;
        for (const double frame : existing_frames(t.parts))
            fs::remove(frame_path(t.parts, frame), ignored);
    }
}

} // namespace selvage
