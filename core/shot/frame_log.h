#pragma once

#include "core/session/frame_report.h"

#include <fstream>
#include <string>

namespace selvage
{

/// The file behind `--log`: one JSON object per line and frame, complete after every frame.
class FrameLog
{
public:
    /// An empty path logs nothing. Opens the file without changing what is in it, so that a place
    /// that cannot be written is a FileError before anything else has happened; so is a file that
    /// holds something else than a log.
    explicit FrameLog(std::string path);

    /// Keeps the lines of frames up to `last` and drops all others: those of frames that will be
    /// simulated again, and one that was cut short.
    void keep_until(int last);
    /// Throws FileError where the line does not reach the file (a full disk).
    void add(const FrameReport& report);

private:
    void open(std::ios::openmode mode);

    std::string path_;
    std::ofstream out_;
};

} // namespace selvage
