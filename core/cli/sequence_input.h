#pragma once

#include "core/geometry/geometry.h"

#include <string>
#include <vector>

namespace selvage::cli
{

/// A geometry argument: one file, or a sequence over frames. Files are read when asked for.
class SequenceInput
{
public:
    /// Throws FileError where nothing of that name exists.
    explicit SequenceInput(std::string path);

    const std::string& path() const { return path_; }
    bool is_sequence() const { return sequence_; }
    /// Existing frames of a sequence; {0} for a single file.
    const std::vector<double>& frames() const { return frames_; }
    /// The frame's file; for a sequence that lacks the frame, the nearest one before it.
    Geometry read(double frame) const;
    /// "cape" for "sim/cape.$F4.bgeo.sc".
    std::string name() const;

private:
    std::string path_;
    bool sequence_;
    std::vector<double> frames_;
};

} // namespace selvage::cli
