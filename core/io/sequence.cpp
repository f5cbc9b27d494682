#include "core/io/sequence.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>

namespace selvage
{
namespace
{

/// Where the frame number stands and how many digits it has at least.
struct Place {
    std::size_t at = std::string::npos, length = 0;
    int digits = 1;
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// "F", "FF", "F4" at `at`; its length, or 0.
std::size_t variable_length(const std::string& path, std::size_t at, int& digits)
{
    if (at >= path.size() || path[at] != 'F') return 0;
    std::size_t end = at + 1;
    if (end < path.size() && path[end] == 'F')
        ++end;
    else if (end < path.size() && is_digit(path[end]))
        digits = path[end++] - '0';
    return end - at;
}

Place find_place(const std::string& path, std::size_t from = 0)
{
    for (std::size_t i = from; i < path.size(); ++i) {
        Place p;
        p.at = i;
        if (path[i] == '$') {
            const bool braces = i + 1 < path.size() && path[i + 1] == '{';
            const std::size_t start = i + 1 + (braces ? 1 : 0);
            const std::size_t n = variable_length(path, start, p.digits);
            const std::size_t end = start + n;
            if (n == 0) continue;
            if (braces ? end < path.size() && path[end] == '}'
                       : end >= path.size() || !is_word(path[end]) || is_digit(path[end - 1])) {
                p.length = end + (braces ? 1 : 0) - i;
                return p;
            }
        } else if (path[i] == '%') {
            std::size_t end = i + 1;
            int digits = 0;
            while (end < path.size() && is_digit(path[end]) && end - i < 4)
                digits = 10 * digits + (path[end++] - '0');
            if (end < path.size() && path[end] == 'd') {
                p.length = end + 1 - i;
                p.digits = digits;
                return p;
            }
        }
    }
    return {};
}

std::string frame_text(double frame, int digits)
{
    frame = std::round(frame * 1e6) / 1e6; // sub-frames come from sums of fractions
    const double whole = std::trunc(frame);
    std::string text = std::to_string(std::llabs(std::llround(whole)));
    const bool negative = frame < 0;
    const std::size_t width = std::size_t(std::max(digits - (negative ? 1 : 0), 1));
    if (text.size() < width) text.insert(0, width - text.size(), '0');
    if (negative) text.insert(0, "-");
    const double fraction = std::abs(frame - whole);
    if (fraction > 5e-7) {
        std::string decimals = std::to_string(fraction).substr(1); // ".250000"
        while (decimals.back() == '0') decimals.pop_back();
        text += decimals;
    }
    return text;
}

} // namespace

bool is_sequence(const std::string& path) { return find_place(path).at != std::string::npos; }

std::string frame_path(const std::string& sequence, double frame)
{
    std::string path = sequence;
    for (Place p = find_place(path); p.at != std::string::npos;) {
        const std::string text = frame_text(frame, p.digits);
        path.replace(p.at, p.length, text);
        p = find_place(path, p.at + text.size());
    }
    return path;
}

std::vector<double> existing_frames(const std::string& sequence)
{
    const std::filesystem::path pattern(sequence);
    const std::string name = pattern.filename().string();
    const Place p = find_place(name);
    std::vector<double> frames;
    if (p.at == std::string::npos) return frames;
    const auto folder = pattern.parent_path().empty() ? "." : pattern.parent_path();
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        const std::string file = entry.path().filename().string();
        if (file.compare(0, p.at, name, 0, p.at) != 0) continue;
        // Longest number first: "0012.25" and not "0012".
        double frame = 0;
        const char* first = file.data() + p.at;
        const char* last = file.data() + file.size();
        const char* end = std::from_chars(first, last, frame, std::chars_format::fixed).ptr;
        if (end == first) continue;
        if (frame_path(name, frame) != file) {
            long long whole = 0;
            std::from_chars(first, last, whole);
            frame = double(whole);
        }
        if (frame_path(name, frame) == file) frames.push_back(frame);
    }
    std::sort(frames.begin(), frames.end());
    return frames;
}

} // namespace selvage
