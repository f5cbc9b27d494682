#include "core/solver/rod_group.h"

#include "core/energy/rod_bend.h"
#include "core/solver/lanes.h"

#include <algorithm>

namespace selvage
{
namespace
{

using V = Vec3T<Real4>;

struct Lane {
    const Hair& hair;
    int strand, begin, n;
};

Lane lane_of(const Scene& scene, const RodGroup& group, std::size_t lane)
{
    const Hair& hair = scene.hairs[std::size_t(group.hair[lane])];
    const std::size_t strand = std::size_t(group.strand[lane]);
    return {hair, int(strand), hair.strand_begin[strand],
            hair.strand_begin[strand + 1] - hair.strand_begin[strand]};
}

} // namespace

std::vector<RodGroup> make_rod_groups(const Scene& scene, const std::vector<StrandNumber>& strands)
{
    std::vector<StrandNumber> all = strands;
    const auto points = [&](const StrandNumber& s) {
        const std::vector<int>& begin = scene.hairs[std::size_t(s.hair)].strand_begin;
        return begin[std::size_t(s.strand) + 1] - begin[std::size_t(s.strand)];
    };
    std::stable_sort(all.begin(), all.end(), [&](const StrandNumber& a, const StrandNumber& b) {
        return points(a) > points(b);
    });
    std::vector<RodGroup> groups;
    for (std::size_t i = 0; i < all.size(); i += 4) {
        RodGroup g;
        g.points = points(all[i]);
        g.strands = int(std::min<std::size_t>(4, all.size() - i));
        for (std::size_t lane = 0; lane < 4; ++lane) {
            const StrandNumber& s = all[std::min(i + lane, all.size() - 1)];
            g.hair[lane] = s.hair, g.strand[lane] = s.strand;
        }
        groups.push_back(g);
    }
    return groups;
}

std::vector<RodGroup> make_rod_groups(const Scene& scene)
{
    std::vector<StrandNumber> all;
    for (std::size_t h = 0; h < scene.hairs.size(); ++h)
        for (int s = 0; s < scene.hairs[h].strand_count(); ++s) all.push_back({int(h), s});
    return make_rod_groups(scene, all);
}

RodChainLaws rod_laws(const Scene& scene, const RodGroup& group,
                      const std::vector<HairDrive>& drive)
{
    const std::size_t n = std::size_t(group.points);
    RodChainLaws laws;
    laws.axial.assign(n, 0.0);
    laws.rest_length.assign(n, 1.0);
    laws.bend.assign(n, {{0.0, 0.0, 0.0}, 0.0, 0.0});
    laws.twist.assign(n, {0.0, 0.0});
    for (std::size_t lane = 0; lane < 4; ++lane) {
        const Lane l = lane_of(scene, group, lane);
        const Hair& hair = l.hair;
        const std::size_t of = std::size_t(group.hair[lane]);
        const bool driven = of < drive.size() && drive[of].rest.length.size() > 0;
        const VecX& length = rest_length(hair, drive, of);
        const VecX& curvature = driven ? drive[of].rest.curvature : hair.rest_curvature;
        const VecX& twist = driven ? drive[of].rest.twist : hair.rest_twist;
        for (int i = 0; i + 1 < l.n; ++i) {
            const int k = l.begin + i;
            const std::size_t at = std::size_t(i);
            const double r = 0.5 * (hair.radius[k] + hair.radius[k + 1]);
            laws.axial[at][lane] = rod_section(hair.material, r).axial;
            laws.rest_length[at][lane] = length[k];
            if (i == 0) continue;
            const RodSection section = rod_section(hair.material, hair.radius[k]);
            const double scale =
                hair.stiffness_scale[k] / bending_length(hair, length, l.strand, i);
            RodBendLaw<Real4>& bend = laws.bend[at];
            bend.stiffness.aa[lane] = scale * section.bend_about_2; // of κ1, which bends about m2
            bend.stiffness.bb[lane] = scale * section.bend_about_1;
            bend.curvature_1_rest[lane] = curvature[2 * k];
            bend.curvature_2_rest[lane] = curvature[2 * k + 1];
            laws.twist[at].stiffness[lane] = scale * section.twist;
            laws.twist[at].twist_rest[lane] = twist[k];
        }
    }
    return laws;
}

void add_viscosity(const Scene& scene, const RodGroup& group, const RodChainShape& start, double h,
                   RodChainLaws& laws)
{
    Real4 stretch, bend, twist; // β/h
    for (std::size_t lane = 0; lane < 4; ++lane) {
        const HairMaterial& m = scene.hairs[std::size_t(group.hair[lane])].material;
        stretch[lane] = m.rayleigh(m.stretch_damping) / h;
        bend[lane] = m.rayleigh(m.bend_damping) / h;
        twist[lane] = m.rayleigh(m.twist_damping) / h;
    }
    const Real4 one(1.0);
    const auto between = [&](const Real4& rest, const Real4& now, const Real4& b) {
        return (rest + b * now) / (one + b);
    };
    for (int i = 0; i + 1 < group.points; ++i) {
        const std::size_t at = std::size_t(i);
        // k L (l/L − 1)²/2 = (k/L)(l − L)²/2: the rest length moves, the stiffness k/L grows.
        const Real4 rest = between(laws.rest_length[at], start.length[at], stretch);
        laws.axial[at] = laws.axial[at] * (one + stretch) * rest / laws.rest_length[at];
        laws.rest_length[at] = rest;
        if (i == 0) continue;
        Real4 k1, k2;
        rod_curvature(start.vertex(i), k1, k2);
        RodBendLaw<Real4>& b = laws.bend[at];
        b.curvature_1_rest = between(b.curvature_1_rest, k1, bend);
        b.curvature_2_rest = between(b.curvature_2_rest, k2, bend);
        Sym2T<Real4>& B = b.stiffness;
        B = {(one + bend) * B.aa, (one + bend) * B.ab, (one + bend) * B.bb};
        RodTwistLaw<Real4>& t = laws.twist[at];
        t.twist_rest = between(t.twist_rest, start.twist[at], twist);
        t.stiffness = (one + twist) * t.stiffness;
    }
}

void set_held(const Scene& scene, const RodGroup& group, RodProblem& problem)
{
    for (std::size_t lane = 0; lane < 4; ++lane) {
        const Lane l = lane_of(scene, group, lane);
        const HairRoots roots = l.hair.roots;
        problem.hangs[lane] = held_beyond_root(l.hair, l.strand) ? 0 : 1;
        for (int i = 0; i < group.points; ++i) {
            const std::size_t at = std::size_t(i);
            const bool beyond = i >= l.n;
            const bool point = beyond || held_point(l.hair, l.strand, i);
            const bool turn = i + 1 >= l.n || held_edge(roots, i, l.n);
            problem.beyond[at][lane] = beyond;
            for (std::size_t k = 0; k < 3; ++k) problem.free[4 * at + k][lane] = !point;
            problem.free[4 * at + 3][lane] = !turn;
        }
    }
}

RodChainShape load_shape(const Scene& scene, const RodGroup& group, const State& state,
                         const std::array<Vec3, 4>& origin)
{
    RodChainShape s(group.points);
    for (std::size_t lane = 0; lane < 4; ++lane) {
        const Lane l = lane_of(scene, group, lane);
        for (int i = 0; i < group.points; ++i) {
            const std::size_t at = std::size_t(i);
            const int k = l.begin + std::min(i, l.n - 2), rod = l.hair.first_rod_point + k;
            Vec3 x;
            if (i < l.n) {
                const int vertex = l.hair.first_vertex + l.hair.points[std::size_t(l.begin + i)];
                x = state.x.segment<3>(3 * vertex) - origin[lane];
            } else { // straight on
                x = 2 * get_lane(s.x[at - 1], lane) - get_lane(s.x[at - 2], lane);
            }
            set_lane(s.x[at], lane, x);
            set_lane(s.director[at], lane, state.rod_directors.segment<3>(3 * rod));
            if (i < l.n) s.twist[at][lane] = state.rod_twists[l.hair.first_rod_point + l.begin + i];
        }
    }
    for (std::size_t i = 0; i + 1 < s.x.size(); ++i) {
        const V e = s.x[i + 1] - s.x[i];
        s.length[i] = square_root(dot(e, e));
        s.tangent[i] = (Real4(1.0) / s.length[i]) * e;
        s.director[i] = unit_across(s.director[i], s.tangent[i]);
    }
    s.tangent.back() = s.tangent[s.x.size() - 2];
    s.length.back() = Real4(1.0);
    return s;
}

void store_shape(const Scene& scene, const RodGroup& group, const RodChainShape& shape,
                 const std::array<Vec3, 4>& origin, State& state)
{
    for_rod_points(scene, group, [&](std::size_t lane, std::size_t i, int rod, int vertex) {
        state.x.segment<3>(3 * vertex) = get_lane(shape.x[i], lane) + origin[lane];
        state.rod_directors.segment<3>(3 * rod) = get_lane(shape.director[i], lane);
        state.rod_twists[rod] = shape.twist[i][lane];
    });
}

} // namespace selvage
