#include "core/io/usda_samples.h"

#include "core/base/error.h"
#include "core/io/atomic_file.h"

#include <charconv>
#include <cmath>

namespace selvage
{
namespace
{

template <class T> void append_shortest(std::string& out, T value)
{
    if (std::isnan(value)) {
        out += "nan";
        return;
    }
    char buffer[40];
    out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

} // namespace

void append_usd_number(std::string& out, double value) { append_shortest(out, value); }
void append_usd_number(std::string& out, float value) { append_shortest(out, value); }

UsdaSamples::UsdaSamples(std::string declaration, std::string metadata)
    : declaration_(std::move(declaration)), metadata_(std::move(metadata))
{
}

UsdaSamples::~UsdaSamples()
{
    if (file_) std::fclose(file_);
}

void UsdaSamples::spool(double frame, const std::string& value)
{
    if (!file_) file_ = std::tmpfile();
    std::string line = "            ";
    append_usd_number(line, frame);
    line += ": " + value + ",\n";
    if (!file_ || std::fwrite(line.data(), 1, line.size(), file_) != line.size())
        throw FileError("Cannot write a temporary file for the USD samples of '" + declaration_ +
                        "': is the disk of the temporary folder full?");
    spooled_frame_ = frame;
}

void UsdaSamples::add(double frame, std::string value)
{
    if (count_ > 0 && value == last_value_) {
        last_frame_ = frame;
        return;
    }
    if (count_ > 0 && spooled_frame_ != last_frame_) spool(last_frame_, last_value_);
    spool(frame, value);
    ++count_;
    last_frame_ = frame;
    last_value_ = std::move(value);
}

void UsdaSamples::write(AtomicFile& out)
{
    if (count_ == 0) return;
    if (count_ == 1) {
        out.write("        " + declaration_ + " = " + last_value_ + metadata_ + "\n");
        return;
    }
    if (spooled_frame_ != last_frame_) spool(last_frame_, last_value_);
    if (!metadata_.empty()) out.write("        " + declaration_ + metadata_ + "\n");
    out.write("        " + declaration_ + ".timeSamples = {\n");
    std::rewind(file_);
    std::string block(std::size_t(1) << 18, '\0');
    for (;;) {
        const std::size_t n = std::fread(block.data(), 1, block.size(), file_);
        if (n == 0) break;
        out.write({block.data(), n});
    }
    if (std::ferror(file_)) throw FileError("Cannot read back the USD samples.");
    out.write("        }\n");
}

} // namespace selvage
