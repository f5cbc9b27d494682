#include "core/io/usda_samples.h"

#include "core/base/error.h"
#include "core/io/atomic_file.h"

#include <unistd.h>

#include <charconv>
#include <cmath>
#include <cstdlib>

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

UsdaSamples::UsdaSamples(std::string folder, std::string declaration, std::string metadata)
    : folder_(std::move(folder)),
      declaration_(std::move(declaration)),
      metadata_(std::move(metadata))
{
}

UsdaSamples::~UsdaSamples()
{
    if (file_) std::fclose(file_);
}

/// Without a name from the start, so that nothing is left behind whatever happens.
void UsdaSamples::open()
{
    std::string name = folder_ + "/.selvage-usd-XXXXXX";
    const int file = ::mkstemp(name.data());
    if (file >= 0) {
        ::unlink(name.c_str());
        file_ = ::fdopen(file, "w+b");
    }
    if (!file_) throw FileError("Cannot create a temporary file in '" + folder_ + "'.");
}

void UsdaSamples::spool(double frame, const std::string& value)
{
    if (!file_) open();
    std::string line = "            ";
    append_usd_number(line, frame);
    line += ": " + value + ",\n";
    if (std::fwrite(line.data(), 1, line.size(), file_) != line.size())
        throw FileError("Cannot write the USD samples of '" + declaration_ + "' in '" + folder_ +
                        "': is the disk full?");
    spooled_frame_ = frame;
}

void UsdaSamples::add(double frame, std::string value)
{
    if (count_ == 0) {
        first_frame_ = frame;
    } else if (value == last_value_) {
        last_frame_ = frame;
        return;
    } else {
        if (count_ == 1) spool(first_frame_, last_value_);
        if (spooled_frame_ != last_frame_) spool(last_frame_, last_value_);
        spool(frame, value);
    }
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
    if (std::fflush(file_) != 0)
        throw FileError("Cannot write the USD samples in '" + folder_ + "': is the disk full?");
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
