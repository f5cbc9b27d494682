#pragma once

#include "core/contact/strand_cohesion.h"
#include "core/contact/strand_contacts.h"
#include "core/solver/rod_group.h"
#include "core/solver/stepper.h"

#include <memory>

namespace selvage
{

/// Hair: each strand is an elastic rod that takes a fully nonlinear implicit step of its own, four
/// strands at a time, groups in parallel; strands that meet each other or colliders are then
/// solved together, see HairAdvance. BDF-1 or BDF-2.
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
    ContactMesh mesh_;
    StrandContactSearch search_;
    std::unique_ptr<StrandCohesion> cohesion_; ///< null where no hair has any
};

} // namespace selvage
