#include "core/io/pc2.h"

#include "core/base/error.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <sstream>

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

struct Header {
    std::size_t points = 0, samples = 0;
    double start = 0, step = 1;
    std::size_t sample_size() const { return points * 12; }
};

/// Checked against the size of the file.
Header read_header(std::string_view bytes, std::uint64_t file_size)
{
    if (bytes.size() < header_size || bytes.substr(0, 12) != magic)
        throw InputError("This is not a PointCache2 file, or it is cut short.");
    if (load<std::int32_t>(bytes, 12) != 1)
        throw InputError("The point cache has version " +
                         std::to_string(load<std::int32_t>(bytes, 12)) + " instead of 1.");
    const auto points = load<std::int32_t>(bytes, 16), samples = load<std::int32_t>(bytes, 28);
    Header h;
    h.start = load<float>(bytes, 20);
    h.step = load<float>(bytes, 24);
    if (points < 0 || samples < 0 || !std::isfinite(h.start) || !std::isfinite(h.step))
        throw InputError("The header of the point cache is damaged.");
    h.points = std::size_t(points);
    h.samples = std::size_t(samples);
    // Samples without points take no bytes: then the count is not vouched for by the file.
    if (points == 0 ? samples > 1000000 : h.samples > (file_size - header_size) / h.sample_size())
        throw InputError("The point cache is cut short: it should hold " + std::to_string(samples) +
                         " samples of " + std::to_string(points) + " points.");
    return h;
}

} // namespace

PointCache read_pc2(std::string_view bytes)
{
    const Header h = read_header(bytes.substr(0, header_size), bytes.size());
    PointCache cache;
    cache.point_count = h.points;
    cache.start = h.start;
    cache.step = h.step;
    if (h.points == 0) return cache;
    cache.samples.resize(h.samples);
    for (std::size_t i = 0; i < cache.samples.size(); ++i) {
        cache.samples[i].resize(3 * cache.point_count);
        std::memcpy(cache.samples[i].data(), bytes.data() + header_size + i * h.sample_size(),
                    h.sample_size());
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

PointCacheReader::PointCacheReader(std::string path) : path_(std::move(path))
{
    std::error_code error;
    const std::uint64_t size = std::filesystem::file_size(path_, error);
    file_.open(path_, std::ios::binary);
    if (error || !file_)
        throw FileError("Cannot read '" + path_ +
                        "': " + (error ? error.message() : "it cannot be opened") + ".");
    std::string bytes(header_size, '\0');
    file_.read(bytes.data(), header_size);
    bytes.resize(std::size_t(file_.gcount()));
    try {
        const Header h = read_header(bytes, size);
        if (h.samples == 0 || h.points == 0) throw InputError("The point cache is empty.");
        if (h.samples > 1 && !(h.step > 0))
            throw InputError("The step between the samples of the point cache is not positive.");
        point_count_ = h.points;
        samples_ = h.samples;
        start_ = h.start;
        step_ = h.step;
    } catch (const InputError& e) {
        throw InputError(path_ + ": " + e.what());
    }
}

std::vector<double> PointCacheReader::frames() const
{
    std::vector<double> frames;
    for (std::size_t i = 0; i < samples_; ++i) frames.push_back(start_ + step_ * double(i));
    return frames;
}

VecX PointCacheReader::sample(std::size_t i) const
{
    Eigen::VectorXf x(3 * Eigen::Index(point_count_));
    const auto bytes = std::streamsize(point_count_ * 12);
    file_.clear();
    file_.seekg(std::streamoff(header_size) + std::streamoff(i) * bytes);
    file_.read(reinterpret_cast<char*>(x.data()), bytes);
    if (file_.gcount() != bytes) throw FileError("Cannot read '" + path_ + "': it was cut short.");
    return x.cast<double>();
}

VecX PointCacheReader::at(double frame) const
{
    if (samples_ == 1) return sample(0);
    const double place = (frame - start_) / step_, last = double(samples_ - 1);
    if (!(place > -1e-6 && place < last + 1e-6)) {
        std::ostringstream text;
        text << "'" << path_ << "' has frames " << start_ << " to " << start_ + step_ * last
             << ", not " << frame << ".";
        throw FileError(text.str());
    }
    const double nearest = std::round(place);
    if (std::abs(place - nearest) < 1e-6) return sample(std::size_t(nearest));
    const auto before = std::size_t(place);
    const VecX a = sample(before);
    return a + (place - double(before)) * (sample(before + 1) - a);
}

PointCacheWriter::PointCacheWriter(const std::string& path, std::size_t point_count)
    : file_(path), path_(path), point_count_(point_count)
{
    file_.write(header(point_count, start_, step_, 0));
}

void PointCacheWriter::add(double frame, const VecX& positions)
{
    const auto fail = [&](const std::string& how) {
        std::ostringstream text;
        text << "Point cache '" << path_ << "': frame " << frame << " " << how << ".";
        throw InputError(text.str());
    };
    if (std::size_t(positions.size()) != 3 * point_count_)
        fail("has " + std::to_string(positions.size() / 3) + " points instead of " +
             std::to_string(point_count_));
    if (samples_ == 0) start_ = frame;
    if (samples_ == 1) step_ = frame - start_;
    const double expected = start_ + step_ * double(samples_);
    if (std::abs(frame - expected) > 1e-6) {
        std::ostringstream how;
        how << "comes where frame " << expected
            << " should: .pc2 holds frames at even steps. Add what is missing, or write .bgeo.sc "
               "or .usda";
        fail(how.str());
    }
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
