#include "core/session/session.h"

#include "core/base/error.h"
#include "core/model/cloth_strain.h"
#include "core/model/hair_builder.h"
#include "core/model/link_terms.h"
#include "core/session/frame_messages.h"
#include "core/session/plane_source.h"
#include "core/session/rest_source.h"
#include "core/session/start_policy.h"
#include "core/session/start_relaxation.h"

#include <fmt/format.h>

#include <cmath>

namespace selvage
{
namespace
{

std::size_t cache_bytes(const SessionSetup& setup)
{
    return std::size_t(setup.shot.real("cache_limit") * 1e6);
}

constexpr int far_frame = 1 << 24; ///< beyond any shot

/// Last frame until which both set-ups ask for the same simulation; below the first: not even that.
int agree_until(const SessionSetup& a, const SessionSetup& b)
{
    const int first = a.first_frame();
    if (a.cloths.size() != b.cloths.size() || a.solids.size() != b.solids.size() ||
        a.hairs.size() != b.hairs.size() || a.colliders.size() != b.colliders.size() ||
        a.attachments.size() != b.attachments.size() || a.seams.size() != b.seams.size() ||
        a.pairs.size() != b.pairs.size() || a.constraints.size() != b.constraints.size() ||
        b.first_frame() != first)
        return first - 1;
    // Ends are far away in frames, but keys are not: sampling to the last key is enough.
    const int last = std::max(a.last_frame(), b.last_frame());
    int until = far_frame;
    const auto compare = [&](const ParameterSet& p, const ParameterSet& q) {
        const int agreed = ParameterSet::agree_until(p, q, first, last);
        if (agreed < last) until = std::min(until, agreed);
    };
    ParameterSet shot_a = a.shot, shot_b = b.shot;
    for (ParameterSet* s : {&shot_a, &shot_b}) { // these change what is asked for, not what happens
        s->set("frames", Vec3(first, last, 0));
        s->set("output", std::string());
        s->set("cache_limit", 0.0);
    }
    compare(shot_a, shot_b);
    compare(a.solver, b.solver);
    compare(a.collision, b.collision);
    compare(a.preroll, b.preroll);
    compare(a.turbulence, b.turbulence);
    for (std::size_t i = 0; i < a.cloths.size(); ++i) {
        compare(a.cloths[i].cloth, b.cloths[i].cloth);
        compare(a.cloths[i].pins, b.cloths[i].pins);
        compare(a.cloths[i].rest_parameters, b.cloths[i].rest_parameters);
        compare(a.cloths[i].local_space, b.cloths[i].local_space);
        compare(a.cloths[i].pressure, b.cloths[i].pressure);
    }
    for (std::size_t i = 0; i < a.solids.size(); ++i) {
        compare(a.solids[i].solid, b.solids[i].solid);
        compare(a.solids[i].pins, b.solids[i].pins);
    }
    for (std::size_t i = 0; i < a.hairs.size(); ++i) compare(a.hairs[i].hair, b.hairs[i].hair);
    for (std::size_t i = 0; i < a.colliders.size(); ++i) {
        compare(a.colliders[i].collider, b.colliders[i].collider);
        compare(a.colliders[i].plane, b.colliders[i].plane);
    }
    for (std::size_t i = 0; i < a.pairs.size(); ++i) compare(a.pairs[i].pair, b.pairs[i].pair);
    for (std::size_t i = 0; i < a.attachments.size(); ++i)
        compare(a.attachments[i].attachment, b.attachments[i].attachment);
    for (std::size_t i = 0; i < a.seams.size(); ++i) compare(a.seams[i].seam, b.seams[i].seam);
    for (std::size_t i = 0; i < a.constraints.size(); ++i)
        compare(a.constraints[i].constraints, b.constraints[i].constraints);
    return until;
}

/// `orient` per point, as rod frames have it.
void set_orient(const Hair& hair, const State& state, Geometry& g)
{
    const VecX q =
        orient_of(hair, state.x.segment(3 * hair.first_vertex, 3 * hair.point_count),
                  state.rod_directors.segment(3 * hair.first_rod_point, 3 * hair.rod_points()));
    Attribute orient = make_attribute("orient", Owner::point, Storage::real32, 4, g.point_count());
    orient.type_info = "quaternion";
    for (std::size_t i = 0; i < g.point_count(); ++i)
        for (int c = 0; c < 4; ++c) orient.set_number(i, c, q[4 * Eigen::Index(i) + c]);
    g.set(std::move(orient));
}

/// A plane's parameters stand in the place of a geometry.
void place_plane(ColliderSetup& c)
{
    const std::string who = fmt::format("Collider '{}'", c.name());
    if (c.is_plane() == bool(c.geometry))
        throw InputError(who + (c.geometry ? " has a geometry and a plane. Remove one of the two."
                                           : " has neither a geometry nor a plane."));
    if (c.is_plane()) c.geometry = std::make_shared<PlaneSource>(c.plane, who);
}

} // namespace

Session::Session(SessionSetup setup, LogSink& log)
    : setup_(std::move(setup)), log_(&log), cache_(cache_bytes(setup_))
{
    assemble();
}

void Session::assemble()
{
    metric_ = in_metres(setup_);
    find_rest_shapes(metric_);
    for (ColliderSetup& c : metric_.colliders) place_plane(c);
    assembled_ = assemble_scene(metric_, *log_);
    drive_ = std::make_unique<DriveSampler>(metric_, assembled_, *log_);
    drive_->sample(first_frame(), first_frame()); // targets and colliders are there and fit
    local_space_ = std::make_unique<LocalSpace>(metric_, assembled_.scene);
    stepper_ = make_stepper(setup_.solver.text("method"), assembled_.scene);
    if (setup_.solver.real("budget_seconds") > 0)
        log_->message(Severity::warning, "solver.budget_seconds is set: results depend on the "
                                         "machine and its load, and no two runs need agree.");
}

void Session::use_materials_of(int frame)
{
    bool animated = false;
    for (const ClothSetup& c : setup_.cloths) animated = animated || material_animated(c);
    if (!animated) return;
    auto scene = std::make_shared<Scene>(*assembled_.scene);
    for (std::size_t i = 0; i < scene->cloths.size(); ++i) {
        Cloth& c = scene->cloths[i];
        c.material = material_at(setup_.cloths[i], frame);
        scene->mass_damping.segment(c.first_vertex, c.point_count()) =
            c.at_points(&ClothMaterial::mass_damping);
    }
    assembled_.scene = scene;
    stepper_ = make_stepper(setup_.solver.text("method"), assembled_.scene);
}

StepStatus Session::run_substeps(double frame_0, double frame_1, bool hold_inputs, State& state,
                                 FrameReport& report, const Cancel& cancel)
{
    const int substeps = setup_.shot.integer("substeps");
    const double frame_seconds = setup_.shot.real("time_scale", frame_1) / setup_.shot.real("fps");
    const double h = frame_seconds / substeps;
    if (h == 0) return StepStatus::converged;
    for (int s = 0; s < substeps; ++s) {
        const auto at = [&](int k) {
            return hold_inputs ? frame_1 : frame_0 + (frame_1 - frame_0) * k / substeps;
        };
        const StepStatus status =
            take_step(at(s), at(s + 1), h, setup_.solver.integer("retries"), state, report, cancel);
        if (!usable(status)) return status;
    }
    return report.status;
}

StepStatus Session::take_step(double frame_0, double frame_1, double h, int retries, State& state,
                              FrameReport& report, const Cancel& cancel)
{
    State next = state;
    if (frame_0 != frame_1) local_space_->carry(frame_0, frame_1, next);
    Drive drive = drive_->sample(frame_0, frame_1, state.colliders);
    if (next.x != state.x) drive.x_start = state.x;
    const StepReport step = stepper_->step(drive, next, h, step_settings(setup_, frame_1), cancel);
    if (retries > 0 && step.worth_a_retry()) {
        report.add_failed(step);
        const double middle = 0.5 * (frame_0 + frame_1);
        const StepStatus first =
            take_step(frame_0, middle, h / 2, retries - 1, state, report, cancel);
        if (!usable(first)) return first;
        return take_step(middle, frame_1, h / 2, retries - 1, state, report, cancel);
    }
    report.add(step);
    if (step.ok()) state = std::move(next);
    return step.status;
}

bool Session::start(const Cancel& cancel, FrameReport& report)
{
    auto entry = std::make_shared<CachedFrame>();
    entry->state = assembled_.start;
    const int first = first_frame(), preroll = setup_.preroll.integer("frames");
    report.frame = first;
    if (setup_.collision.text("on_intersection") == "relax" && !entry->state.released.empty()) {
        const double h = setup_.shot.real("time_scale", first) / setup_.shot.real("fps") /
                         setup_.shot.integer("substeps");
        report.status = relax_start({*stepper_, *assembled_.scene, drive_->sample(first, first), h,
                                     step_settings(setup_, first), first},
                                    entry->state, *log_, cancel);
        if (!usable(report.status)) return false;
    }
    report.released = int(entry->state.released.vertices.size());
    report.ignored_pairs = int(entry->state.released.pairs.size());
    for (int k = 0; k < preroll; ++k) {
        const StepStatus status =
            run_substeps(first, first, /*hold_inputs*/ true, entry->state, report, cancel);
        if (!usable(status)) return false;
    }
    entry->state.time = 0;
    report.max_strain = max_strain(*assembled_.scene, entry->state.x);
    entry->report = report;
    cache_.store(first, entry);
    if (on_frame) on_frame(report);
    return true;
}

std::shared_ptr<const CachedFrame> Session::simulate_frame(int frame, const Cancel& cancel,
                                                           FrameReport& report)
{
    auto entry = std::make_shared<CachedFrame>();
    entry->state = cache_.find(frame - 1)->state;
    report = FrameReport();
    report.frame = frame;
    use_materials_of(frame);
    const StepStatus status =
        run_substeps(frame - 1, frame, /*hold_inputs*/ false, entry->state, report, cancel);
    if (!usable(status)) return nullptr;
    for (const Message& m :
         frame_messages(*assembled_.scene, report, cache_.find(frame - 1)->report))
        log_->message(m.severity, m.text);
    entry->report = report;
    return entry;
}

FrameResult Session::cook(double frame, const Cancel& cancel)
{
    if (frame != std::floor(frame)) return interpolate(frame);
    const int target = std::max(int(frame), first_frame());
    FrameReport report;
    const auto failed = [&] {
        FrameResult r;
        r.report = report;
        r.status = cancel.requested() ? StepStatus::cancelled : report.status;
        return r;
    };
    if (cache_.size() == 0 && !start(cancel, report)) return failed();
    for (int f = cache_.latest_until(target); f < target; ++f) {
        const auto entry = simulate_frame(f + 1, cancel, report);
        if (!entry) return failed();
        cache_.store(f + 1, entry);
        if (on_frame) on_frame(report);
    }
    const auto entry = cache_.find(target);
    return result_of(target, entry->state, entry->report);
}

FrameResult Session::interpolate(double frame) const
{
    const int before = int(std::floor(frame));
    if (frame <= first_frame() || cache_.size() == 0)
        return result_of(first_frame(), assembled_.start, {});
    const auto a = cache_.find(cache_.latest_until(before)), b = cache_.find(before + 1);
    const bool held = !cache_.find(before);
    if (held)
        log_->message(
            Severity::warning,
            fmt::format(
                "Frame {:g} lies between frames that are not simulated yet; the last one before it "
                "is shown.",
                frame));
    State state = a->state;
    const double s = frame - before;
    if (b && !held) {
        state.x += s * (b->state.x - a->state.x);
        state.v += s * (b->state.v - a->state.v);
    } else if (!held) {
        state.x += s * setup_.shot.real("time_scale", frame) / setup_.shot.real("fps") * a->state.v;
    }
    return result_of(frame, state, a->report);
}

std::shared_ptr<const Geometry>
Session::start_geometry(GeometrySource& source, const std::string& who,
                        std::shared_ptr<const Geometry> metric) const
{
    return setup_.shot.real("unit") == 1 ? metric : read_input(source, first_frame(), who);
}

FrameResult Session::result_of(double frame, const State& state, const FrameReport& report) const
{
    FrameResult out;
    out.report = report;
    out.status = report.status;
    // Half the last place of a float, on both sides of a gap, along its diagonal.
    const double rounding =
        2 * std::sqrt(3.0) * std::ldexp(1.0, -24) * state.x.lpNorm<Eigen::Infinity>();
    const bool fine = report.min_gap < rounding;
    const double unit = setup_.shot.real("unit");
    if (fine && out.report.message.empty())
        out.report.message = fmt::format(
            "gaps of {:.1g} m are too small for 32-bit positions: P is in 64 bits", report.min_gap);
    const VecX released = released_points(*assembled_.scene, state.released);
    const auto shown = [&](GeometrySource& source, const std::string& who,
                           const std::shared_ptr<const Geometry>& start, int first, int points) {
        const bool whole = frame == std::floor(frame);
        Geometry g = source.animated() && (whole || source.has_subframes())
                         ? *read_input(source, frame, who)
                         : *start_geometry(source, who, start);
        if (g.point_count() != std::size_t(points))
            throw InputError(fmt::format(
                "{} has {} points but {} at the start frame. Inputs must keep their points "
                "over the shot.",
                input_name(source, frame, who), g.point_count(), points));
        expect_same_primitives(g, *start, source, frame, who);
        g.set_vectors("P", state.x.segment(3 * first, 3 * points) / unit, "point",
                      fine ? Storage::real64 : Storage::real32);
        g.set_vectors("v", state.v.segment(3 * first, 3 * points) / unit, "vector");
        if (released.size() > 0) g.set_scalars("sv_released", released.segment(first, points));
        return g;
    };
    for (std::size_t i = 0; i < assembled_.scene->cloths.size(); ++i) {
        const Cloth& c = assembled_.scene->cloths[i];
        Geometry g = shown(*setup_.cloths[i].geometry, fmt::format("Cloth '{}'", c.name),
                           assembled_.cloth_geometry[i], c.first_vertex, c.point_count());
        g.set_scalars("sv_strain", point_strain(c, drive_->rest_shape_at(i, frame), state.x));
        out.objects.push_back({c.name, std::move(g)});
    }
    for (std::size_t i = 0; i < assembled_.scene->solids.size(); ++i) {
        const Solid& s = assembled_.scene->solids[i];
        out.objects.push_back(
            {s.name, shown(*setup_.solids[i].geometry, fmt::format("Solid '{}'", s.name),
                           assembled_.solid_geometry[i], s.first_vertex, s.point_count())});
    }
    for (std::size_t i = 0; i < assembled_.scene->hairs.size(); ++i) {
        const Hair& h = assembled_.scene->hairs[i];
        Geometry g = shown(*setup_.hairs[i].geometry, fmt::format("Hair '{}'", h.name),
                           assembled_.hair_geometry[i], h.first_vertex, h.point_count);
        set_orient(h, state, g);
        out.objects.push_back({h.name, std::move(g)});
    }
    return out;
}

void Session::restore(int frame, State state)
{
    if (state.x.size() != assembled_.start.x.size())
        throw InputError(fmt::format(
            "The saved state has {} vertices, the scene {}: the shot's geometry has changed.",
            state.x.size() / 3, assembled_.start.x.size() / 3));
    std::size_t hinges = 0;
    for (const Cloth& c : assembled_.scene->cloths) hinges += c.mesh.hinges.size();
    if (state.creases.size() != 0 && std::size_t(state.creases.size()) != hinges)
        throw InputError(fmt::format(
            "The saved state has creases at {} edges, the scene {}: the shot's geometry has "
            "changed.",
            state.creases.size(), hinges));
    if (state.broken.size() != 0 && state.broken.size() != link_count(*assembled_.scene))
        throw InputError(fmt::format(
            "The saved state has {} links, the scene {}: the shot's attachments have changed.",
            state.broken.size(), link_count(*assembled_.scene)));
    if (state.rod_directors.size() != assembled_.start.rod_directors.size())
        throw InputError(fmt::format(
            "The saved state has {} points on strands, the scene {}: the shot's hair has changed.",
            state.rod_directors.size() / 3, assembled_.start.rod_directors.size() / 3));
    if (cache_.size() == 0) {
        auto start = std::make_shared<CachedFrame>();
        start->state = assembled_.start;
        start->report.frame = first_frame();
        cache_.store(first_frame(), start);
    }
    auto entry = std::make_shared<CachedFrame>();
    entry->state = std::move(state);
    entry->report.frame = frame;
    entry->report.max_strain = max_strain(*assembled_.scene, entry->state.x);
    entry->report.broken_links = int(entry->state.broken.sum());
    cache_.drop_after(frame - 1);
    cache_.store(frame, entry);
}

void Session::restore_among_others(int frame, State state)
{
    state.strand_contacts.clear();
    state.strand_forces.resize(0);
    state.strand_loads.resize(0);
    Drive drive = drive_->sample(frame, frame, state.colliders);
    Eigen::Index first = 0;
    for (VecX& x : drive.collider_1) { // where they got to
        if (first + x.size() <= state.colliders.size())
            x = state.colliders.segment(first, x.size());
        first += x.size();
    }
    state.released = releases_among(metric_, *assembled_.scene, state.x, drive, frame, *log_);
    restore(frame, std::move(state));
}

void Session::reset()
{
    cache_.clear();
    assemble();
}

void Session::invalidate_after(int frame)
{
    if (frame < first_frame()) return reset();
    cache_.drop_after(frame);
    // Samplers remember what they read.
    drive_ = std::make_unique<DriveSampler>(metric_, assembled_, *log_);
    local_space_ = std::make_unique<LocalSpace>(metric_, assembled_.scene);
}

void Session::set_parameters(const SessionSetup& changed)
{
    const int until = agree_until(setup_, changed);
    setup_ = changed;
    cache_.set_limit(cache_bytes(setup_));
    if (until < first_frame()) return reset();
    assemble();
    cache_.drop_after(until);
}

} // namespace selvage
