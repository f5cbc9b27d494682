#include "core/solver/rod_loads.h"

#include "core/solver/lanes.h"

namespace selvage
{
namespace
{

/// [kg/(m·s)] Drag per length and speed of a cylinder of radius r in air that meets it sideways:
/// ½ ρ C 2r u with C = 1 + 10 Re^(−2/3) [White 1991, for Re = 2 r u/ν from 1 to 10⁵], ν that of
/// air.
double drag_across(double air_density, double radius, double speed)
{
    constexpr double viscosity = 1.5e-5; // [m²/s]
    const double reynolds = 2 * radius * speed / viscosity;
    if (!(reynolds > 1e-9)) return 0;
    return air_density * radius * speed * (1 + 10 / std::cbrt(reynolds * reynolds));
}

/// Calls visit(hair, lane, i, rod point k, end of its strand) for the points of all four lanes.
template <class Visit> void for_lanes(const Scene& scene, const RodGroup& group, const Visit& visit)
{
    for (std::size_t lane = 0; lane < 4; ++lane) {
        const Hair& hair = scene.hairs[std::size_t(group.hair[lane])];
        const std::size_t strand = std::size_t(group.strand[lane]);
        const int begin = hair.strand_begin[strand], end = hair.strand_begin[strand + 1];
        for (int k = begin; k < end; ++k) visit(hair, lane, std::size_t(k - begin), k, end);
    }
}

} // namespace

void add_pull(RodProblem& p, std::size_t lane, std::size_t i, const Mat3& K, const Vec3& place)
{
    Sym3R& A = p.weight[i];
    A.xx[lane] += K(0, 0), A.xy[lane] += K(0, 1), A.xz[lane] += K(0, 2);
    A.yy[lane] += K(1, 1), A.yz[lane] += K(1, 2), A.zz[lane] += K(2, 2);
    set_lane(p.load[i], lane,
             get_lane(p.load[i], lane) - K * (get_lane(p.center[i], lane) - place));
}

void add_targets(const RodStart& s, RodProblem& problem)
{
    for_lanes(s.scene, s.group, [&](const Hair& hair, std::size_t lane, std::size_t i, int k, int) {
        if (!(hair.target_rate[k] > 0)) return;
        const int point = hair.points[std::size_t(k)];
        const double m = s.scene.mass[hair.first_vertex + point];
        const VecX& groom = s.drive.hair[std::size_t(s.group.hair[lane])].x;
        add_pull(problem, lane, i, m * hair.target_rate[k] * hair.target_rate[k] * Mat3::Identity(),
                 groom.segment<3>(3 * point) - s.origin[lane]);
    });
}

void add_drag(const RodStart& s, const WindField& wind, RodProblem& problem)
{
    if (!(s.drive.air_density > 0)) return;
    for_lanes(
        s.scene, s.group, [&](const Hair& hair, std::size_t lane, std::size_t i, int k, int end) {
            if (!(hair.material.drag > 0)) return;
            const int vertex = hair.first_vertex + hair.points[std::size_t(k)];
            const Vec3 air = wind.at(s.state.x.segment<3>(3 * vertex), s.state.time);
            const double speed = (s.state.v.segment<3>(3 * vertex) - air).norm();
            const bool last = k + 1 == end;
            const double before = i > 0 ? double(s.shape.length[i - 1][lane]) : 0.0;
            const double after = last ? 0.0 : double(s.shape.length[i][lane]);
            const double across = hair.material.drag * 0.5 * (before + after) *
                                  drag_across(s.drive.air_density, hair.radius[k], speed);
            if (!(across > 0)) return;
            const Vec3 t = get_lane(s.shape.tangent[last ? i - 1 : i], lane);
            const Mat3 K = across / s.scheme.h_eff * (Mat3::Identity() - 0.5 * t * t.transpose());
            const Vec3 x_star = s.scheme.x_star.segment<3>(3 * vertex) - s.origin[lane];
            add_pull(problem, lane, i, K, x_star + s.scheme.h_eff * air);
        });
}

} // namespace selvage
