#include "core/solver/rod_term.h"

#include "core/base/parallel.h"
#include "core/energy/rod_stretch.h"
#include "core/energy/sink.h"
#include "core/solver/lanes.h"

#include <utility>

namespace selvage
{
namespace
{

using V = Vec3T<Real4>;

constexpr std::size_t groups_per_task = 4;

} // namespace

RodTerm::RodTerm(const Scene& scene) : scene_(scene)
{
    for (const RodGroup& rods : make_rod_groups(scene)) {
        Group g;
        g.rods = rods;
        g.problem = RodProblem(rods.points);
        set_held(scene, rods, g.problem);
        g.free = std::move(g.problem.free);
        g.beyond = g.problem.beyond;
        g.problem.free.assign(g.free.size(), Real4(1.0));
        g.hangs = std::exchange(g.problem.hangs, Real4(0.0));
        g.inverse_length.assign(std::size_t(rods.points), Real4(1.0));
        for_rod_points(scene, rods, [&](std::size_t lane, std::size_t i, int rod, int) {
            const Hair& hair = scene.hairs[std::size_t(rods.hair[lane])];
            if (g.free.size() > 4 * i + 4 && !(g.beyond[i + 1][lane] > 0))
                g.inverse_length[i][lane] = 1 / hair.rest_length[rod - hair.first_rod_point];
        });
        groups_.push_back(std::move(g));
    }
    find_places();
    make_stencils();
}

void RodTerm::find_places()
{
    int next = scene_.vertex_count();
    for (const Hair& hair : scene_.hairs) {
        std::vector<int> first;
        for (std::size_t s = 0; s < std::size_t(hair.strand_count()); ++s) {
            first.push_back(3 * next);
            next += (hair.strand_begin[s + 1] - hair.strand_begin[s] + 1) / 3; // edges, rounded up
        }
        first_turn_.push_back(std::move(first));
    }
    turn_blocks_ = next - scene_.vertex_count();
    for (Group& g : groups_) {
        for_rod_points(scene_, g.rods, [&](std::size_t lane, std::size_t i, int, int vertex) {
            const int first =
                first_turn_[std::size_t(g.rods.hair[lane])][std::size_t(g.rods.strand[lane])];
            for (int k = 0; k < 3; ++k) g.place[lane].push_back(3 * vertex + k);
            g.place[lane].push_back(first + int(i));
        });
        for (std::size_t lane = 0; lane < std::size_t(g.rods.strands); ++lane) {
            g.place[lane].back() = -1; // no edge after the last point
            chains_.push_back(g.place[lane]);
        }
        for (std::size_t lane = std::size_t(g.rods.strands); lane < 4; ++lane)
            g.place[lane] = g.place[std::size_t(g.rods.strands) - 1];
    }
}

void RodTerm::make_stencils()
{
    std::vector<std::int32_t> vertices;
    for (const Group& g : groups_)
        for (std::size_t lane = 0; lane < std::size_t(g.rods.strands); ++lane) {
            const std::vector<int>& place = g.place[lane];
            for (std::size_t k = 0; k + 8 < place.size(); k += 4) // points i − 1, i, i + 1
                for (const std::size_t of : {k, k + 4, k + 8, k + 3, k + 7})
                    vertices.push_back(place[of] / 3);
        }
    stencils_ = make_batches(5, vertices, scene_.vertex_count() + turn_blocks_);
}

void RodTerm::begin(const Drive& drive, const State& state, const TimeScheme& scheme, double h,
                    const VecX& pull)
{
    const WindField wind(drive.wind, drive.turbulence);
    const double h2 = scheme.h_eff * scheme.h_eff;
    std::array<Vec3, 4> origin;
    origin.fill(Vec3::Zero());
    parallel_for(groups_.size(), groups_per_task, [&](std::size_t number) {
        Group& g = groups_[number];
        const std::size_t n = std::size_t(g.rods.points);
        g.start = g.base = load_shape(scene_, g.rods, state, origin);
        g.base_turn.assign(n, Real4(0.0));
        RodProblem& p = g.problem;
        p.laws = rod_laws(scene_, g.rods, drive.hair);
        add_viscosity(scene_, g.rods, g.start, h, p.laws);
        p.center = g.start.x;
        p.weight.assign(n, Sym3R());
        p.load.assign(n, V{0.0, 0.0, 0.0});
        p.across.clear();
        g.inertia.assign(n, Real4(0.0));
        for_rod_points(scene_, g.rods, [&](std::size_t lane, std::size_t i, int rod, int vertex) {
            g.inertia[i][lane] =
                scene_.mass[vertex] * (1 + scene_.mass_damping[vertex] * scheme.h_eff) / h2;
            if (pull.size() > 0) set_lane(p.load[i], lane, pull.segment<3>(3 * vertex));
            if (4 * i + 3 >= g.place[lane].size() || g.place[lane][4 * i + 3] < 0) return;
            const Hair& hair = scene_.hairs[std::size_t(g.rods.hair[lane])];
            const int k = rod - hair.first_rod_point;
            p.spin_weight[i][lane] =
                rod_section(hair.material, hair.radius[k]).spin * hair.rest_length[k] / (h * h);
            p.spin_target[i][lane] = h * state.rod_spins[rod];
        });
        const RodStart start{scene_, g.rods, drive, state, scheme, g.start, origin};
        add_targets(start, p);
        add_drag(start, wind, p);
    });
}

void RodTerm::shape_at(const Group& g, const VecX& x, RodChainShape& s,
                       std::vector<Real4>& turn) const
{
    const std::size_t n = std::size_t(g.rods.points);
    s = g.base;
    turn.assign(n, Real4(0.0));
    for (std::size_t lane = 0; lane < 4; ++lane) {
        const std::vector<int>& place = g.place[lane];
        for (std::size_t i = 0; 4 * i < place.size(); ++i) {
            set_lane(s.x[i], lane, x.segment<3>(place[4 * i]));
            if (place[4 * i + 3] >= 0)
                turn[i][lane] = x[place[4 * i + 3]] * g.inverse_length[i][lane];
        }
    }
    for (std::size_t i = 1; i < n; ++i) { // rods that have ended go straight on
        const Mask4 beyond = g.beyond[i] > Real4(0.0);
        if (!all_lanes(!beyond))
            s.x[i] = select(beyond, s.x[i - 1] + (g.base.x[i] - g.base.x[i - 1]), s.x[i]);
    }
    s.follow_points();
    std::vector<Real4> change(n, Real4(0.0));
    for (std::size_t i = 0; i + 1 < n; ++i) {
        const Mask4 held = !(g.free[4 * i + 3] > Real4(0.0));
        const V t = s.tangent[i];
        V m = s.director[i];
        Real4 angle = turn[i] - g.base_turn[i];
        change[i] = change[i] + angle;
        change[i + 1] = change[i + 1] - angle;
        if (!all_lanes(!held)) {
            m = select(held, transport(g.start.tangent[i], t, g.start.director[i]), m);
            angle = select(held, turn[i], angle);
        }
        s.director[i] = unit_across(turned(m, t, cosine(angle), sine(angle)), t);
    }
    s.measure_twist(change);
}

void RodTerm::update(const VecX& x)
{
    parallel_for(groups_.size(), groups_per_task, [&](std::size_t number) {
        Group& g = groups_[number];
        RodChainShape shape;
        std::vector<Real4> turn;
        shape_at(g, x, shape, turn);
        g.base = std::move(shape), g.base_turn = std::move(turn);
    });
}

void RodTerm::set_loads(const VecX& gradient, double scale)
{
    parallel_for(groups_.size(), groups_per_task, [&](std::size_t number) {
        Group& g = groups_[number];
        const std::size_t n = std::size_t(g.rods.points);
        g.problem.across.assign(n, Real4(0.0));
        V beyond = {0.0, 0.0, 0.0};
        for (std::size_t i = n - 1; i-- > 0;) {
            V pull = {0.0, 0.0, 0.0};
            for (std::size_t lane = 0; lane < 4; ++lane)
                if (4 * i + 4 < g.place[lane].size())
                    set_lane(pull, lane, gradient.segment<3>(g.place[lane][4 * i + 4]));
            beyond = beyond + Real4(1 / scale) * pull;
            // The tension of an edge is all that stretch adds to the forces beyond it.
            const RodStretch<Real4> s = rod_stretch(g.base.length[i], g.problem.laws.axial[i],
                                                    g.problem.laws.rest_length[i]);
            g.problem.across[i] =
                s.across - g.hangs * dot(beyond, g.base.tangent[i]) / g.base.length[i];
        }
    });
}

void RodTerm::bend_way(const VecX& x, const VecX& p, double step, VecX& to) const
{
    parallel_for(groups_.size(), groups_per_task, [&](std::size_t number) {
        const Group& g = groups_[number];
        for (std::size_t lane = 0; lane < std::size_t(g.rods.strands); ++lane) {
            if (!(g.hangs[lane] > 0)) continue;
            const std::vector<int>& place = g.place[lane];
            for (std::size_t k = 4; k < place.size(); k += 4) {
                if (!(g.free[k][lane] > 0)) continue;
                const int a = place[k - 4], b = place[k];
                const Vec3 e = x.segment<3>(b) - x.segment<3>(a);
                const Vec3 d = step * (p.segment<3>(b) - p.segment<3>(a)), drawn = e + d;
                const double l = e.norm(), length = std::max(l + d.dot(e) / l, 0.2 * l);
                to.segment<3>(b) =
                    to.segment<3>(a) + length / std::max(drawn.norm(), 1e-300) * drawn;
            }
        }
    });
}

Mask4 RodTerm::indefinite(const Group& g, RodMatrix H) const
{
    constexpr double least_pivot = 1e-13;
    const int size = 4 * g.rods.points;
    for (int c = 0; c < size; ++c) {
        const Real4 free = g.free[std::size_t(c)];
        Real4* column = H.column(c);
        if (c % 4 < 3) column[0] = column[0] + g.inertia[std::size_t(c / 4)];
        column[0] = free * column[0] + (Real4(1.0) - free);
        const int rows = std::min(rod_band, size - 1 - c);
        for (int k = 1; k <= rows; ++k) column[k] = free * g.free[std::size_t(c + k)] * column[k];
    }
    return !(factor(H).least > Real4(least_pivot));
}

double RodTerm::add_group(std::size_t number, const VecX& x, Want want, RodScratch& s,
                          Sink& out) const
{
    const Group& g = groups_[number];
    const Mask4 none = Real4(0.0) > Real4(1.0);
    shape_at(g, x, s.trial, s.trial_turn);
    Real4 f = rod_objective(g.problem, s.trial, s.trial_turn, want, none, s);
    if (want.hessian && want.psd == Psd::clamp) {
        const Mask4 clamp = indefinite(g, s.hessian);
        if (!all_lanes(!clamp)) f = rod_objective(g.problem, s.trial, s.trial_turn, want, clamp, s);
    }
    const auto scale_of = [&](int unknown) {
        return unknown % 4 < 3 ? Real4(1.0) : g.inverse_length[std::size_t(unknown / 4)];
    };
    for (std::size_t lane = 0; want.gradient && lane < std::size_t(g.rods.strands); ++lane)
        for (std::size_t k = 0; k < g.place[lane].size(); ++k)
            if (const int to = g.place[lane][k]; to >= 0)
                (*out.gradient)[to] += out.scale * s.gradient[k][lane] * scale_of(int(k))[lane];
    if (want.hessian) {
        const int size = 4 * g.rods.points;
        for (int c = 0; c < size; ++c) {
            Real4* column = s.hessian.column(c);
            const Real4 scale = out.scale * scale_of(c);
            const int rows = std::min(rod_band, size - 1 - c);
            for (int k = 0; k <= rows; ++k) column[k] = scale * scale_of(c + k) * column[k];
        }
        const Real4* values = s.hessian.column(0);
        for (std::size_t lane = 0; lane < std::size_t(g.rods.strands); ++lane)
            for (const Copy& c : copies_[number][lane])
                out.hessian->values[c.to] += values[c.from][lane];
    }
    double sum = 0;
    for (std::size_t lane = 0; lane < std::size_t(g.rods.strands); ++lane) sum += f[lane];
    return sum;
}

void RodTerm::evaluate(const VecX& x, Want want, Sink& out) const
{
    if (want.hessian && mapped_ != out.hessian->pattern) map_onto(*out.hessian);
    out.energy += out.scale * parallel_sum(groups_.size(), groups_per_task,
                                           [&](std::size_t begin, std::size_t end) {
                                               RodScratch scratch;
                                               double sum = 0;
                                               for (std::size_t k = begin; k < end; ++k)
                                                   sum += add_group(k, x, want, scratch, out);
                                               return sum;
                                           });
}

void RodTerm::map_onto(const BlockMatrix& matrix) const
{
    mapped_ = matrix.pattern;
    copies_.assign(groups_.size(), {});
    parallel_for(groups_.size(), groups_per_task, [&](std::size_t number) {
        const Group& g = groups_[number];
        for (std::size_t lane = 0; lane < std::size_t(g.rods.strands); ++lane) {
            const std::vector<int>& place = g.place[lane];
            std::vector<Copy>& copies = copies_[number][lane];
            for (int c = 0; c < int(place.size()); ++c)
                for (int r = c; r <= std::min(c + rod_band, int(place.size()) - 1); ++r) {
                    if (place[std::size_t(c)] < 0 || place[std::size_t(r)] < 0) continue;
                    const auto [a, b] = std::minmax(place[std::size_t(c)], place[std::size_t(r)]);
                    const std::int64_t block = mapped_->find(a / 3, b / 3);
                    if (block < 0) continue; // not coupled
                    const std::uint32_t from = std::uint32_t(c * (rod_band + 1) + r - c);
                    const auto to = [&](int i, int j) {
                        copies.push_back({from, std::uint32_t(9 * block + 3 * (i % 3) + j % 3)});
                    };
                    to(a, b);
                    if (a / 3 == b / 3 && a != b) to(b, a);
                }
        }
    });
}

void RodTerm::hold(VertexFilter& filter) const
{
    for (const Hair& hair : scene_.hairs) // what no strand uses follows
        for (int p = 0; p < hair.point_count; ++p) filter.fix(hair.first_vertex + p);
    std::vector<std::array<bool, 3>> free(std::size_t(turn_blocks_), {false, false, false});
    for (const Group& g : groups_)
        for (std::size_t lane = 0; lane < std::size_t(g.rods.strands); ++lane)
            for (std::size_t k = 0; k < g.place[lane].size(); ++k) {
                const int to = g.place[lane][k];
                if (to < 0 || !(g.free[k][lane] > 0)) continue;
                if (k % 4 < 3)
                    filter.release(to / 3);
                else
                    free[std::size_t(to / 3 - scene_.vertex_count())][std::size_t(to % 3)] = true;
            }
    for (int b = 0; b < turn_blocks_; ++b) {
        std::vector<Vec3> held;
        for (int k = 0; k < 3; ++k)
            if (!free[std::size_t(b)][std::size_t(k)]) held.push_back(Vec3::Unit(k));
        const int vertex = scene_.vertex_count() + b;
        if (held.size() == 3) filter.fix(vertex);
        if (held.size() == 2) filter.block_directions(vertex, held[0], held[1]);
        if (held.size() == 1) filter.block_direction(vertex, held[0]);
    }
}

void RodTerm::set_targets(const Drive& drive, VecX& x) const
{
    for (std::size_t of = 0; of < scene_.hairs.size(); ++of) {
        const Hair& hair = scene_.hairs[of];
        for (int s = 0; s < hair.strand_count(); ++s) {
            const int begin = hair.strand_begin[std::size_t(s)];
            const int n = hair.strand_begin[std::size_t(s) + 1] - begin;
            for (int i = 0; i < n; ++i) {
                if (!held_point(hair, s, i)) continue;
                const int point = hair.points[std::size_t(begin + i)];
                x.segment<3>(3 * (hair.first_vertex + point)) =
                    drive.hair[of].x.segment<3>(3 * point);
            }
        }
        std::vector<bool> used(std::size_t(hair.point_count), false);
        for (const int p : hair.points) used[std::size_t(p)] = true;
        for (int p = 0; p < hair.point_count; ++p)
            if (!used[std::size_t(p)])
                x.segment<3>(3 * (hair.first_vertex + p)) = drive.hair[of].x.segment<3>(3 * p);
    }
    // Roots turn to the animation's frames, where it has any.
    for (const Group& g : groups_)
        for (std::size_t lane = 0; lane < std::size_t(g.rods.strands); ++lane) {
            const VecX& given = drive.hair[std::size_t(g.rods.hair[lane])].directors;
            if (given.size() == 0 || g.free[3][lane] > 0) continue;
            const std::vector<int>& place = g.place[lane];
            const Vec3T<double> t =
                packed((x.segment<3>(place[4]) - x.segment<3>(place[0])).normalized());
            const Vec3T<double> carried =
                unit_across(transport(packed(get_lane(g.start.tangent[0], lane)), t,
                                      packed(get_lane(g.start.director[0], lane))),
                            t);
            const Vec3T<double> wanted =
                unit_across(packed(given.segment<3>(3 * g.rods.strand[lane])), t);
            x[place[3]] = std::atan2(dot(t, cross(carried, wanted)), dot(carried, wanted)) /
                          g.inverse_length[0][lane];
        }
}

void RodTerm::store(const VecX& x, double h, State& state) const
{
    std::array<Vec3, 4> origin;
    origin.fill(Vec3::Zero());
    RodChainShape shape;
    std::vector<Real4> turn;
    for (const Group& g : groups_) {
        shape_at(g, x, shape, turn);
        store_shape(scene_, g.rods, shape, origin, state);
        for_rod_points(scene_, g.rods, [&](std::size_t lane, std::size_t i, int rod, int) {
            state.rod_spins[rod] = turn[i][lane] / h;
        });
    }
}

double RodTerm::max_strain(const VecX& x) const
{
    double most = 0;
    for (const Hair& hair : scene_.hairs)
        for (std::size_t s = 0; s < std::size_t(hair.strand_count()); ++s)
            for (int k = hair.strand_begin[s]; k + 1 < hair.strand_begin[s + 1]; ++k) {
                const auto at = [&](int rod_point) {
                    return x.segment<3>(3 *
                                        (hair.first_vertex + hair.points[std::size_t(rod_point)]));
                };
                most = std::max(most, (at(k + 1) - at(k)).norm() / hair.rest_length[k] - 1);
            }
    return most;
}

} // namespace selvage
