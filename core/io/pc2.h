#pragma once

#include "core/base/types.h"
#include "core/io/atomic_file.h"

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

/// Writes one sample at a time, so that a long shot need not be in memory. The file appears with
/// finish().
class PointCacheWriter
{
public:
    PointCacheWriter(const std::string& path, std::size_t point_count, double start, double step);
    void add(const VecX& positions); ///< 3 * point_count numbers
    void finish();

private:
    AtomicFile file_;
    std::string path_;
    std::size_t point_count_;
    double start_, step_;
    std::size_t samples_ = 0;
};

} // namespace selvage
