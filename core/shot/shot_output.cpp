#include "core/shot/shot_output.h"

#include "core/base/error.h"
#include "core/io/geometry_file.h"
#include "core/io/geometry_sequence_writer.h"
#include "core/io/sequence.h"

#include <fmt/format.h>

#include <filesystem>

namespace selvage
{
namespace
{

namespace fs = std::filesystem;

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
        if (const auto [other, fresh] = taken.emplace(t.path, name); !fresh)
            throw InputError(
                fmt::format("output '{}' is the same file for '{}' and '{}'. Use $NAME in it.",
                            shot.setup.shot.text("output"), other->second, name));
        const fs::path folder = fs::path(t.path).parent_path();
        work_folder_ = (folder / ".selvage").string();
        if (single) t.parts = (fs::path(work_folder_) / (name + ".$F4.bgeo.sc")).string();
        targets_[name] = std::move(t);
    }
}

void ShotOutput::write(int frame, const FrameResult& result)
{
    for (const NamedResult& object : result.objects) {
        const Target& t = targets_.at(object.name);
        write_geometry(frame_path(t.parts.empty() ? t.path : t.parts, frame), object.geometry);
    }
}

void ShotOutput::finish(int first, int last)
{
    for (const auto& [name, t] : targets_) {
        if (t.parts.empty()) continue;
        GeometrySequenceWriter writer(t.path, name, shot_->setup.shot.real("fps"));
        for (int frame = first; frame <= last; ++frame)
            writer.add(frame, read_geometry(frame_path(t.parts, frame)));
        writer.finish();
        for (int frame = first; frame <= last; ++frame) {
            std::error_code ignored;
            fs::remove(frame_path(t.parts, frame), ignored);
        }
    }
}

} // namespace selvage
