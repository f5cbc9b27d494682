#pragma once

#include <cstdio>
#include <string>

namespace selvage
{

class AtomicFile;

/// The values of one USD attribute over time, kept in an unnamed file in the folder of the output:
/// USD text groups samples by attribute, a simulation delivers them by frame. Runs of equal values
/// keep their first and last sample (USD interpolates between samples), a value that never changes
/// is a default.
class UsdaSamples
{
public:
    /// declaration: "point3f[] points"; metadata: what follows the value, " (...)" or "".
    UsdaSamples(std::string folder, std::string declaration, std::string metadata);
    ~UsdaSamples();
    UsdaSamples(const UsdaSamples&) = delete;
    UsdaSamples& operator=(const UsdaSamples&) = delete;

    void add(double frame, std::string value);
    void write(AtomicFile& out);

private:
    void open();
    void spool(double frame, const std::string& value);

    std::string folder_, declaration_, metadata_;
    std::string last_value_;
    double first_frame_ = 0, last_frame_ = 0, spooled_frame_ = 0;
    std::size_t count_ = 0; // distinct samples
    std::FILE* file_ = nullptr;
};

/// Shortest digits, as USD reads them.
void append_usd_number(std::string& out, double value);
void append_usd_number(std::string& out, float value);

} // namespace selvage
