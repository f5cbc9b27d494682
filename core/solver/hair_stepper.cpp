#include "core/solver/hair_stepper.h"

#include "core/base/error.h"
#include "core/model/scene_contact.h"
#include "core/model/strand_pairs.h"
#include "core/solver/hair_advance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <chrono>

namespace selvage
{
namespace
{

std::string strand_name(const Scene& scene, const StrandNumber& s)
{
    const Hair& hair = scene.hairs[std::size_t(s.hair)];
    return fmt::format("curve {} of hair '{}'", hair.strand_primitive[std::size_t(s.strand)],
                       hair.name);
}

} // namespace

HairStepper::HairStepper(std::shared_ptr<const Scene> scene)
    : scene_(std::move(scene)),
      groups_(make_rod_groups(*scene_)),
      mesh_(scene_contact_mesh(*scene_)),
      search_(mesh_),
      cohesion_(scene_cohesion(*scene_))
{
    if (!scene_->cloths.empty() || !scene_->solids.empty())
        throw InputError("Solver method 'hair' simulates hair alone; cloth and solids need method "
                         "'barrier'. Put them into a shot of their own.");
    search_.set_filter(strand_pair_filter(*scene_, mesh_));
}

StepReport HairStepper::step(const Drive& drive, State& state, double h,
                             const StepSettings& settings, const Cancel& cancel)
{
    assert(drive.hair.size() == scene_->hairs.size());
    const auto begin = std::chrono::steady_clock::now();
    use_fields(*scene_, drive.fields,
               [&](int body, const auto& field) { mesh_.set_field(body, field); });
    const TimeScheme scheme = time_scheme(state, h, settings.integrator);
    State next = state;
    for (std::size_t k = 0; k < scene_->hairs.size(); ++k) { // what no strand uses follows
        const Hair& hair = scene_->hairs[k];
        next.x.segment(3 * hair.first_vertex, 3 * hair.point_count) = drive.hair[k].x;
    }
    HairAdvance strands(*scene_, mesh_, search_, cohesion_.get(), settings, cancel);
    HairAdvance::Outcome out = strands.advance(groups_, drive, state, scheme, h, next);
    StepReport report = std::move(out.report);
    report.tolerance = settings.tolerance * diagonal_of(state.x);
    if (cancel.requested()) {
        report.status = StepStatus::cancelled;
        return report;
    }
    if (!next.x.allFinite()) {
        report.status = StepStatus::linear_solve_failed;
        report.message = "Strands were stretched beyond all bounds: take shorter steps.";
        return report;
    }
    if (out.overstretched > 0) {
        report.status = StepStatus::not_converged;
        report.message =
            fmt::format("{} strands in contact stay stretched (first: {})", out.overstretched,
                        strand_name(*scene_, out.first_overstretched));
    } else if (out.stuck > 0) {
        report.status = StepStatus::not_converged;
        report.message = fmt::format("{} strands did not converge (first: {})", out.stuck,
                                     strand_name(*scene_, out.first_stuck));
    }
    VecX x = std::move(next.x);
    state.rod_directors = std::move(next.rod_directors);
    state.rod_twists = std::move(next.rod_twists);
    state.rod_spins = std::move(next.rod_spins);
    state.strand_contacts = std::move(out.contacts);
    state.strand_forces = std::move(out.forces);
    state.strand_loads = std::move(out.loads);
    state.colliders = stacked_colliders(drive.collider_1);
    selvage::advance(state, scheme, std::move(x), h);
    for (const auto& [vertex, v] : out.velocities) state.v.segment<3>(3 * vertex) = v;
    report.seconds.total =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return report;
}

} // namespace selvage
