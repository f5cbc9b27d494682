#include "core/solver/step_report.h"

namespace selvage
{

const char* status_name(StepStatus status)
{
    constexpr const char* names[] = {"converged", "not_converged", "cancelled",
                                     "starts_intersecting", "linear_solve_failed"};
    return names[int(status)];
}

TimeSplit& TimeSplit::operator+=(const TimeSplit& other)
{
    assembly += other.assembly;
    linear += other.linear;
    line_search += other.line_search;
    total += other.total;
    return *this;
}

} // namespace selvage
