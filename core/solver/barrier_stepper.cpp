#include "core/solver/barrier_stepper.h"

#include "core/base/error.h"
#include "core/model/scene_contact.h"

#include <fmt/format.h>

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

std::unique_ptr<ContactProblem> contact_of(const Scene& scene)
{
    if (!scene.collisions.enabled) return nullptr;
    ContactSettings settings;
    settings.activation = scene.collisions.gap;
    settings.stick_speed = scene.collisions.stick_speed;
    auto contact = std::make_unique<ContactProblem>(scene_contact_mesh(scene), settings);
    if (scene.collisions.filter) contact->set_filter(scene.collisions.filter);
    return contact;
}

/// Directions tried to get out of the way of pins and colliders before they stop short.
constexpr int most_pushes = 100;
/// Part of the contact gap that cloth must have regained before they push on.
constexpr double least_room = 0.02;

} // namespace

BarrierStepper::BarrierStepper(std::shared_ptr<const Scene> scene)
    : scene_(std::move(scene)),
      terms_(*scene_),
      potential_(terms_.all(), scene_->mass, scene_->mass_damping),
      filter_(filter_of(*scene_)),
      contact_(contact_of(*scene_))
{
    potential_.set_contact(contact_.get());
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

/// Moves pins and colliders from where they are to where the drive wants them without letting
/// anything pass: together with the cloth's inertia at first; then, while something is in the way,
/// in turns with Newton steps that move the cloth aside. Where that does not end (the cloth is
/// pinched), they stop short: the step goes on against them as reached, and so does the next one.
StepReport BarrierStepper::follow_drive(const Drive& drive, const VecX& colliders_0,
                                        const TimeScheme& scheme, double diagonal,
                                        const VecX& x_tilde, const StepSettings& settings,
                                        const Cancel& cancel, VecX& x)
{
    StepReport report;
    const VecX colliders = stacked_colliders(drive.collider_1);
    contact_->begin_step(scheme.x_star, scheme.h_eff, colliders_0);
    contact_->update(x);
    if (!contact_->contacts().feasible()) {
        report.status = StepStatus::starts_intersecting;
        report.message = fmt::format("surfaces are {:.3g} m nearer than their thickness allows",
                                     -contact_->min_gap());
        return report;
    }
    VecX move = x_tilde;
    place_pins(drive, move);
    move -= x;
    double reached = contact_->advance(x, move, colliders);
    potential_.balance_contact(x, diagonal);
    contact_->lag_friction(x);
    for (int i = 0; reached < 1 && i < most_pushes; ++i) {
        if (cancel.requested()) {
            report.status = StepStatus::cancelled;
            return report;
        }
        const double f_0 =
            newton_direction(potential_, filter_, x, settings, 0.1, scratch_, report);
        if (!report.ok()) return report;
        line_search(potential_, x, f_0, scratch_, report);
        potential_.adapt_contact();
        contact_->update(x);
        if (contact_->min_gap() < least_room * scene_->collisions.gap) continue;
        VecX there = x;
        place_pins(drive, there);
        reached = contact_->advance(x, there - x, colliders);
    }
    if (reached < 1) {
        const double short_of = (colliders - contact_->prescribed()).lpNorm<Eigen::Infinity>();
        report.status = StepStatus::not_converged;
        report.message = fmt::format("colliders or pins are held up by cloth they pinch; colliders "
                                     "stop {:.2g} m short of their animation",
                                     short_of);
    }
    return report;
}

/// x⁺ = argmin ½‖x−x̃‖²_M + h_eff² Σ E(x) + barrier and friction,   x̃ = x* + h_eff v* + h_eff² g
StepReport BarrierStepper::step(const Drive& drive, State& state, double h,
                                const StepSettings& settings, const Cancel& cancel)
{
    const TimeScheme scheme = time_scheme(state, h, settings.integrator);
    const VecX gravity = drive.gravity.replicate(scene_->vertex_count(), 1);
    const VecX x_tilde = scheme.x_star + scheme.h_eff * (scheme.v_star + scheme.h_eff * gravity);
    const double diagonal = diagonal_of(state.x);

    scratch_.linear.begin_step();
    terms_.set_drive(*scene_, drive, state.creases);
    potential_.begin_step(
        {state.time, state.time + h, h, scheme.h_eff, &state.x, &state.v, &scheme.x_star}, x_tilde);
    VecX x = state.x;
    StepReport approach;
    if (contact_) {
        const VecX start = stacked_colliders(drive.collider_0);
        const bool known = state.colliders.size() == start.size();
        approach = follow_drive(drive, known ? state.colliders : start, scheme, diagonal, x_tilde,
                                settings, cancel, x);
        if (!approach.ok()) return approach;
    } else {
        x = start_guess(state, drive, x_tilde);
    }
    StepReport report = minimise(potential_, filter_, x, h, settings.tolerance * diagonal, settings,
                                 scratch_, cancel);
    report.add_approach(approach);
    if (!report.ok()) return report;

    report.energy = potential_.term_energy(x);
    report.max_strain = terms_.max_strain(*scene_, x);
    report.rest_repairs = terms_.rest_repairs();
    if (report.rest_repairs > 0 && report.message.empty())
        report.message = terms_.rest_message(*scene_);
    state.creases = terms_.creases_after(*scene_, x, h, state.creases);
    if (contact_) {
        contact_->update(x);
        report.contacts = contact_->contact_count();
        report.min_gap = contact_->min_gap();
        state.colliders = contact_->prescribed();
    }
    advance(state, scheme, std::move(x), h);
    return report;
}

} // namespace selvage
