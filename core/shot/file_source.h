#pragma once

#include "core/io/geometry_sequence_reader.h"
#include "core/session/geometry_source.h"

#include <memory>
#include <string>

namespace selvage
{

/// Geometry from a file, from one file per frame when the name has $F, $F4 or %04d in it, or from a
/// point cache (.pc2: positions only).
class FileSource final : public GeometrySource
{
public:
    explicit FileSource(std::string path);

    std::shared_ptr<const Geometry> at(double frame) override;
    bool animated() const override { return files_.animated(); }
    bool has_subframes() const override { return files_.has_subframes(); }
    std::string describe(double frame) const override;

private:
    GeometrySequenceReader files_;
    // The two files used last: a step interpolates between neighbouring frames.
    struct Loaded {
        double frame = 0;
        std::shared_ptr<const Geometry> geometry;
    };
    Loaded recent_[2];
    int next_ = 0;
};

} // namespace selvage
