#include "core/solver/step_report.h"

namespace selvage
{

const char* status_name(StepStatus status)
{
    constexpr const char* names[] = {"converged", "out_of_budget",       "not_converged",
                                     "cancelled", "starts_intersecting", "linear_solve_failed"};
    return names[int(status)];
}

TimeSplit& TimeSplit::operator+=(const TimeSplit& other)
{
    assembly += other.assembly;
    linear += other.linear;
    broad_phase += other.broad_phase;
    ccd += other.ccd;
    line_search += other.line_search;
    total += other.total;
    return *this;
}

void StepReport::add(const StepReport& next)
{
    const StepReport before = *this;
    *this = next;
    iterations += before.iterations;
    linear_iterations += before.linear_iterations;
    backtracks += before.backtracks;
    seconds += before.seconds;
}

} // namespace selvage
