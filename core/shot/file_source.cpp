#include "core/shot/file_source.h"

#include "core/io/geometry_file.h"
#include "core/io/sequence.h"

#include <filesystem>

namespace selvage
{

FileSource::FileSource(std::string path) : path_(std::move(path)), animated_(is_sequence(path_)) {}

std::shared_ptr<const Geometry> FileSource::at(double frame)
{
    if (!animated_) frame = 0;
    for (const Loaded& l : recent_)
        if (l.geometry && l.frame == frame) return l.geometry;
    Loaded& slot = recent_[next_];
    next_ = 1 - next_;
    slot.geometry = std::make_shared<const Geometry>(read_geometry(frame_path(path_, frame)));
    slot.frame = frame;
    return slot.geometry;
}

std::string FileSource::describe(double frame) const
{
    return std::filesystem::path(frame_path(path_, frame)).filename().string();
}

} // namespace selvage
