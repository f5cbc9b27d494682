#include "core/shot/file_source.h"

#include "core/base/error.h"

namespace selvage
{

FileSource::FileSource(std::string path) : files_(std::move(path)) {}

std::shared_ptr<const Geometry> FileSource::at(double frame)
{
    if (!animated()) frame = 0;
    for (const Loaded& l : recent_)
        if (l.geometry && l.frame == frame) return l.geometry;
    Loaded& slot = recent_[next_];
    next_ = 1 - next_;
    try {
        slot.geometry = std::make_shared<const Geometry>(files_.read(frame));
    } catch (const FileError& e) {
        slot.geometry = nullptr;
        throw FileError(std::string(e.what()) +
                        (animated() ? " Write that frame, or take it out of the shot's range."
                                    : " Check the path; in a shot file it is relative to that "
                                      "file."));
    }
    slot.frame = frame;
    return slot.geometry;
}

std::string FileSource::describe(double frame) const { return files_.file_name(frame); }

} // namespace selvage
