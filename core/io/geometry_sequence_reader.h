#pragma once

#include "core/geometry/geometry.h"

#include <memory>
#include <string>
#include <vector>

namespace selvage
{

class PointCacheReader;

/// Geometry over time as a path names it: one file, one file per frame ($F, $F4, %04d), or a point
/// cache (.pc2), whose frames are points without polygons. Files are read when asked for.
class GeometrySequenceReader
{
public:
    explicit GeometrySequenceReader(std::string path);
    ~GeometrySequenceReader();
    GeometrySequenceReader(GeometrySequenceReader&&) noexcept;

    const std::string& path() const { return path_; }
    /// False for one file with one pose.
    bool animated() const { return numbered_ || cache_file_; }
    /// Whether fractional frames can be read as well: a point cache interpolates its samples.
    bool has_subframes() const { return cache_file_; }
    /// Frames that exist, in order; {0} for a single file.
    std::vector<double> frames() const;
    /// Throws FileError where there is no such frame, InputError where it is damaged; both name the
    /// file.
    Geometry read(double frame) const;
    /// The file that holds a frame, without its folder.
    std::string file_name(double frame) const;

private:
    const PointCacheReader& cache() const;

    std::string path_;
    bool numbered_, cache_file_;
    mutable std::unique_ptr<PointCacheReader> cache_; ///< opened when first needed
};

} // namespace selvage
