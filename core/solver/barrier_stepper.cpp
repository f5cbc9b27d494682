#include "core/solver/barrier_stepper.h"

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/contact/start_check.h"
#include "core/contact/untangle.h"
#include "core/model/link_terms.h"
#include "core/model/scene_contact.h"
#include "core/model/strand_pairs.h"
#include "core/solver/pinch_release.h"

#include <fmt/format.h>

namespace selvage
{
namespace
{

VertexFilter filter_of(const Scene& scene, const RodTerm* rods)
{
    VertexFilter filter(scene.vertex_count() + (rods ? rods->turn_blocks() : 0));
    if (rods) rods->hold(filter);
    for (const Pin& p : scene.pins)
        if (p.stiffness == 0) filter.fix(p.vertex);
    return filter;
}

/// "'cape' point 12".
std::string point_name(const Scene& scene, int vertex)
{
    const auto in = [&](const auto& object) {
        return vertex >= object.first_vertex && vertex < object.first_vertex + object.point_count();
    };
    for (const Cloth& c : scene.cloths)
        if (in(c)) return fmt::format("'{}' point {}", c.name, vertex - c.first_vertex);
    for (const Solid& s : scene.solids)
        if (in(s)) return fmt::format("'{}' point {}", s.name, vertex - s.first_vertex);
    for (const Hair& h : scene.hairs)
        if (vertex >= h.first_vertex && vertex < h.first_vertex + h.point_count)
            return fmt::format("'{}' point {}", h.name, vertex - h.first_vertex);
    if (vertex >= scene.vertex_count()) return "the twist of a strand";
    return fmt::format("vertex {}", vertex);
}

std::unique_ptr<ContactProblem> contact_of(const Scene& scene)
{
    if (!scene.collisions.enabled) return nullptr;
    ContactSettings settings;
    settings.activation = scene.collisions.gap;
    settings.stick_speed = scene.collisions.stick_speed;
    auto contact = std::make_unique<ContactProblem>(scene_contact_mesh(scene, true), settings);
    if (const PairFilter f = strand_pair_filter(scene, contact->mesh(), scene.collisions.filter))
        contact->set_filter(f);
    return contact;
}

} // namespace

BarrierStepper::BarrierStepper(std::shared_ptr<const Scene> scene)
    : scene_(std::move(scene)),
      terms_(*scene_),
      rods_(scene_->hairs.empty() ? nullptr : std::make_unique<RodTerm>(*scene_)),
      potential_(all_terms(), scene_->mass, scene_->mass_damping, rods_ ? rods_->turn_blocks() : 0),
      filter_(filter_of(*scene_, rods_.get())),
      contact_(contact_of(*scene_)),
      cohesion_(scene_cohesion(*scene_))
{
    if (contact_) strands_ = strand_pair_filter(*scene_, contact_->mesh());
    potential_.set_contact(contact_.get());
    potential_.set_rods(rods_.get());
    if (rods_) scratch_.linear.set_chains(rods_->chains());
}

std::vector<Term*> BarrierStepper::all_terms() const
{
    std::vector<Term*> all = terms_.all();
    if (rods_) all.push_back(rods_.get());
    return all;
}

VecX BarrierStepper::unknowns(const VecX& x) const
{
    VecX all = VecX::Zero(3 * filter_.size());
    all.head(x.size()) = x;
    return all;
}

VecX BarrierStepper::held_targets(const Drive& drive, const VecX& x) const
{
    VecX target = x;
    for (std::size_t k = 0; k < scene_->pins.size(); ++k)
        if (scene_->pins[k].stiffness == 0)
            target.segment<3>(3 * scene_->pins[k].vertex) =
                drive.pin_target_1.segment<3>(3 * Eigen::Index(k));
    if (rods_) rods_->set_targets(drive, target);
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
            else if (filter_.kind(v) == VertexFilter::Kind::partial) // turns of rods
                glide.segment<3>(3 * v) +=
                    (Mat3::Identity() - filter_.projector(v)) *
                    (held_target.segment<3>(3 * v) - glide.segment<3>(3 * v));
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

BarrierStepper::WorldMotion BarrierStepper::world_motion(const Drive& drive, const State& state,
                                                         const TimeScheme& scheme, double h)
{
    WorldMotion world{state.x, state.v, scheme.x_star, scheme.h_eff};
    if (drive.x_start.size() == 0) return world;
    const VecX ride = state.x - drive.x_start;
    world.x_0 = drive.x_start;
    world.v_0 += ride / h;
    world.x_star -= scheme.h_eff / h * ride;
    return world;
}

/// Takes up where colliders have got to and what is released; draws the latter out.
void BarrierStepper::begin_contact(const Drive& drive, const WorldMotion& world,
                                   const VecX& x_start, double h, State& state)
{
    use_fields(*scene_, drive.fields,
               [&](int body, const auto& field) { contact_->set_field(body, field); });
    const VecX start = stacked_colliders(drive.collider_0);
    const bool known = state.colliders.size() == start.size();
    contact_->begin_step(world.x_star, world.h_eff, known ? state.colliders : start,
                         stacked_colliders(drive.collider_1), world.v_0, h);
    state.released.add(
        without_roots(*scene_, vertices_behind(contact_->mesh(), all_vertices(x_start))));
    use_releases(state.released);
    contact_->update(x_start);
    if (!contact_->contacts().feasible() && scene_->collisions.release_pinched) {
        const ContactMesh& mesh = contact_->mesh();
        const auto offending = find_offending_pairs(mesh, all_vertices(x_start), strands_);
        state.released.add(releases_for(mesh, offending));
        use_releases(state.released);
        contact_->update(x_start);
    }
    if (state.released.empty()) return;
    const VecX all = all_vertices(x_start);
    const double reach = scene_->collisions.release_speed * h, gap = scene_->collisions.gap;
    std::vector<Pull> pulls = release_pulls(contact_->mesh(), state.released, all,
                                            contact_->prescribed_target(), reach, gap);
    if (drive.draw_apart || contact_->mesh().has_layers()) {
        Untangling u = untangle(contact_->mesh(), all, state.released, reach, gap,
                                !drive.draw_apart, strands_);
        u.released = without_roots(*scene_, std::move(u.released));
        pulls.insert(pulls.end(), u.pulls.begin(), u.pulls.end());
        state.released.add(std::move(u.released));
        use_releases(state.released);
        contact_->update(x_start);
    }
    potential_.set_pulls(std::move(pulls));
}

VecX BarrierStepper::all_vertices(const VecX& x) const
{
    const Eigen::Index simulated = 3 * scene_->vertex_count();
    VecX all(simulated + contact_->prescribed().size());
    all << x.head(simulated), contact_->prescribed();
    return all;
}

void BarrierStepper::use_releases(const Releases& releases)
{
    if (releases == filtered_) return;
    filtered_ = releases;
    contact_->set_filter(
        release_filter(contact_->mesh(), releases,
                       strand_pair_filter(*scene_, contact_->mesh(), scene_->collisions.filter)));
}

/// Releases what is in the way of colliders and pins that are held up at x: first what stops them
/// at once, then what would soon; at last all that lies between them and where they should be,
/// and puts them there. False where contact is not what holds them up.
bool BarrierStepper::make_way(int attempt, Solve& solve, State& state, VecX& x)
{
    constexpr double until[] = {0.1, 0.5};
    const bool last = attempt >= int(std::size(until));
    VecX way = solve.held_target - x, free = way;
    filter_.apply(free);
    way -= free;
    const auto colliding =
        last ? contact_->colliding_pairs(x, way, true, infinity)
             : contact_->colliding_pairs(x, scratch_.follow_direction, true, until[attempt]);
    std::vector<ReleasedVertex> vertices =
        vertices_in_the_way(contact_->mesh(), all_vertices(x), filter_, colliding);
    state.released.add(vertices);
    solve.let_go.insert(solve.let_go.end(), vertices.begin(), vertices.end());
    use_releases(state.released);
    if (last) {
        if (potential_.max_step(x, way, true) < 1) return false;
        x += way;
        potential_.set_reached(1);
    }
    contact_->lag_friction(x);
    return true;
}

StepReport BarrierStepper::minimise_once(Solve& solve, VecX& x)
{
    return minimise(potential_, {filter_, solve.held_target}, x, solve.h, solve.tolerance,
                    solve.settings, scratch_, solve.budget, solve.cancel);
}

StepReport BarrierStepper::minimise_step(Solve& solve, State& state, VecX& x)
{
    StepReport report = minimise_once(solve, x);
    const auto held_up = [&] { return potential_.reached() < 1 && report.ok(); };
    if (contact_ && scene_->collisions.release_pinched)
        for (int attempt = 0; held_up() && !solve.budget.spent(); ++attempt) {
            if (!make_way(attempt, solve, state, x)) break;
            report.add(minimise_once(solve, x));
        }
    for (int i = 1; contact_ && i < scene_->collisions.friction_iterations && report.ok(); ++i) {
        contact_->lag_friction(x);
        const int before = report.iterations;
        report.add(minimise_once(solve, x));
        if (report.iterations == before + 1) break; // nothing changed
    }
    if (held_up()) {
        const VecX way = solve.held_target - x;
        VecX free = way;
        filter_.apply(free);
        report.held_up = std::max(potential_.rest_of_way(), (way - free).lpNorm<Eigen::Infinity>());
        if (report.status == StepStatus::converged) report.status = StepStatus::not_converged;
        report.message =
            fmt::format("{}colliders or pins are held up by cloth in their way: they are {:.2g} m "
                        "short of where they should be",
                        report.message.empty() ? "" : report.message + "; ", report.held_up);
    }
    return report;
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
        report.searches = contact_->statistics().searches;
        report.contact_bytes = contact_->bytes();
    }
    return report;
}

/// x⁺ = argmin ½‖x−x̃‖²_M + h_eff² Σ E(x) + barrier and friction,   x̃ = x* + h_eff v* + h_eff² g
StepReport BarrierStepper::take_step(const Drive& drive, State& state, double h,
                                     const StepSettings& settings, const Cancel& cancel)
{
    const TimeScheme scheme = time_scheme(state, h, settings.integrator);
    const VecX gravity = drive.gravity.replicate(scene_->vertex_count(), 1);
    const VecX x_tilde =
        unknowns(scheme.x_star + scheme.h_eff * (scheme.v_star + scheme.h_eff * gravity));
    const double diagonal = diagonal_of(state.x);
    const Releases released_before = state.released;

    scratch_.linear.begin_step();
    terms_.set_drive(*scene_, drive, state.creases, state.broken);
    if (rods_)
        rods_->begin(drive, state, scheme, h, cohesion_ ? cohesion_->forces(state.x) : VecX());
    const WorldMotion world = world_motion(drive, state, scheme, h);
    potential_.begin_step({state.time, state.time + h, h, scheme.h_eff, &state.x, &state.v,
                           &scheme.x_star, &world.x_0, &world.x_star},
                          x_tilde);
    const VecX x_start = unknowns(drive.x_start.size() > 0 ? drive.x_start : state.x);
    const VecX held_target = held_targets(drive, x_start);
    if (contact_) {
        begin_contact(drive, world, x_start, h, state);
        if (!contact_->contacts().feasible()) {
            state.released = released_before;
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
    Solve solve{held_target, h, settings.tolerance * diagonal, settings, Budget(settings), cancel};
    StepReport report = minimise_step(solve, state, x);
    if (report.worst_vertex >= 0)
        report.message +=
            fmt::format(" It is worst at {}.", point_name(*scene_, report.worst_vertex));
    if (!report.ok()) {
        state.released = released_before;
        return report;
    }

    report.energy = potential_.term_energy(x);
    report.max_strain = terms_.max_strain(*scene_, x);
    if (rods_) report.max_strain = std::max(report.max_strain, rods_->max_strain(x));
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
        state.released = still_released(contact_->mesh(), all_vertices(x), state.released,
                                        scene_->collisions.gap, strands_);
        report.released = int(state.released.vertices.size());
        report.ignored_pairs = int(state.released.pairs.size());
        report.let_go = std::move(solve.let_go);
    }
    advance(state, scheme, x.head(state.x.size()), h);
    if (rods_) rods_->store(x, h, state);
    return report;
}

} // namespace selvage
