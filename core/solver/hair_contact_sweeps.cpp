#include "core/base/parallel.h"
#include "core/contact/coulomb_contact.h"
#include "core/solver/hair_contact.h"

#include <algorithm>
#include <cmath>

namespace selvage
{
namespace
{

constexpr std::size_t contact_grain = 512, rod_grain = 64;

/// All threads for large islands; the others run beside each other.
template <class Body> void for_all(bool large, std::size_t count, std::size_t grain, Body&& body)
{
    if (large)
        parallel_for(count, grain, body);
    else
        for (std::size_t i = 0; i < count; ++i) body(i);
}

} // namespace

/// Returns how much it changed the relative displacement, in units of its tolerance.
double HairContactSolver::sweep_contact(Contact& c)
{
    Vec3 moved = Vec3::Zero();
    for (std::size_t i = 0; i < 4; ++i)
        if (c.rod[i] >= 0)
            moved += c.weight[i] * Eigen::Map<const Vec3>(touched_[std::size_t(c.rod[i])].v.data() +
                                                          4 * c.slot[i]);
    const Vec3 u = c.frame * moved + c.given;
    const Vec3 b = u - c.W * c.force;
    if (!(c.yields && b[0] < 0) && c.force == Vec3::Zero()) return 0;
    Vec3 force = Vec3::Zero();
    if (c.yields) force = solve_coulomb({c.W, b, c.friction}).force;
    const Vec3 change = force - c.force;
    const double size = (c.W * change).norm() / c.tolerance;
    if (c.yields && !(size > 1e-3)) return 0;
    c.force = force;
    const Vec3 push = c.frame.transpose() * change;
    for (std::size_t i = 0; i < 4; ++i) {
        if (c.rod[i] < 0) continue;
        TouchedRod& r = touched_[std::size_t(c.rod[i])];
        if (i < 3 && c.rod[i + 1] == c.rod[i] && c.slot[i + 1] == c.slot[i] + 1) {
            r.compliance.add_response(c.slot[i], c.weight[i] * push, c.weight[i + 1] * push,
                                      r.v.data());
            ++i;
        } else {
            r.compliance.add_response(c.slot[i], c.weight[i] * push, r.v.data());
        }
    }
    return size;
}

HairContactSolver::Change HairContactSolver::sweep_island(const ContactIslands::Island& island)
{
    Change sum;
    const bool large = is_large(island);
    std::vector<Change> parts;
    for (std::size_t colour = 0; colour + 1 < island.colours.size(); ++colour) {
        const int first = island.colours[colour], last = island.colours[colour + 1];
        const auto sweep_unit = [&](int unit) {
            Change change;
            const ContactIslands::Unit& u = islands_.units[std::size_t(unit)];
            for (int k = u.begin; k < u.end; ++k)
                change.add(sweep_contact(contacts_[std::size_t(k)]), settings_.precision);
            return change;
        };
        if (!large || last - first < 64) {
            for (int unit = first; unit < last; ++unit) sum.add(sweep_unit(unit));
            continue;
        }
        parts.resize(std::size_t(last - first));
        parallel_for(parts.size(), 32,
                     [&](std::size_t i) { parts[i] = sweep_unit(first + int(i)); });
        for (const Change& c : parts) sum.add(c);
    }
    return sum;
}

void HairContactSolver::remember(const ContactIslands::Island& island)
{
    const bool large = is_large(island);
    for_all(large, std::size_t(island.contacts()), contact_grain, [&](std::size_t i) {
        Contact& c = contacts_[std::size_t(island.first_contact) + i];
        c.before = c.force;
    });
    for_all(large, island.bodies.size(), rod_grain, [&](std::size_t i) {
        TouchedRod& r = touched_[std::size_t(touched_of_rod_[std::size_t(island.bodies[i])])];
        for (std::size_t k = 0; k < r.v.size(); ++k) r.before[k] = float(r.v[k]);
    });
}

/// Forces go on by `keep` times their momentum, which then is that plus their last change.
/// Displacements are linear in forces and do the same.
void HairContactSolver::extrapolate(const ContactIslands::Island& island, double keep)
{
    const bool large = is_large(island);
    for_all(large, std::size_t(island.contacts()), contact_grain, [&](std::size_t i) {
        Contact& c = contacts_[std::size_t(island.first_contact) + i];
        const Vec3 change = c.force - c.before, kept = keep * c.momentum;
        c.force += kept;
        c.momentum = kept + change;
    });
    for_all(large, island.bodies.size(), rod_grain, [&](std::size_t i) {
        TouchedRod& r = touched_[std::size_t(touched_of_rod_[std::size_t(island.bodies[i])])];
        for (std::size_t k = 0; k < r.v.size(); ++k) {
            const double change = r.v[k] - double(r.before[k]);
            const double kept = keep * double(r.momentum[k]);
            r.v[k] += kept;
            r.momentum[k] = float(kept + change);
        }
    });
}

/// Sweeps as the gradient of nonlinear conjugate gradients [Silcowitz-Hansen, Niebe and Erleben
/// 2010]: what the first sweeps do not reach, because a push must travel through many strands, goes
/// on in the direction found before. Where changes grow, it starts anew.
int HairContactSolver::relax(const ContactIslands::Island& island)
{
    constexpr int plain_sweeps = 8;
    const int most = is_large(island) ? settings_.large_sweeps : settings_.sweeps;
    double last = 0;
    for (int n = 1;; ++n) {
        const bool accelerate = n > plain_sweeps;
        if (accelerate) remember(island);
        const Change change = sweep_island(island);
        if (!(change.largest > 1) || n >= most) return n;
        const double size = std::sqrt(change.squares / island.contacts());
        if (is_large(island) && !(size * settings_.precision > settings_.mean_precision)) return n;
        if (!accelerate) continue;
        extrapolate(island, last > 0 && size <= last ? size * size / (last * last) : 0);
        last = size;
    }
}

} // namespace selvage
