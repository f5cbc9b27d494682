#include "core/io/geometry_sequence_reader.h"

#include "core/io/geometry_file.h"
#include "core/io/pc2.h"
#include "core/io/sequence.h"

#include <filesystem>

namespace selvage
{

GeometrySequenceReader::GeometrySequenceReader(std::string path)
    : path_(std::move(path)),
      numbered_(is_sequence(path_)),
      cache_file_(!numbered_ && std::filesystem::path(path_).extension() == ".pc2")
{
}

GeometrySequenceReader::~GeometrySequenceReader() = default;
GeometrySequenceReader::GeometrySequenceReader(GeometrySequenceReader&&) noexcept = default;

const PointCacheReader& GeometrySequenceReader::cache() const
{
    if (!cache_) cache_ = std::make_unique<PointCacheReader>(path_);
    return *cache_;
}

std::vector<double> GeometrySequenceReader::frames() const
{
    if (cache_file_) return cache().frames();
    if (numbered_) return existing_frames(path_);
    return {0};
}

Geometry GeometrySequenceReader::read(double frame) const
{
    if (!cache_file_) return read_geometry(frame_path(path_, frame));
    const VecX x = cache().at(frame);
    Geometry points;
    points.set_point_count(std::size_t(x.size() / 3));
    points.set_positions(x);
    return points;
}

std::string GeometrySequenceReader::file_name(double frame) const
{
    return std::filesystem::path(frame_path(path_, frame)).filename().string();
}

} // namespace selvage
