#pragma once

#include "core/solver/step_settings.h"

#include <chrono>

namespace selvage
{

/// What a step may cost; once it is spent, the best state so far is taken. Only a budget of seconds
/// makes results depend on the machine.
class Budget
{
public:
    explicit Budget(const StepSettings& settings)
        : iterations_(settings.budget_iterations), seconds_(settings.budget_seconds)
    {
    }

    void count_iteration() { ++used_; }
    bool spent() const
    {
        if (iterations_ > 0 && used_ >= iterations_) return true;
        // One iteration at least, or nothing would ever move.
        return seconds_ > 0 && used_ > 0 &&
               std::chrono::steady_clock::now() - start_ >= std::chrono::duration<double>(seconds_);
    }
    int used() const { return used_; }

private:
    int iterations_, used_ = 0;
    double seconds_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

} // namespace selvage
