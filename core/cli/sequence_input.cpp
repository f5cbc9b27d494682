#include "core/cli/sequence_input.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <filesystem>

namespace selvage::cli
{

SequenceInput::SequenceInput(std::string path) : files_(std::move(path)), frames_(files_.frames())
{
    if (frames_.empty())
        throw FileError(
            fmt::format("No frame of '{}' exists. (In a shell, quote the name: '$F4' is a variable "
                        "otherwise.)",
                        this->path()));
}

void SequenceInput::use_topology(const std::string& path)
{
    if (!path.empty()) topology_ = SequenceInput(path).read(frames_.front());
}

Geometry SequenceInput::read(double frame) const
{
    const auto after = std::upper_bound(frames_.begin(), frames_.end(), frame);
    const double nearest = after == frames_.begin() ? frames_.front() : *(after - 1);
    Geometry pose = files_.read(nearest);
    if (!topology_) return pose;
    if (pose.point_count() != topology_->point_count())
        throw InputError(fmt::format("'{}' has {} points but the --topology {}. Give the file "
                                     "that the points were made from.",
                                     files_.file_name(nearest), pose.point_count(),
                                     topology_->point_count()));
    Geometry whole = *topology_;
    whole.set_positions(pose.positions());
    return whole;
}

std::string SequenceInput::name() const
{
    const std::string file = std::filesystem::path(path()).filename().string();
    return file.substr(0, file.find('.'));
}

} // namespace selvage::cli
