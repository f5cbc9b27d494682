#pragma once

#include "core/base/log.h"
#include "core/session/frame_report.h"

#include <chrono>
#include <string>

namespace selvage::cli
{

/// How progress is shown: a bar on a terminal, plain lines elsewhere, or what farms parse.
enum class ProgressStyle { bar, plain, alf, none };

/// "auto", "bar", "plain", "alf", "none"; auto looks whether stderr is a terminal.
ProgressStyle progress_style(const std::string& name);

/// Progress and messages on stderr; a message never tears the bar.
class Terminal final : public LogSink
{
public:
    Terminal(ProgressStyle style, int first, int last);
    ~Terminal() override;

    void message(Severity severity, const std::string& text) override;
    void frame_done(const FrameReport& report);

private:
    void draw_bar(const FrameReport& report);
    void clear_bar();

    ProgressStyle style_;
    int first_, last_;
    int finished_ = 0;
    bool bar_shown_ = false;
    std::chrono::steady_clock::time_point start_;
};

/// "1:05", "2:03:10".
std::string duration_text(double seconds);

} // namespace selvage::cli
