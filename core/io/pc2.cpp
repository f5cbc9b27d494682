#include "core/io/pc2.h"

#include "core/base/error.h"

#include <cmath>
#include <cstring>

namespace selvage
{
namespace
{

/// "POINTCACHE2\0", i32 version, i32 points, f32 start, f32 step, i32 samples.
constexpr std::string_view magic("POINTCACHE2\0", 12);
constexpr std::size_t header_size = 32;

template <class T> T load(std::string_view bytes, std::size_t at)
{
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof(T));
    return value;
}

template <class T> void put(std::string& out, T value)
{
    out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

std::string header(std::size_t points, double start, double step, std::size_t samples)
{
    std::string out(magic);
    put(out, std::int32_t(1));
    put(out, std::int32_t(points));
    put(out, float(start));
    put(out, float(step));
    put(out, std::int32_t(samples));
    return out;
}

} // namespace

PointCache read_pc2(std::string_view bytes)
{
    if (bytes.size() < header_size || bytes.substr(0, 12) != magic)
        throw InputError("This is not a PointCache2 file, or it is cut short.");
    if (load<std::int32_t>(bytes, 12) != 1)
        throw InputError("The point cache has version " +
                         std::to_string(load<std::int32_t>(bytes, 12)) + " instead of 1.");
    const auto points = load<std::int32_t>(bytes, 16), samples = load<std::int32_t>(bytes, 28);
    const float start = load<float>(bytes, 20), step = load<float>(bytes, 24);
    if (points < 0 || samples < 0 || !std::isfinite(start) || !std::isfinite(step))
        throw InputError("The header of the point cache is damaged.");
    const std::size_t sample_size = std::size_t(points) * 12;
    const std::size_t content = bytes.size() - header_size;
    // Samples without points take no bytes: then the count is not vouched for by the file.
    if (points == 0 ? samples > 1000000 : std::size_t(samples) > content / sample_size)
        throw InputError("The point cache is cut short: it should hold " + std::to_string(samples) +
                         " samples of " + std::to_string(points) + " points.");
    PointCache cache;
    cache.point_count = std::size_t(points);
    cache.start = start;
    cache.step = step;
    if (points == 0) return cache;
    cache.samples.resize(std::size_t(samples));
    for (std::size_t i = 0; i < cache.samples.size(); ++i) {
        cache.samples[i].resize(3 * cache.point_count);
        std::memcpy(cache.samples[i].data(), bytes.data() + header_size + i * sample_size,
                    sample_size);
    }
    return cache;
}

std::string write_pc2(const PointCache& cache)
{
    std::string out = header(cache.point_count, cache.start, cache.step, cache.samples.size());
    for (const auto& sample : cache.samples) {
        if (sample.size() != 3 * cache.point_count)
            throw InputError("A sample of the point cache has the wrong number of points.");
        out.append(reinterpret_cast<const char*>(sample.data()), sample.size() * sizeof(float));
    }
    return out;
}

PointCacheWriter::PointCacheWriter(const std::string& path, std::size_t point_count, double start,
                                   double step)
    : file_(path), path_(path), point_count_(point_count), start_(start), step_(step)
{
    file_.write(header(point_count, start, step, 0));
}

void PointCacheWriter::add(const VecX& positions)
{
    if (std::size_t(positions.size()) != 3 * point_count_)
        throw InputError("Point cache '" + path_ + "': frame " +
                         std::to_string(start_ + step_ * double(samples_)) + " has " +
                         std::to_string(positions.size() / 3) + " points instead of " +
                         std::to_string(point_count_) + ".");
    const Eigen::VectorXf rounded = positions.cast<float>();
    file_.write({reinterpret_cast<const char*>(rounded.data()),
                 std::size_t(rounded.size()) * sizeof(float)});
    ++samples_;
}

void PointCacheWriter::finish()
{
    file_.write_at(0, header(point_count_, start_, step_, samples_));
    file_.commit();
}

} // namespace selvage
