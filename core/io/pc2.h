#pragma once

#include "core/base/types.h"
#include "core/io/atomic_file.h"

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace selvage
{

/// PointCache2, read by Blender's Mesh Cache modifier: positions of the same points over time,
/// 32-bit reals. Sample i is at frame start + i * step.
struct PointCache {
    std::size_t point_count = 0;
    double start = 1; ///< frame of the first sample
    double step = 1;  ///< frames between samples
    std::vector<std::vector<float>> samples;
};

/// A file longer than its header says is accepted, a shorter one is an InputError; memory stays
/// below 2 times the size of the file plus 1 MiB.
PointCache read_pc2(std::string_view bytes);
std::string write_pc2(const PointCache& cache);

/// Reads one sample at a time, so that a long cache need not be in memory. Errors name the file.
class PointCacheReader
{
public:
    explicit PointCacheReader(std::string path);
    /// Frames of the samples, in order.
    std::vector<double> frames() const;
    /// Positions at a frame, between samples interpolated linearly; a cache of one sample stands
    /// still, any other is a FileError outside of its frames.
    VecX at(double frame) const;

private:
    VecX sample(std::size_t i) const;

    std::string path_;
    mutable std::ifstream file_;
    std::size_t point_count_ = 0, samples_ = 0;
    double start_ = 0, step_ = 1;
};

/// Writes one sample at a time, so that a long shot need not be in memory. The file appears with
/// finish().
class PointCacheWriter
{
public:
    PointCacheWriter(const std::string& path, std::size_t point_count);
    /// 3 * point_count numbers. The first two samples tell where the cache starts and its step; an
    /// InputError where a later one leaves a gap, which the format cannot hold.
    void add(double frame, const VecX& positions);
    void finish();

private:
    AtomicFile file_;
    std::string path_;
    std::size_t point_count_;
    double start_ = 0, step_ = 1;
    std::size_t samples_ = 0;
};

} // namespace selvage
