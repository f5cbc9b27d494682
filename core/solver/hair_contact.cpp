#include "core/solver/hair_contact.h"

#include "core/base/parallel.h"
#include "core/base/stopwatch.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <atomic>

namespace selvage
{
namespace
{

/// Rows: the normal and two tangents.
Mat3 contact_frame(const Vec3& normal)
{
    Mat3 F;
    F.row(0) = normal;
    F.row(1) = normal.unitOrthogonal();
    F.row(2) = normal.cross(F.row(1).transpose());
    return F;
}

} // namespace

HairContactSolver::HairContactSolver(std::vector<RodStep>& steps,
                                     const std::vector<RodPlace>& places,
                                     const HairContactSettings& settings)
    : steps_(steps), places_(places), settings_(settings)
{
}

std::size_t HairContactSolver::bytes() const
{
    std::size_t sum = islands_.bytes() + contacts_.capacity() * sizeof(Contact);
    for (const TouchedRod& r : touched_)
        sum += sizeof(TouchedRod) + r.compliance.bytes() +
               (r.v.capacity() + r.force.capacity()) * sizeof(double) +
               (r.before.capacity() + r.momentum.capacity()) * sizeof(float);
    return sum;
}

void HairContactSolver::collect(const std::vector<StrandContact>& contacts, const VecX& given,
                                const std::vector<Vec3>& forces)
{
    // Points that contacts push, rod by rod.
    std::vector<std::vector<int>> points(4 * steps_.size());
    std::vector<std::array<int, 2>> bodies(contacts.size(), {-1, -1});
    for (std::size_t c = 0; c < contacts.size(); ++c)
        for (std::size_t i = 0; i < 4; ++i) {
            const std::int32_t v = contacts[c].vertex[i];
            if (v < 0 || places_[std::size_t(v)].rod < 0) continue;
            const RodPlace& place = places_[std::size_t(v)];
            const std::size_t rod = std::size_t(place.rod);
            if (!steps_[rod / 4].free(rod % 4, std::size_t(place.point))) continue;
            points[rod].push_back(place.point);
            bodies[c][contacts[c].weight[i] > 0 ? 0 : 1] = place.rod;
        }
    touched_.clear(), groups_.clear();
    touched_of_rod_.assign(points.size(), -1);
    for (std::size_t rod = 0; rod < points.size(); ++rod) {
        std::vector<int>& p = points[rod];
        if (p.empty()) continue;
        std::sort(p.begin(), p.end());
        p.erase(std::unique(p.begin(), p.end()), p.end());
        touched_of_rod_[rod] = int(touched_.size());
        TouchedRod t{int(rod), RodCompliance(std::move(p)), {}, {}, {}, {}};
        t.v.assign(4 * std::size_t(t.compliance.slots()), 0.0);
        t.force.assign(3 * std::size_t(t.compliance.slots()), 0.0);
        t.before.assign(t.v.size(), 0.0F);
        t.momentum = t.before;
        touched_.push_back(std::move(t));
        if (groups_.empty() || groups_.back() != rod / 4) groups_.push_back(rod / 4);
    }
    islands_ = contact_islands(bodies, int(points.size()));
    for (std::size_t k = 0; k < islands_.islands.size(); ++k)
        for (const int rod : islands_.islands[k].bodies)
            touched_[std::size_t(touched_of_rod_[std::size_t(rod)])].island = int(k);
    active_.assign(islands_.islands.size(), 1);

    contacts_.resize(contacts.size());
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const StrandContact& from = contacts[std::size_t(islands_.order[k])];
        Contact& c = contacts_[k];
        c.frame = contact_frame(from.normal);
        c.weight = from.weight;
        Vec3 moved = Vec3::Zero();
        for (std::size_t i = 0; i < 4; ++i) {
            c.rod[i] = c.slot[i] = -1;
            const std::int32_t v = from.vertex[i];
            if (v < 0) continue;
            const RodPlace& place = places_[std::size_t(v)];
            if (place.rod >= 0) {
                const int touched = touched_of_rod_[std::size_t(place.rod)];
                if (touched >= 0)
                    c.slot[i] = touched_[std::size_t(touched)].compliance.slot(place.point);
                if (c.slot[i] >= 0) c.rod[i] = touched;
            }
            moved += c.weight[i] * given.segment<3>(3 * v);
        }
        c.given = c.frame * moved + Vec3(from.slack, 0, 0);
        c.friction = from.friction;
        c.tolerance = settings_.precision * from.thickness;
        const Vec3& f = forces[std::size_t(islands_.order[k])];
        c.force = c.frame * f;
        if (c.force[0] < 0) c.force.setZero();
        c.before = c.momentum = Vec3::Zero();
    }
    gather_forces();
}

void HairContactSolver::gather_forces()
{
    parallel_for(islands_.islands.size(), 16, [&](std::size_t k) {
        if (!active_[k]) return;
        const auto& island = islands_.islands[k];
        for (const int rod : island.bodies) {
            auto& force = touched_[std::size_t(touched_of_rod_[std::size_t(rod)])].force;
            std::fill(force.begin(), force.end(), 0.0);
        }
        for (int n = island.first_contact; n < island.last_contact; ++n) {
            const Contact& c = contacts_[std::size_t(n)];
            const Vec3 world = c.frame.transpose() * c.force;
            for (std::size_t i = 0; i < 4; ++i)
                if (c.rod[i] >= 0)
                    Eigen::Map<Vec3>(touched_[std::size_t(c.rod[i])].force.data() +
                                     3 * c.slot[i]) += c.weight[i] * world;
        }
    });
}

/// Two places of one rod between which it is stiff do not yield: they move together, and their
/// response is the small difference of large numbers, of which single precision leaves noise,
/// perhaps of the wrong sign.
void HairContactSolver::set_response(Contact& c) const
{
    constexpr double least = 1e-5; // part of what cancels; noise is about 1e-7 of it
    Mat3 D = Mat3::Zero();
    double cancels = 0;
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j)
            if (c.rod[i] >= 0 && c.rod[i] == c.rod[j]) {
                const Mat3 part =
                    c.weight[i] * c.weight[j] *
                    touched_[std::size_t(c.rod[i])].compliance.block(c.slot[i], c.slot[j]);
                D += part;
                if (c.weight[i] * c.weight[j] < 0) cancels += part.norm();
            }
    c.W = c.frame * D * c.frame.transpose();
    c.yields = c.W(0, 0) > least * cancels;
}

RodVector HairContactSolver::forces_on(std::size_t group) const
{
    RodVector force(4 * std::size_t(steps_[group].group().points) + rod_band, Real4(0.0));
    for (std::size_t lane = 0; lane < 4; ++lane) {
        const int touched = touched_of_rod_[4 * group + lane];
        if (touched < 0) continue;
        const TouchedRod& r = touched_[std::size_t(touched)];
        for (int s = 0; s < r.compliance.slots(); ++s)
            for (int k = 0; k < 3; ++k)
                force[std::size_t(4 * r.compliance.points()[std::size_t(s)] + k)][lane] =
                    r.force[std::size_t(3 * s + k)];
    }
    return force;
}

void HairContactSolver::linearise(bool at_prediction, HairContactReport& report)
{
    const bool inertia_only = settings_.method == HairContact::impulse;
    std::atomic<int> refreshed{0};
    parallel_chunks(groups_.size(), 4, [&](std::size_t first, std::size_t last) {
        RodScratch scratch;
        for (std::size_t k = first; k < last; ++k) {
            const std::size_t g = groups_[k];
            std::array<RodCompliance*, 4> wanted{};
            Real4 lanes(0.0);
            bool refresh = false; // all others know their displacements from the sweeps
            for (std::size_t lane = 0; lane < 4; ++lane) {
                const int touched = touched_of_rod_[4 * g + lane];
                if (touched < 0) continue;
                TouchedRod& r = touched_[std::size_t(touched)];
                if (!active_[std::size_t(r.island)] || !r.refresh) continue;
                wanted[lane] = &r.compliance, lanes[lane] = 1, refresh = true;
                ++refreshed;
            }
            if (!refresh) continue;
            const RodVector forces = forces_on(g);
            steps_[g].linearise(lanes > Real4(0.0),
                                at_prediction ? steps_[g].predicted_force() : forces);
            const Mask4 definite = steps_[g].evaluate_model(inertia_only, scratch);
            compute_compliance(scratch.hessian, wanted);
            steps_[g].direction(forces, scratch);
            for (std::size_t lane = 0; lane < 4; ++lane) {
                const int touched = touched_of_rod_[4 * g + lane];
                if (touched < 0) continue;
                TouchedRod& r = touched_[std::size_t(touched)];
                r.lost = r.lost || !definite[lane];
                for (int s = 0; s < r.compliance.slots(); ++s) {
                    const std::size_t point = std::size_t(r.compliance.points()[std::size_t(s)]);
                    const Vec3 d = steps_[g].displacement(lane, point);
                    for (std::size_t c = 0; c < 3; ++c)
                        r.v[std::size_t(4 * s) + c] =
                            d[Eigen::Index(c)] + scratch.direction[4 * point + c][lane];
                }
            }
        }
    });
    report.refreshed += refreshed;
    parallel_for(islands_.islands.size(), 16, [&](std::size_t k) {
        if (!active_[k]) return;
        const auto& island = islands_.islands[k];
        for (int c = island.first_contact; c < island.last_contact; ++c) {
            Contact& contact = contacts_[std::size_t(c)];
            bool changed = false;
            for (const int rod : contact.rod)
                changed = changed || (rod >= 0 && touched_[std::size_t(rod)].refresh);
            if (changed) set_response(contact);
        }
    });
}

void HairContactSolver::move_rods()
{
    const bool adaptive = settings_.method == HairContact::adaptive;
    parallel_chunks(groups_.size(), 4, [&](std::size_t first, std::size_t last) {
        RodScratch scratch;
        for (std::size_t k = first; k < last; ++k) {
            const std::size_t g = groups_[k];
            Real4 lanes(0.0);
            for (std::size_t lane = 0; lane < 4; ++lane) {
                const int touched = touched_of_rod_[4 * g + lane];
                if (touched >= 0 && active_[std::size_t(touched_[std::size_t(touched)].island)])
                    lanes[lane] = 1;
            }
            const Mask4 moving = lanes > Real4(0.0);
            if (all_lanes(!moving)) continue;
            steps_[g].evaluate_model(settings_.method == HairContact::impulse, scratch);
            steps_[g].direction(forces_on(g), scratch);
            Real4 largest(0.0);
            for (std::size_t i = 0; i < scratch.direction.size(); ++i)
                if (i % 4 < 3) largest = maximum(largest, absolute(scratch.direction[i]));
            const double limit = adaptive ? settings_.stretch : infinity;
            const Mask4 over = steps_[g].move(moving, limit, scratch);
            Real4 strain(0.0);
            if (!all_lanes(!over)) strain = steps_[g].max_strain();
            for (std::size_t lane = 0; lane < 4; ++lane) {
                const int touched = touched_of_rod_[4 * g + lane];
                if (touched < 0 || lanes[lane] == 0) continue;
                TouchedRod& r = touched_[std::size_t(touched)];
                r.refresh = over[lane] && !(largest[lane] <= settings_.move);
                r.lost = r.lost || !(strain[lane] <= settings_.runaway);
            }
        }
    });
}

HairContactReport HairContactSolver::solve(const std::vector<StrandContact>& contacts,
                                           const std::vector<std::uint64_t>& known,
                                           const VecX& given, std::vector<Vec3>& forces,
                                           int iterations)
{
    HairContactReport report;
    collect(contacts, given, forces);
    for (std::size_t k = 0; k < active_.size(); ++k) {
        const auto& island = islands_.islands[k];
        active_[k] = std::any_of(islands_.order.begin() + island.first_contact,
                                 islands_.order.begin() + island.last_contact, [&](int c) {
                                     return !std::binary_search(known.begin(), known.end(),
                                                                contacts[std::size_t(c)].key());
                                 });
    }
    report.islands = int(islands_.islands.size());
    for (const auto& island : islands_.islands)
        report.largest_island = std::max(report.largest_island, island.contacts());

    std::vector<char> lost(active_.size(), 0); // islands
    const bool once = settings_.method != HairContact::adaptive;
    const int most = once ? 1 : iterations;
    for (int iteration = 0; iteration < most; ++iteration) {
        if (settings_.cancel && settings_.cancel->requested()) break;
        const auto begin = Clock::now();
        linearise(predicted_, report);
        predicted_ = false;
        report.seconds_compliance += seconds_since(begin);

        const auto sweeps_begin = Clock::now();
        std::vector<int> sweeps(islands_.islands.size(), 0);
        std::vector<std::size_t> small, large;
        for (std::size_t k = 0; k < islands_.islands.size(); ++k)
            if (active_[k]) (is_large(islands_.islands[k]) ? large : small).push_back(k);
        parallel_for(small.size(), 1,
                     [&](std::size_t i) { sweeps[small[i]] = relax(islands_.islands[small[i]]); });
        for (const std::size_t k : large) sweeps[k] = relax(islands_.islands[k]);
        gather_forces();
        report.seconds_sweeps += seconds_since(sweeps_begin);
        if (!sweeps.empty()) report.sweeps += *std::max_element(sweeps.begin(), sweeps.end());

        move_rods();
        report.newton_iterations = iteration + 1;

        // Islands with stretched rods go on; they alone take their stiffness anew.
        std::fill(active_.begin(), active_.end(), 0);
        for (const TouchedRod& rod : touched_)
            if (rod.refresh) active_[std::size_t(rod.island)] = 1;
        for (const TouchedRod& rod : touched_)
            if (rod.lost) active_[std::size_t(rod.island)] = 0, lost[std::size_t(rod.island)] = 1;
        if (std::count(active_.begin(), active_.end(), 1) == 0) break;
    }
    for (const TouchedRod& r : touched_)
        if (!once && (active_[std::size_t(r.island)] || lost[std::size_t(r.island)]))
            report.failed_rods.push_back(r.rod);
    report.ran_away = std::count(lost.begin(), lost.end(), 1) > 0;
    for (std::size_t k = 0; k < contacts.size(); ++k)
        forces[std::size_t(islands_.order[k])] =
            contacts_[k].frame.transpose() * contacts_[k].force;
    return report;
}

} // namespace selvage
