#include "core/solver/barrier_stepper.h"

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/model/link_terms.h"
#include "core/model/scene_contact.h"

#include <fmt/format.h>

namespace selvage
{
namespace
{

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

VecX BarrierStepper::held_targets(const Drive& drive, const VecX& x) const
{
    VecX target = x;
    for (std::size_t k = 0; k < scene_->pins.size(); ++k)
        if (scene_->pins[k].stiffness == 0)
            target.segment<3>(3 * scene_->pins[k].vertex) =
                drive.pin_target_1.segment<3>(3 * Eigen::Index(k));
    return target;
}

/// Where Newton starts: at rest, or gliding on as inertia would, as far as nothing is in the way;
/// whichever has the lower potential. Where nothing collides, held vertices are at their targets
/// at once, unless that would tear the cloth beyond its limits.
VecX BarrierStepper::start_guess(const VecX& x_start, const VecX& x_tilde, const VecX& held_target)
{
    if (!contact_) {
        potential_.set_reached(1);
        VecX glide = x_tilde;
        for (int v = 0; v < filter_.size(); ++v)
            if (filter_.kind(v) == VertexFilter::Kind::fixed)
                glide.segment<3>(3 * v) = held_target.segment<3>(3 * v);
        const double stay_value = potential_.value(held_target), value = potential_.value(glide);
        if (std::min(stay_value, value) < infinity) return value < stay_value ? glide : held_target;
    }
    const bool still = held_target == x_start && (!contact_ || contact_->reached() == 1);
    potential_.set_reached(still ? 1 : 0);
    VecX motion = x_tilde - x_start;
    filter_.apply(motion);
    const VecX glide = x_start + potential_.max_step(x_start, motion) * motion;
    return potential_.value(glide) < potential_.value(x_start) ? glide : x_start;
}

StepReport BarrierStepper::step(const Drive& drive, State& state, double h,
                                const StepSettings& settings, const Cancel& cancel)
{
    StepReport report;
    double total = 0;
    {
        Stopwatch time(total);
        report = take_step(drive, state, h, settings, cancel);
    }
    report.seconds.total = total;
    if (contact_) {
        report.seconds.broad_phase = contact_->statistics().seconds.broad_phase;
        report.seconds.ccd = contact_->statistics().seconds.ccd;
    }
    return report;
}

/// x⁺ = argmin ½‖x−x̃‖²_M + h_eff² Σ E(x) + barrier and friction,   x̃ = x* + h_eff v* + h_eff² g
StepReport BarrierStepper::take_step(const Drive& drive, State& state, double h,
                                     const StepSettings& settings, const Cancel& cancel)
{
    const TimeScheme scheme = time_scheme(state, h, settings.integrator);
    const VecX gravity = drive.gravity.replicate(scene_->vertex_count(), 1);
    const VecX x_tilde = scheme.x_star + scheme.h_eff * (scheme.v_star + scheme.h_eff * gravity);
    const double diagonal = diagonal_of(state.x);

    scratch_.linear.begin_step();
    terms_.set_drive(*scene_, drive, state.creases, state.broken);
    potential_.begin_step(
        {state.time, state.time + h, h, scheme.h_eff, &state.x, &state.v, &scheme.x_star}, x_tilde);
    const VecX& x_start = drive.x_start.size() > 0 ? drive.x_start : state.x;
    const VecX held_target = held_targets(drive, x_start);
    if (contact_) {
        const VecX start = stacked_colliders(drive.collider_0);
        const bool known = state.colliders.size() == start.size();
        contact_->begin_step(scheme.x_star, scheme.h_eff, known ? state.colliders : start,
                             stacked_colliders(drive.collider_1));
        contact_->update(x_start);
        if (!contact_->contacts().feasible()) {
            StepReport report;
            report.status = StepStatus::starts_intersecting;
            report.message = fmt::format("surfaces are {:.3g} m nearer than their thickness allows",
                                         -contact_->min_gap());
            return report;
        }
        potential_.balance_contact(x_start, diagonal);
        contact_->lag_friction(x_start);
    }
    VecX x = start_guess(x_start, x_tilde, held_target);
    StepReport report = minimise(potential_, {filter_, held_target}, x, h,
                                 settings.tolerance * diagonal, settings, scratch_, cancel);
    for (int i = 1; contact_ && i < scene_->collisions.friction_iterations && report.ok(); ++i) {
        contact_->lag_friction(x);
        const int before = report.iterations;
        report.add(minimise(potential_, {filter_, held_target}, x, h, settings.tolerance * diagonal,
                            settings, scratch_, cancel));
        if (report.iterations == before + 1) break; // nothing changed
    }
    if (!report.ok()) return report;
    if (potential_.reached() < 1) {
        report.status = StepStatus::not_converged;
        report.message = fmt::format("colliders or pins are held up by cloth that they pinch: they "
                                     "got {:.1f} % of their way through the step",
                                     100 * potential_.reached());
    }

    report.energy = potential_.term_energy(x);
    report.max_strain = terms_.max_strain(*scene_, x);
    report.rest_repairs = terms_.rest_repairs();
    if (report.rest_repairs > 0 && report.message.empty())
        report.message = terms_.rest_message(*scene_);
    report.beyond_limit = terms_.beyond_limit();
    if (report.beyond_limit > 0 && report.message.empty())
        report.message = fmt::format(
            "{} triangles are beyond their limits of strain, through the start pose or the rest "
            "shape; they come back as the rest of the cloth lets them",
            report.beyond_limit);
    state.creases = terms_.creases_after(*scene_, x, h, state.creases);
    state.broken = broken_after(*scene_, drive, x, state.broken);
    report.broken_links = int(state.broken.sum());
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
