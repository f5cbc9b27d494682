#include "core/cli/sequence_input.h"

#include "core/base/error.h"
#include "core/io/geometry_file.h"
#include "core/io/sequence.h"

#include <fmt/format.h>

#include <filesystem>

namespace selvage::cli
{

SequenceInput::SequenceInput(std::string path)
    : path_(std::move(path)), sequence_(selvage::is_sequence(path_))
{
    if (!sequence_) {
        frames_ = {0};
        return;
    }
    frames_ = existing_frames(path_);
    if (frames_.empty())
        throw FileError(
            fmt::format("No frame of '{}' exists. (In a shell, quote the name: '$F4' is a variable "
                        "otherwise.)",
                        path_));
}

Geometry SequenceInput::read(double frame) const
{
    const auto after = std::upper_bound(frames_.begin(), frames_.end(), frame);
    const double nearest = after == frames_.begin() ? frames_.front() : *(after - 1);
    return read_geometry(sequence_ ? frame_path(path_, nearest) : path_);
}

std::string SequenceInput::name() const
{
    const std::string file = std::filesystem::path(path_).filename().string();
    return file.substr(0, file.find('.'));
}

} // namespace selvage::cli
