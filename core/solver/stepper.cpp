#include "core/solver/stepper.h"

#include "core/base/error.h"
#include "core/solver/barrier_stepper.h"
#include "core/solver/hair_stepper.h"

namespace selvage
{

double diagonal_of(const VecX& x)
{
    const auto points = x.reshaped(3, x.size() / 3);
    return (points.rowwise().maxCoeff() - points.rowwise().minCoeff()).norm();
}

std::unique_ptr<Stepper> make_stepper(std::string_view method, std::shared_ptr<const Scene> scene)
{
    if (method == "barrier") return std::make_unique<BarrierStepper>(std::move(scene));
    if (method == "hair") return std::make_unique<HairStepper>(std::move(scene));
    throw InputError("Unknown solver method '" + std::string(method) + "'. Known: barrier, hair.");
}

StepReport step(std::shared_ptr<const Scene> scene, const Drive& drive, State& state, double h,
                const StepSettings& settings, const Cancel& cancel)
{
    return BarrierStepper(std::move(scene)).step(drive, state, h, settings, cancel);
}

} // namespace selvage
