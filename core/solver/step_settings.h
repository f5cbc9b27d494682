#pragma once

#include <string>

namespace selvage
{

enum class Integrator { bdf1, bdf2 };

/// How a step is taken; nothing here changes what is simulated.
struct StepSettings {
    Integrator integrator = Integrator::bdf1;
    /// Newton stops once its direction is slower than tolerance × bounding-box diagonal per second.
    /// 1e-2 is right for pictures; 1e-3 for measurements. Smaller costs one to three more
    /// iterations per decade.
    double tolerance = 1e-2;
    int max_iterations = 300;    ///< reported as not_converged when reached; the step is still used
    std::string linear = "auto"; ///< auto, pardiso, cholmod, ldlt, pcg
    /// Relative residual of iterative linear solves.
    double linear_tolerance = 1e-3;
    int linear_max_iterations = 3000;
    /// Newton iterations, of all kinds, after which the step ends with the state it has; 0: none.
    int budget_iterations = 0;
    /// [s] The same by the clock: results then depend on the machine. 0: none.
    double budget_seconds = 0;
};

} // namespace selvage
