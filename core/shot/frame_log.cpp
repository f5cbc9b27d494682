#include "core/shot/frame_log.h"

#include "core/base/error.h"
#include "core/io/atomic_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <sstream>

namespace selvage
{
namespace
{

namespace fs = std::filesystem;

/// The frame of a line as we write it; the largest number where it is none of ours.
int frame_of(const std::string& line)
{
    const auto json = nlohmann::json::parse(line, nullptr, /*allow_exceptions*/ false);
    if (!json.is_object() || !json.contains("frame") || !json["frame"].is_number_integer())
        return std::numeric_limits<int>::max();
    return json["frame"].get<int>();
}

/// Empty, or begun as we begin a line (which may be cut short).
bool may_be_log(const std::string& content)
{
    const std::string begin = "{\"frame\":";
    return content.compare(0, begin.size(), begin, 0, std::min(content.size(), begin.size())) == 0;
}

} // namespace

FrameLog::FrameLog(std::string path) : path_(std::move(path))
{
    if (path_.empty()) return;
    const fs::path folder = fs::path(path_).parent_path();
    std::error_code error;
    if (!folder.empty()) fs::create_directories(folder, error);
    if (error && !fs::is_directory(folder))
        throw FileError(fmt::format("Cannot write the log file '{}': the folder '{}' cannot be "
                                    "made ({}). Choose another place for --log.",
                                    path_, folder.string(), error.message()));
    if (fs::is_regular_file(path_) && !may_be_log(read_file(path_)))
        throw FileError(fmt::format("The log file '{}' exists and holds something else than a "
                                    "log. Choose another place for --log, or remove it.",
                                    path_));
    open(std::ios::app);
}

void FrameLog::open(std::ios::openmode mode)
{
    errno = 0;
    out_.open(path_, mode);
    if (!out_)
        throw FileError(
            fmt::format("Cannot write the log file '{}': {}. Choose another place for --log.",
                        path_, errno ? std::strerror(errno) : "it cannot be opened"));
}

void FrameLog::keep_until(int last)
{
    if (path_.empty() || !fs::is_regular_file(path_)) return; // a pipe has nothing to keep
    std::istringstream old(read_file(path_));
    std::string kept;
    for (std::string line; std::getline(old, line);)
        if (frame_of(line) <= last) kept += line + '\n';
    if (kept == old.str()) return;
    out_.close();
    if (!kept.empty()) write_file(fs::canonical(path_).string(), kept);
    open(kept.empty() ? std::ios::trunc : std::ios::app);
}

void FrameLog::add(const FrameReport& report)
{
    if (path_.empty()) return;
    errno = 0;
    out_ << report.json() << std::endl;
    if (!out_)
        throw FileError(fmt::format("Cannot write frame {} to the log file '{}': {}. Finished "
                                    "frames are kept; make room and go on with --resume.",
                                    report.frame, path_,
                                    errno ? std::strerror(errno) : "writing failed"));
}

} // namespace selvage
