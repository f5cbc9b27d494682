#include "core/energy/directional_limit.h"

#include "core/energy/membrane_evaluate.h"

#include <algorithm>
#include <cmath>

namespace selvage
{
namespace
{

/// A strain along a way: value + slope α + curve α².
struct Path {
    double value, slope, curve;
};

struct Paths {
    Path warp, weft, gamma;
};

Paths paths(const Mat32& F, const Mat32& way)
{
    const auto thread = [&](int c) {
        return Path{0.5 * (F.col(c).squaredNorm() - 1), F.col(c).dot(way.col(c)),
                    0.5 * way.col(c).squaredNorm()};
    };
    return {thread(0),
            thread(1),
            {F.col(0).dot(F.col(1)), F.col(0).dot(way.col(1)) + F.col(1).dot(way.col(0)),
             way.col(0).dot(way.col(1))}};
}

/// Smallest α in (0, 1] at which the path comes to `level`, which it starts off; 1 where it does
/// not.
double first_crossing(const Path& p, double level)
{
    const double c = p.value - level, discriminant = p.slope * p.slope - 4 * p.curve * c;
    if (discriminant < 0) return 1;
    const double q = -0.5 * (p.slope + std::copysign(std::sqrt(discriminant), p.slope));
    double first = 1;
    for (const double root : {q != 0 ? c / q : 0, p.curve != 0 ? q / p.curve : 0})
        if (root > 0) first = std::min(first, root);
    return first;
}

double longest(const Path& p, double limit)
{
    if (limit == infinity) return 1;
    const double now = std::abs(p.value), allowed = now + most_of_limit * (limit - now);
    return std::min(first_crossing(p, allowed), first_crossing(p, -allowed));
}

bool move_beyond(double strain, double& limit)
{
    if (std::abs(strain) < limit) return false;
    limit = beyond_limit * std::abs(strain);
    return true;
}

double green(double stretch_limit)
{
    return stretch_limit > 0 ? stretch_limit * (1 + 0.5 * stretch_limit) : infinity;
}

} // namespace

double DirectionalLimitLaw::longest_step(const Mat32& F, const Mat32& way, const Moduli& m)
{
    const Paths p = paths(F, way);
    return std::min({longest(p.warp, m.warp), longest(p.weft, m.weft), longest(p.gamma, m.gamma)});
}

bool DirectionalLimitLaw::widen(const Mat32& F, Moduli& m)
{
    const Paths p = paths(F, Mat32::Zero());
    const bool warp = move_beyond(p.warp.value, m.warp), weft = move_beyond(p.weft.value, m.weft);
    return move_beyond(p.gamma.value, m.gamma) || warp || weft;
}

DirectionalLimitLaw::Moduli directional_limit(const MembraneModuli& m, double warp, double weft,
                                              double shear)
{
    orthotropic_constants(m); // refuses what is not positive definite
    const double one = 1 - m.poisson * m.poisson * m.young_weft / m.young_warp;
    return {m.young_warp / one, m.young_weft / one, m.poisson * m.young_weft / one, m.shear,
            green(warp),        green(weft),        shear > 0 ? shear : infinity};
}

SELVAGE_INSTANTIATE_MEMBRANE(DirectionalLimitLaw)

} // namespace selvage
