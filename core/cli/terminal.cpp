#include "core/cli/terminal.h"

#include <fmt/format.h>

#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>

namespace selvage::cli
{
namespace
{

int terminal_width()
{
    winsize size{};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
    return size.ws_col;
}

void put(const std::string& text)
{
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

} // namespace

ProgressStyle progress_style(const std::string& name)
{
    if (name == "bar") return ProgressStyle::bar;
    if (name == "plain") return ProgressStyle::plain;
    if (name == "alf") return ProgressStyle::alf;
    if (name == "none") return ProgressStyle::none;
    return isatty(STDERR_FILENO) ? ProgressStyle::bar : ProgressStyle::plain;
}

std::string duration_text(double seconds)
{
    const long s = long(seconds + 0.5);
    return s < 3600 ? fmt::format("{}:{:02}", s / 60, s % 60)
                    : fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

Terminal::Terminal(ProgressStyle style, int first, int last)
    : style_(style), first_(first), last_(last), start_(std::chrono::steady_clock::now())
{
}

Terminal::~Terminal()
{
    if (bar_shown_) put("\n");
}

void Terminal::clear_bar()
{
    if (bar_shown_) put("\r\033[K");
    bar_shown_ = false;
}

void Terminal::message(Severity severity, const std::string& text)
{
    constexpr const char* prefix[] = {"", "warning: ", "error: "};
    clear_bar();
    put(fmt::format("{}{}\n", prefix[int(severity)], text));
}

void Terminal::draw_bar(const FrameReport& r)
{
    const double elapsed =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    const int left = last_ - r.frame;
    const std::string eta = finished_ ? duration_text(elapsed / finished_ * left) : "?";
    const std::string figures =
        fmt::format(" frame {}/{}  ETA {}  {} it  {} contacts  strain {:.1f} %", r.frame, last_,
                    eta, r.iterations, r.contacts, 100 * r.max_strain);
    const int width = std::max(8, std::min(40, terminal_width() - int(figures.size()) - 3));
    const int full = last_ > first_ ? width * (r.frame - first_) / (last_ - first_) : width;
    std::string bar;
    for (int i = 0; i < width; ++i) bar += i < full ? "█" : "░";
    put("\r\033[K" + bar + figures);
    bar_shown_ = true;
}

void Terminal::frame_done(const FrameReport& r)
{
    ++finished_;
    switch (style_) {
    case ProgressStyle::bar: draw_bar(r); break;
    case ProgressStyle::plain:
        put(fmt::format("frame {}/{}  {:.2f} s  {} iterations  {} contacts  strain {:.2f} %  {}\n",
                        r.frame, last_, r.seconds.total, r.iterations, r.contacts,
                        100 * r.max_strain, status_name(r.status)));
        break;
    case ProgressStyle::alf:
        std::printf("ALF_PROGRESS %d%%\n",
                    last_ > first_ ? 100 * (r.frame - first_) / (last_ - first_) : 100);
        std::fflush(stdout);
        break;
    case ProgressStyle::none: break;
    }
}

} // namespace selvage::cli
