#pragma once

#include <chrono>

namespace selvage
{

using Clock = std::chrono::steady_clock;

/// [s]
inline double seconds_since(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Adds the time until it goes out of scope; figures for reports only, nothing is decided by them.
class Stopwatch
{
public:
    explicit Stopwatch(double& sum) : sum_(sum), start_(Clock::now()) {}
    ~Stopwatch() { sum_ += seconds_since(start_); }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

private:
    double& sum_;
    Clock::time_point start_;
};

} // namespace selvage
