#pragma once

#include "core/solver/rod_group.h"
#include "core/solver/stepper.h"

namespace selvage
{

/// Hair without contact: each strand is an elastic rod that takes a fully nonlinear implicit step
/// of its own, four strands at a time, groups in parallel. BDF-1 or BDF-2.
/// Cost grows linearly with the number of points; nothing couples strands.
class HairStepper final : public Stepper
{
public:
    explicit HairStepper(std::shared_ptr<const Scene> scene);

    std::string_view name() const override { return "hair"; }
    StepReport step(const Drive& drive, State& state, double h, const StepSettings& settings,
                    const Cancel& cancel) override;

private:
    std::shared_ptr<const Scene> scene_;
    std::vector<RodGroup> groups_;
};

} // namespace selvage
