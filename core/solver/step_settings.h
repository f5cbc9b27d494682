#pragma once

#include <string>

namespace selvage
{

enum class Integrator { bdf1, bdf2 };

/// How strands push each other, see hair_contact.h.
enum class HairContact { none, impulse, linear, adaptive };

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
    HairContact hair_contact = HairContact::adaptive;
    /// Strands in contact whose edges come out longer than 1 + this are solved on, unless they
    /// have come to rest there. 0.01 cannot be seen; larger values save iterations.
    double hair_stretch = 0.01;
};

} // namespace selvage
