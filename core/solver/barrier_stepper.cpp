#include "core/solver/barrier_stepper.h"

#include "core/base/error.h"
#include "core/solver/integrator.h"

namespace selvage
{
namespace
{

double diagonal_of(const VecX& x)
{
    const auto points = x.reshaped(3, x.size() / 3);
    return (points.rowwise().maxCoeff() - points.rowwise().minCoeff()).norm();
}

VertexFilter filter_of(const Scene& scene)
{
    VertexFilter filter(scene.vertex_count());
    for (const Pin& p : scene.pins)
        if (p.stiffness == 0) filter.fix(p.vertex);
    return filter;
}

} // namespace

BarrierStepper::BarrierStepper(std::shared_ptr<const Scene> scene)
    : scene_(std::move(scene)),
      terms_(*scene_),
      potential_(terms_.all(), scene_->mass, scene_->mass_damping),
      filter_(filter_of(*scene_))
{
}

void BarrierStepper::place_pins(const Drive& drive, VecX& x) const
{
    for (std::size_t k = 0; k < scene_->pins.size(); ++k)
        if (scene_->pins[k].stiffness == 0)
            x.segment<3>(3 * scene_->pins[k].vertex) =
                drive.pin_target_1.segment<3>(3 * Eigen::Index(k));
}

VecX BarrierStepper::start_guess(const State& state, const Drive& drive, const VecX& x_tilde)
{
    // Either stay, or go on as inertia would; pins are at their targets in both.
    VecX stay = state.x, glide = x_tilde;
    place_pins(drive, stay);
    place_pins(drive, glide);
    return potential_.value(glide) < potential_.value(stay) ? glide : stay;
}

/// x⁺ = argmin ½‖x−x̃‖²_M + h_eff² Σ E(x),   x̃ = x* + h_eff v* + h_eff² g
StepReport BarrierStepper::step(const Drive& drive, State& state, double h,
                                const StepSettings& settings, const Cancel& cancel)
{
    const TimeScheme scheme = time_scheme(state, h, settings.integrator);
    const VecX gravity = drive.gravity.replicate(scene_->vertex_count(), 1);
    VecX x_tilde = scheme.x_star + scheme.h_eff * (scheme.v_star + scheme.h_eff * gravity);

    terms_.set_drive(*scene_, drive, state.creases);
    potential_.begin_step(
        {state.time, state.time + h, h, scheme.h_eff, &state.x, &state.v, &scheme.x_star}, x_tilde);
    VecX x = start_guess(state, drive, x_tilde);
    StepReport report =
        minimise(potential_, filter_, x, h, settings.tolerance * diagonal_of(state.x), settings,
                 scratch_, cancel);
    if (!report.ok()) return report;

    report.energy = potential_.term_energy(x);
    report.max_strain = terms_.max_strain(*scene_, x);
    report.rest_repairs = terms_.rest_repairs();
    if (report.rest_repairs > 0 && report.message.empty())
        report.message = terms_.rest_message(*scene_);
    state.creases = terms_.creases_after(*scene_, x, h, state.creases);
    advance(state, scheme, std::move(x), h);
    return report;
}

} // namespace selvage
