#pragma once

#include "core/io/geometry_sequence_reader.h"

#include <optional>
#include <string>
#include <vector>

namespace selvage::cli
{

/// A geometry argument: one file, or a sequence over frames (a file per frame, or a point cache).
/// Files are read when asked for.
class SequenceInput
{
public:
    /// Throws FileError where nothing of that name exists.
    explicit SequenceInput(std::string path);
    /// Takes polygons, attributes and groups from this file and only the positions from the
    /// sequence: point caches have no more. An empty path changes nothing.
    void use_topology(const std::string& path);

    const std::string& path() const { return files_.path(); }
    bool is_sequence() const { return files_.animated(); }
    /// Existing frames of a sequence; {0} for a single file.
    const std::vector<double>& frames() const { return frames_; }
    /// The frame's file; for a sequence that lacks the frame, the nearest one before it.
    Geometry read(double frame) const;
    /// "cape" for "sim/cape.$F4.bgeo.sc".
    std::string name() const;

private:
    GeometrySequenceReader files_;
    std::vector<double> frames_;
    std::optional<Geometry> topology_;
};

} // namespace selvage::cli
