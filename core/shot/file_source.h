#pragma once

#include "core/session/geometry_source.h"

#include <memory>
#include <string>

namespace selvage
{

/// Geometry from a file, or from one file per frame when the name has $F, $F4 or %04d in it.
class FileSource final : public GeometrySource
{
public:
    explicit FileSource(std::string path);

    std::shared_ptr<const Geometry> at(double frame) override;
    bool animated() const override { return animated_; }
    std::string describe(double frame) const override;

private:
    std::string path_;
    bool animated_;
    // The two files used last: a step interpolates between neighbouring frames.
    struct Loaded {
        double frame = 0;
        std::shared_ptr<const Geometry> geometry;
    };
    Loaded recent_[2];
    int next_ = 0;
};

} // namespace selvage
