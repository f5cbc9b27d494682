#include "core/solver/hair_advance.h"

#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/model/scene_contact.h"
#include "core/solver/stepper.h"

#include <Eigen/Geometry>

#include <algorithm>

namespace selvage
{
namespace
{

constexpr int most_halvings = 5;
constexpr int most_searches = 4;
/// Newton iterations between searches, and after the last: it does not pay to be exact about
/// contacts of which the next search finds more.
constexpr int iterations_between = 2, iterations_at_last = 50;
constexpr int only_sweeps = 100;         // of methods with a single iteration
constexpr double correction_speed = 0.1; // [m/s] at which overlaps of the start are undone

VecX stacked(const std::vector<Vec3>& forces)
{
    VecX f(3 * Eigen::Index(forces.size()));
    for (std::size_t k = 0; k < forces.size(); ++k) f.segment<3>(3 * Eigen::Index(k)) = forces[k];
    return f;
}

StrandNumber strand_of(const std::vector<RodGroup>& groups, int rod)
{
    const RodGroup& g = groups[std::size_t(rod / 4)];
    return {g.hair[std::size_t(rod % 4)], g.strand[std::size_t(rod % 4)]};
}

template <class Visit> void for_vertices(const Scene& scene, const StrandNumber& s, Visit&& visit)
{
    const Hair& hair = scene.hairs[std::size_t(s.hair)];
    const std::size_t strand = std::size_t(s.strand);
    for (int k = hair.strand_begin[strand]; k < hair.strand_begin[strand + 1]; ++k)
        visit(hair.first_vertex + hair.points[std::size_t(k)], hair.first_rod_point + k);
}

/// Positions of all vertices of the contact mesh.
VecX with_colliders(const VecX& x, const std::vector<VecX>& colliders)
{
    const VecX c = stacked_colliders(colliders);
    VecX all(x.size() + c.size());
    all << x, c;
    return all;
}

/// The drive of the first or second half of a step.
Drive half_of(const Scene& scene, const Drive& drive, const State& state, bool second)
{
    Drive d = drive;
    for (std::size_t c = 0; c < d.collider_0.size(); ++c) {
        const VecX middle = 0.5 * (drive.collider_0[c] + drive.collider_1[c]);
        (second ? d.collider_0 : d.collider_1)[c] = middle;
    }
    d.x_start.resize(0);
    if (second) return d;
    for (std::size_t k = 0; k < d.hair.size(); ++k) {
        const Hair& hair = scene.hairs[k];
        HairDrive& h = d.hair[k];
        h.x = 0.5 * (h.x + state.x.segment(3 * hair.first_vertex, 3 * hair.point_count));
        if (h.directors.size() == 0) continue;
        for (int s = 0; s < hair.strand_count(); ++s) {
            const int rod = hair.first_rod_point + hair.strand_begin[std::size_t(s)];
            const Vec3 m = h.directors.segment<3>(3 * s) + state.rod_directors.segment<3>(3 * rod);
            h.directors.segment<3>(3 * s) = m.normalized();
        }
    }
    return d;
}

/// What the next step starts from. Nothing of islands that failed: their forces are no solution.
/// Loads only of strands whose contacts all rest: where one moves on by more than its thickness,
/// the next step has other contacts, and under the forces of those that it has left a strand would
/// be flung.
void remember_contacts(const std::vector<StrandContact>& contacts, const std::vector<Vec3>& forces,
                       const StrandContactQuery& query, const std::vector<RodPlace>& places,
                       const std::vector<char>& failed, HairAdvance::Outcome& out)
{
    const auto each_free = [&](const StrandContact& c, auto&& visit) {
        for (std::size_t i = 0; i < 4; ++i) {
            const std::int32_t v = c.vertex[i];
            if (v >= 0 && query.movable[std::size_t(v)])
                visit(v, c.weight[i], std::size_t(places[std::size_t(v)].rod));
        }
    };
    const auto between = [](const StrandContact& c, const VecX& x) {
        Vec3 r = Vec3::Zero();
        for (std::size_t i = 0; i < 4; ++i)
            if (c.vertex[i] >= 0) r += c.weight[i] * x.segment<3>(3 * c.vertex[i]);
        return r;
    };
    std::vector<char> moves_on = failed; // by rod
    std::vector<Vec3> kept;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const StrandContact& c = contacts[k];
        bool solved = true;
        each_free(c, [&](int, double, std::size_t rod) { solved = solved && !failed[rod]; });
        if (!solved) continue;
        out.contacts.push_back(c.key());
        kept.push_back(forces[k]);
        const Vec3 r = between(c, query.x_1);
        out.report.min_gap = std::min(out.report.min_gap, r.norm() - c.thickness);
        if (forces[k] != Vec3::Zero() && (r - between(c, query.x_0)).norm() > c.thickness)
            each_free(c, [&](int, double, std::size_t rod) { moves_on[rod] = 1; });
    }
    out.forces = stacked(kept);
    for (std::size_t k = 0; k < contacts.size(); ++k)
        each_free(contacts[k], [&](int v, double weight, std::size_t rod) {
            if (!moves_on[rod]) out.loads.segment<3>(3 * v) += weight * forces[k];
        });
}

/// Those that the strands of shorter steps ended with, which are none of the others'.
void add_contacts(const State& at, HairAdvance::Outcome& out)
{
    std::vector<std::uint64_t> keys;
    std::vector<Vec3> forces;
    const auto &a = out.contacts, &b = at.strand_contacts;
    for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
        const bool first = j == b.size() || (i < a.size() && a[i] < b[j]);
        keys.push_back(first ? a[i] : b[j]);
        const VecX& from = first ? out.forces : at.strand_forces;
        std::size_t& next = first ? i : j;
        forces.push_back(from.segment<3>(3 * Eigen::Index(next++)));
    }
    out.contacts.swap(keys);
    out.forces = stacked(forces);
}

} // namespace

HairAdvance::HairAdvance(const Scene& scene, const ContactMesh& mesh, StrandContactSearch& search,
                         StrandCohesion* cohesion, const StepSettings& settings,
                         const Cancel& cancel)
    : scene_(scene),
      mesh_(mesh),
      search_(search),
      cohesion_(cohesion),
      settings_(settings),
      cancel_(cancel)
{
}

HairAdvance::Outcome HairAdvance::advance(const std::vector<RodGroup>& groups, const Drive& drive,
                                          const State& state, const TimeScheme& scheme, double h,
                                          State& next, int halvings)
{
    Outcome out;
    const auto begin = Clock::now();
    const WindField wind(drive.wind, drive.turbulence);
    const double tolerance = settings_.tolerance * diagonal_of(state.x) * h;
    VecX pull;
    if (cohesion_) pull = cohesion_->forces(state.x);
    std::vector<RodStep> steps(groups.size());
    std::vector<RodNewtonOutcome> newton(groups.size());
    parallel_chunks(groups.size(), 8, [&](std::size_t first, std::size_t last) {
        RodScratch scratch;
        for (std::size_t g = first; g < last && !cancel_.requested(); ++g) {
            steps[g] = RodStep(scene_, groups[g], drive, state, scheme, wind, h, pull);
            newton[g] = steps[g].predict({tolerance, settings_.max_iterations}, scratch);
            steps[g].store(next, h);
        }
    });
    out.report.seconds.assembly = seconds_since(begin);
    if (cancel_.requested()) return out;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const RodNewtonOutcome& o = newton[g];
        out.report.backtracks += o.backtracks;
        for (int l = 0; l < groups[g].strands; ++l) {
            const std::size_t lane = std::size_t(l);
            out.report.iterations = std::max(out.report.iterations, int(o.iterations[lane]));
            out.report.residual = std::max(out.report.residual, o.residual[lane] / h);
            if (o.converged[lane] > 0) continue;
            if (out.stuck++ == 0) out.first_stuck = strand_of(groups, int(4 * g) + l);
        }
    }

    std::vector<int> failed;
    if (settings_.hair_contact != HairContact::none && scene_.collisions.enabled)
        resolve_contacts(groups, steps, drive, state, h, next, out, failed);
    if (cancel_.requested()) return out;
    std::vector<char> halved(4 * groups.size(), 0);
    for (const int rod : failed) halved[std::size_t(rod)] = 1;
    for (std::size_t g = 0; g < steps.size(); ++g) {
        const Real4 strain = steps[g].max_strain(), energy = steps[g].elastic_energy();
        for (int l = 0; l < groups[g].strands; ++l) {
            const std::size_t lane = std::size_t(l);
            if (halved[4 * g + lane]) continue;
            out.report.energy += energy[lane];
            if (!(strain[lane] <= out.report.max_strain)) out.report.max_strain = strain[lane];
        }
    }
    if (failed.empty()) return out;
    if (halvings < most_halvings) {
        take_halves(groups, failed, drive, state, h, next, halvings, out);
    } else {
        out.overstretched = int(failed.size());
        out.first_overstretched = strand_of(groups, failed.front());
        ignore_contacts(groups, failed, drive, state, scheme, h, next);
    }
    return out;
}

/// Strands for which there is no solution go where they would without contact.
void HairAdvance::ignore_contacts(const std::vector<RodGroup>& groups,
                                  const std::vector<int>& failed, const Drive& drive,
                                  const State& state, const TimeScheme& scheme, double h,
                                  State& next) const
{
    std::vector<StrandNumber> strands;
    for (const int rod : failed) strands.push_back(strand_of(groups, rod));
    const double tolerance = settings_.tolerance * diagonal_of(state.x) * h;
    const WindField wind(drive.wind, drive.turbulence);
    RodScratch scratch;
    for (const RodGroup& group : make_rod_groups(scene_, strands)) {
        RodStep step(scene_, group, drive, state, scheme, wind, h);
        step.predict({tolerance, settings_.max_iterations}, scratch);
        step.store(next, h);
    }
}

void HairAdvance::resolve_contacts(const std::vector<RodGroup>& groups, std::vector<RodStep>& steps,
                                   const Drive& drive, const State& state, double h, State& next,
                                   Outcome& out, std::vector<int>& failed)
{
    std::vector<RodPlace> places(std::size_t(mesh_.vertex_count()));
    StrandContactQuery query;
    query.movable.assign(places.size(), 0);
    query.correction = correction_speed * h;
    for (std::size_t g = 0; g < groups.size(); ++g)
        for_rod_points(scene_, groups[g], [&](std::size_t lane, std::size_t i, int, int vertex) {
            places[std::size_t(vertex)] = {int(4 * g + lane), int(i)};
            query.movable[std::size_t(vertex)] = steps[g].free(lane, i);
        });
    query.x_0 =
        with_colliders(drive.x_start.size() > 0 ? drive.x_start : state.x, drive.collider_0);

    HairContactSettings settings;
    settings.method = settings_.hair_contact;
    if (settings.method != HairContact::adaptive) // no iteration goes on from where they end
        settings.sweeps = settings.large_sweeps = only_sweeps;
    settings.stretch = settings_.hair_stretch;
    settings.cancel = &cancel_;
    settings.move = settings_.tolerance * diagonal_of(state.x) * h;
    HairContactSolver solver(steps, places, settings);
    std::vector<StrandContact> contacts, found;
    std::vector<std::uint64_t> known;
    std::vector<Vec3> forces;
    const auto remembered = [&](std::uint64_t key) -> Vec3 {
        const auto& keys = state.strand_contacts;
        const auto at = std::lower_bound(keys.begin(), keys.end(), key);
        if (at == keys.end() || *at != key) return Vec3::Zero();
        return state.strand_forces.segment<3>(3 * (at - keys.begin()));
    };
    for (int pass = 0; pass < most_searches && !cancel_.requested(); ++pass) {
        const auto begin = Clock::now();
        query.x_1 = with_colliders(next.x, drive.collider_1);
        if (!query.x_1.allFinite()) break;
        search_.find(query, found);
        // What is there stays, with its forces.
        std::vector<StrandContact> all;
        std::vector<Vec3> all_forces;
        for (std::size_t i = 0, j = 0; i < contacts.size() || j < found.size();) {
            const bool old =
                i < contacts.size() && (j == found.size() || contacts[i].key() <= found[j].key());
            if (old && j < found.size() && found[j].key() == contacts[i].key()) ++j;
            all.push_back(old ? contacts[i] : found[j]);
            all_forces.push_back(old ? forces[i] : remembered(found[j].key()));
            ++(old ? i : j);
        }
        out.report.seconds.broad_phase += seconds_since(begin);
        const bool last = all.size() == contacts.size() || pass + 1 == most_searches;
        if (all.size() == contacts.size() && failed.empty()) break;
        contacts.swap(all), forces.swap(all_forces);

        VecX given = query.x_1 - query.x_0;
        for (std::size_t v = 0; v < places.size(); ++v)
            if (query.movable[v])
                given.segment<3>(3 * Eigen::Index(v)) = state.x.segment<3>(3 * Eigen::Index(v)) -
                                                        query.x_0.segment<3>(3 * Eigen::Index(v));
        const HairContactReport r = solver.solve(contacts, known, given, forces,
                                                 last ? iterations_at_last : iterations_between);
        out.report.linear_iterations += r.sweeps;
        out.report.iterations += r.newton_iterations;
        out.report.seconds.assembly += r.seconds_compliance;
        out.report.seconds.linear += r.seconds_sweeps;
        out.report.contact_bytes = std::max(out.report.contact_bytes, solver.bytes());
        parallel_for(steps.size(), 16, [&](std::size_t g) { steps[g].store(next, h); });
        failed = r.failed_rods;
        if (r.ran_away || (last && !failed.empty()) || settings.method != HairContact::adaptive)
            break;
        known.clear();
        if (!failed.empty()) continue; // all go on
        for (const StrandContact& c : contacts) known.push_back(c.key());
    }
    out.report.contacts = int(contacts.size());
    query.x_1 = with_colliders(next.x, drive.collider_1);
    std::vector<char> unsolved(4 * steps.size(), 0);
    for (const int rod : failed) unsolved[std::size_t(rod)] = 1;
    out.loads = VecX::Zero(contacts.empty() ? 0 : state.x.size());
    remember_contacts(contacts, forces, query, places, unsolved, out);
    if (settings.method != HairContact::adaptive) out.loads.resize(0);
}

void HairAdvance::take_halves(const std::vector<RodGroup>& groups, const std::vector<int>& failed,
                              const Drive& drive, const State& state, double h, State& next,
                              int halvings, Outcome& out)
{
    std::vector<StrandNumber> strands;
    for (const int rod : failed) strands.push_back(strand_of(groups, rod));
    out.halved = int(strands.size());
    const std::vector<RodGroup> part = make_rod_groups(scene_, strands);
    State at = state;
    for (const bool second : {false, true}) {
        const Drive d = half_of(scene_, drive, at, second);
        const TimeScheme scheme = time_scheme(at, h / 2, Integrator::bdf1);
        State end = at;
        end.x = second ? next.x : VecX(0.5 * (state.x + next.x));
        const Outcome o = advance(part, d, at, scheme, h / 2, end, halvings + 1);
        selvage::advance(at, scheme, end.x, h / 2);
        at.rod_directors = end.rod_directors;
        at.rod_twists = end.rod_twists, at.rod_spins = end.rod_spins;
        at.strand_loads = o.loads.size() > 0 ? o.loads : VecX::Zero(at.x.size());
        at.strand_contacts = o.contacts, at.strand_forces = o.forces;
        for (const auto& [vertex, v] : o.velocities) at.v.segment<3>(3 * vertex) = v;
        out.report.linear_iterations += o.report.linear_iterations;
        out.report.iterations += o.report.iterations;
        out.report.max_strain = std::max(out.report.max_strain, o.report.max_strain);
        out.report.min_gap = std::min(out.report.min_gap, o.report.min_gap);
        if (second) out.report.energy += o.report.energy;
        out.report.seconds += o.report.seconds;
        out.halved = std::max(out.halved, o.halved);
        if (o.overstretched > 0 && out.overstretched == 0)
            out.first_overstretched = o.first_overstretched;
        out.overstretched += o.overstretched;
    }
    add_contacts(at, out);
    for (const StrandNumber& s : strands)
        for_vertices(scene_, s, [&](int vertex, int rod) {
            next.x.segment<3>(3 * vertex) = at.x.segment<3>(3 * vertex);
            next.rod_directors.segment<3>(3 * rod) = at.rod_directors.segment<3>(3 * rod);
            next.rod_twists[rod] = at.rod_twists[rod];
            next.rod_spins[rod] = at.rod_spins[rod];
            out.velocities.emplace_back(vertex, at.v.segment<3>(3 * vertex));
            out.loads.segment<3>(3 * vertex) = at.strand_loads.segment<3>(3 * vertex);
        });
}

} // namespace selvage
