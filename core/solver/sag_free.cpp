#include "core/solver/sag_free.h"

#include "core/energy/rod_bend.h"
#include "core/energy/rod_twist.h"
#include "core/solver/lanes.h"
#include "core/solver/rod_group.h"

#include <Eigen/LU>

#include <algorithm>

namespace selvage
{
namespace
{

/// Derivatives of (κ1, κ2, m) at an inner point, one column each.
struct StrainRows {
    Mat3 by_e, by_f;
    Vec3 by_a, by_b;
    double k1, k2;
};

StrainRows strain_rows(const RodVertex<double>& v)
{
    StrainRows r;
    rod_curvature(v, r.k1, r.k2);
    const RodGradient<double> g[3] = {
        rod_curvature_gradient(v, r.k1, v.m2_e, v.m2_f, -v.m1_e, -v.m1_f),
        rod_curvature_gradient(v, r.k2, -v.m1_e, -v.m1_f, -v.m2_e, -v.m2_f), rod_twist_gradient(v)};
    for (int i = 0; i < 3; ++i) {
        r.by_e.col(i) << g[i].e.x, g[i].e.y, g[i].e.z;
        r.by_f.col(i) << g[i].f.x, g[i].f.y, g[i].f.z;
        r.by_a[i] = g[i].a, r.by_b[i] = g[i].b;
    }
    return r;
}

double limited(double value, double most, bool& hit)
{
    if (std::abs(value) <= most) return value;
    hit = true;
    return value > 0 ? most : -most;
}

/// True where the strand would need more than the bound.
bool balance_strand(const Scene& scene, Hair& hair, int strand, const State& state,
                    const Vec3& gravity, double most)
{
    const int begin = hair.strand_begin[std::size_t(strand)];
    const int n = hair.strand_begin[std::size_t(strand) + 1] - begin;
    const auto vertex = [&](int i) {
        return hair.first_vertex + hair.points[std::size_t(begin + i)];
    };
    const auto x = [&](int i) -> Vec3 { return state.x.segment<3>(3 * vertex(i)); };
    const auto director = [&](int i) {
        return packed(state.rod_directors.segment<3>(3 * (hair.first_rod_point + begin + i)));
    };
    bool hit = false;
    Vec3 load = Vec3::Zero(), carried_force = Vec3::Zero();
    double carried_turn = 0;
    for (int j = n - 2; j >= 1; --j) {
        const int k = begin + j;
        load += scene.mass[vertex(j + 1)] * gravity;
        const Vec3 e = x(j) - x(j - 1), f = x(j + 1) - x(j);
        const double l_e = e.norm(), l_f = f.norm();
        const StrainRows rows = strain_rows(rod_vertex(packed(e / l_e), 1 / l_e, director(j - 1),
                                                       packed(f / l_f), 1 / l_f, director(j)));
        Mat4 A = Mat4::Zero();
        A.topLeftCorner<3, 3>() = rows.by_f;
        A.topRightCorner<3, 1>() = f / l_f;
        A.bottomLeftCorner<1, 3>() = rows.by_b.transpose();
        const Vec3 left = load - carried_force;
        const Vec4 w = A.fullPivLu().solve(Vec4(left[0], left[1], left[2], -carried_turn));
        carried_force = rows.by_e * w.head<3>();
        carried_turn = rows.by_a.dot(w.head<3>());

        const RodSection at = rod_section(hair.material, hair.radius[k]);
        const double flexible =
            bending_length(hair, strand, j) / std::max(hair.stiffness_scale[k], 1e-12);
        hair.rest_curvature[2 * k] =
            rows.k1 - limited(flexible / at.bend_about_2 * w[0], most, hit);
        hair.rest_curvature[2 * k + 1] =
            rows.k2 - limited(flexible / at.bend_about_1 * w[1], most, hit);
        hair.rest_twist[k] = state.rod_twists[hair.first_rod_point + k] -
                             limited(flexible / at.twist * w[2], most, hit);
        const double r = 0.5 * (hair.radius[k] + hair.radius[k + 1]);
        const double strain = w[3] / rod_section(hair.material, r).axial;
        hair.rest_length[k] = l_f / (1 + limited(strain, 0.1, hit));
    }
    return hit;
}

/// Lanes whose potential of elasticity and gravity is no minimum.
std::array<bool, 4> falls_over(const Scene& scene, const RodGroup& group, const State& state,
                               const Vec3& gravity, RodScratch& scratch)
{
    std::array<Vec3, 4> origin;
    origin.fill(Vec3::Zero());
    RodProblem problem(group.points);
    problem.laws = rod_laws(scene, group);
    set_held(scene, group, problem);
    problem.hangs = Real4(0.0);
    const RodChainShape shape = load_shape(scene, group, state, origin);
    for (auto& c : problem.center) c = {0.0, 0.0, 0.0};
    for_rod_points(scene, group, [&](std::size_t lane, std::size_t i, int, int vertex) {
        const Vec3 weight = scene.mass[vertex] * gravity;
        problem.load[i].x[lane] = weight[0], problem.load[i].y[lane] = weight[1];
        problem.load[i].z[lane] = weight[2];
    });
    rod_objective(problem, shape, std::vector<Real4>(shape.x.size(), Real4(0.0)),
                  {true, true, true}, Real4(0.0) > Real4(1.0), scratch);
    const Real4 negative = factor(scratch.hessian).negative;
    return {negative[0] > 0, negative[1] > 0, negative[2] > 0, negative[3] > 0};
}

} // namespace

SagFree make_sag_free(Scene& scene, std::size_t number, const State& state, const Vec3& gravity,
                      double most_turn)
{
    Hair& hair = scene.hairs[number];
    SagFree out;
    if (hair.roots != HairRoots::first_point) return out;
    std::vector<std::uint8_t> poor(std::size_t(hair.strand_count()), 0);
    for (int s = 0; s < hair.strand_count(); ++s)
        if (!held_beyond_root(hair, s) && balance_strand(scene, hair, s, state, gravity, most_turn))
            poor[std::size_t(s)] = 1, ++out.bounded;
    RodScratch scratch;
    for (const RodGroup& group : make_rod_groups(scene)) {
        const std::array<bool, 4> falls = falls_over(scene, group, state, gravity, scratch);
        for (int l = 0; l < group.strands; ++l) {
            const std::size_t lane = std::size_t(l);
            if (group.hair[lane] != int(number) || !falls[lane]) continue;
            if (poor[std::size_t(group.strand[lane])]) continue;
            poor[std::size_t(group.strand[lane])] = 1, ++out.unstable;
        }
    }
    out.strands = hair.strand_count() - out.bounded - out.unstable;
    const auto first = std::find(poor.begin(), poor.end(), 1);
    if (first != poor.end()) out.first = hair.strand_primitive[std::size_t(first - poor.begin())];
    return out;
}

} // namespace selvage
