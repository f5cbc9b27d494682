#include "core/solver/rod_step.h"

#include "core/solver/lanes.h"

namespace selvage
{
namespace
{

using V = Vec3T<Real4>;

} // namespace

RodStep::RodStep(const Scene& scene, const RodGroup& group, const Drive& drive, const State& state,
                 const TimeScheme& scheme, const WindField& wind, double h, const VecX& pull)
    : scene_(&scene),
      group_(&group),
      drive_(&drive),
      state_(&state),
      scheme_(&scheme),
      wind_(&wind),
      problem_(group.points)
{
    for (std::size_t lane = 0; lane < 4; ++lane) {
        const Hair& hair = scene.hairs[std::size_t(group.hair[lane])];
        const int begin = hair.strand_begin[std::size_t(group.strand[lane])];
        origin_[lane] =
            state.x.segment<3>(3 * (hair.first_vertex + hair.points[std::size_t(begin)]));
    }
    start_ = load_shape(scene, group, state, origin_);
    set_held(scene, group, problem_);
    hangs_ = problem_.hangs;
    problem_.laws = rod_laws(scene, group, drive.hair);
    add_viscosity(scene, group, start_, h, problem_.laws);
    add_point_loads(pull, h);
    predicted_force_.assign(4 * std::size_t(group.points) + rod_band, Real4(0.0));
    if (state.strand_loads.size() == 0) return;
    for_rod_points(scene, group, [&](std::size_t lane, std::size_t i, int, int vertex) {
        for (std::size_t k = 0; k < 3; ++k)
            predicted_force_[4 * i + k][lane] = state.strand_loads[3 * vertex + Eigen::Index(k)];
    });
}

std::vector<V> RodStep::add_loads(const RodVector& force)
{
    std::vector<V> before = problem_.load;
    for (std::size_t i = 0; i < before.size(); ++i)
        problem_.load[i] = before[i] + V{force[4 * i], force[4 * i + 1], force[4 * i + 2]};
    return before;
}

RodNewtonOutcome RodStep::predict(const RodNewtonSettings& settings, RodScratch& scratch)
{
    const std::vector<V> loads = add_loads(predicted_force_);
    choose_guess();
    const RodNewtonOutcome outcome = minimise(problem_, shape_, turn_, settings, scratch);
    problem_.load = loads;
    return outcome;
}

void RodStep::store(State& next, double h) const
{
    store_shape(*scene_, *group_, shape_, origin_, next);
    for_rod_points(*scene_, *group_, [&](std::size_t lane, std::size_t i, int rod, int) {
        next.rod_spins[rod] = turn_[i][lane] / h;
    });
}

Real4 RodStep::elastic_energy() const
{
    const RodChainLaws laws = rod_laws(*scene_, *group_, drive_->hair);
    const Mask4 no = Real4(0.0) > Real4(1.0);
    return add_bend_and_twist(laws, shape_, {true}, no, nullptr, nullptr) +
           stretch_energy(laws, shape_, nullptr);
}

Real4 RodStep::max_strain() const
{
    Real4 most(0.0);
    for_rod_points(*scene_, *group_, [&](std::size_t lane, std::size_t i, int rod, int) {
        if (i + 1 >= shape_.x.size() || problem_.beyond[i + 1][lane] > 0) return;
        const std::size_t of = std::size_t(group_->hair[lane]);
        const VecX& rest = rest_length(scene_->hairs[of], drive_->hair, of);
        const int k = rod - scene_->hairs[of].first_rod_point;
        const double strain = shape_.length[i][lane] / rest[k] - 1;
        if (!(strain <= most[lane])) most[lane] = strain; // a NaN stays
    });
    return most;
}

Vec3 RodStep::displacement(std::size_t lane, std::size_t i) const
{
    return get_lane(base_.x[i], lane) - get_lane(start_.x[i], lane);
}

void RodStep::linearise(const Mask4& lanes, const RodVector& force)
{
    if (base_force_.empty()) {
        base_force_ = force, base_ = shape_, base_turn_ = turn_;
        judged_ = near_buckling_ = Real4(0.0) > Real4(1.0);
    }
    judged_ = judged_ && !lanes;
    base_.take(lanes, shape_);
    for (std::size_t i = 0; i < turn_.size(); ++i)
        base_turn_[i] = select(lanes, turn_[i], base_turn_[i]);
    for (std::size_t k = 0; k < force.size(); ++k)
        base_force_[k] = select(lanes, force[k], base_force_[k]);
}

/// Lanes in which K is not positive definite, or so nearly not that it resists less than a tenth
/// of inertia alone somewhere: close to buckling under its loads a rod seems to yield without end.
Mask4 RodStep::nearly_buckles(RodMatrix K) const
{
    constexpr double least_pivot = 1e-13, part = 0.1;
    for (int i = 0; i < problem_.points(); ++i) {
        const Sym3R& A = problem_.weight[std::size_t(i)];
        const Real4 inertia[3] = {A.xx, A.yy, A.zz};
        for (int k = 0; k < 3; ++k)
            K(4 * i + k, 4 * i + k) =
                K(4 * i + k, 4 * i + k) -
                Real4(part) * problem_.free[std::size_t(4 * i + k)] * inertia[k];
    }
    return !(factor(K).least > Real4(least_pivot));
}

Mask4 RodStep::evaluate_model(bool inertia_only, RodScratch& s)
{
    const Mask4 none = Real4(0.0) > Real4(1.0);
    Mask4 definite = !none;
    // Forces from outside are loads: what they do when edges turn is part of K.
    const std::vector<V> loads = add_loads(base_force_);
    problem_.hangs = hangs_;
    const Mask4 known = inertia_only ? none : judged_ && near_buckling_;
    rod_objective(problem_, base_, base_turn_, {true, true, !inertia_only}, known, s);
    if (inertia_only) {
        const RodVector gradient = s.gradient;
        set_inertia(problem_, s);
        definite = factor(s.hessian).least > Real4(0.0);
        s.gradient = gradient;
    } else {
        if (!all_lanes(judged_)) {
            near_buckling_ = known || (!judged_ && nearly_buckles(s.hessian));
            judged_ = !none;
            if (!all_lanes(near_buckling_ == known))
                rod_objective(problem_, base_, base_turn_, {true, true, true}, near_buckling_, s);
        }
        definite = factor(s.hessian).least > Real4(0.0);
    }
    problem_.load = loads;
    for (std::size_t k = 0; k < problem_.free.size(); ++k) // without them it is g
        if (k % 4 < 3) s.gradient[k] = s.gradient[k] + problem_.free[k] * base_force_[k];
    return definite;
}

void RodStep::direction(const RodVector& force, RodScratch& s) const
{
    s.direction.resize(s.gradient.size());
    for (std::size_t k = 0; k < s.direction.size(); ++k) s.direction[k] = force[k] - s.gradient[k];
    for (std::size_t k = 0; k < problem_.free.size(); ++k)
        s.direction[k] = problem_.free[k] * s.direction[k];
    solve(s.hessian, s.direction.data());
}

Mask4 RodStep::move(const Mask4& lanes, double stretch, RodScratch& s)
{
    const RodVector& direction = s.direction;
    s.trial = base_;
    s.turn_change.assign(turn_.size(), Real4(0.0));
    problem_.hangs = Real4(0.0);
    retract(problem_, base_, Real4(1.0), direction, s);
    std::swap(shape_, s.trial);
    const Mask4 over = lanes && !(max_strain() <= Real4(stretch));
    if (!all_lanes(!(over && (hangs_ > Real4(0.0))))) {
        problem_.hangs = select(over, hangs_, Real4(0.0));
        RodChainShape unmoved = std::move(s.trial);
        s.trial = base_;
        retract(problem_, base_, Real4(1.0), direction, s);
        std::swap(shape_, s.trial);
        s.trial = std::move(unmoved);
    }
    shape_.take(!lanes, s.trial);
    for (std::size_t i = 0; i < turn_.size(); ++i)
        turn_[i] = select(lanes, base_turn_[i] + direction[4 * i + 3], turn_[i]);
    return over;
}

void RodStep::add_point_loads(const VecX& pull, double step)
{
    const double h = scheme_->h_eff;
    for (int lane_ = 0; lane_ < 4; ++lane_) {
        const std::size_t lane = std::size_t(lane_);
        const Hair& hair = scene_->hairs[std::size_t(group_->hair[lane])];
        const std::size_t strand = std::size_t(group_->strand[lane]);
        const int begin = hair.strand_begin[strand], end = hair.strand_begin[strand + 1];
        for (int k = begin; k < end; ++k) {
            const std::size_t i = std::size_t(k - begin);
            const int vertex = hair.first_vertex + hair.points[std::size_t(k)];
            const double m = scene_->mass[vertex];
            const Vec3 x_star = scheme_->x_star.segment<3>(3 * vertex) - origin_[lane];
            const Vec3 v_star = scheme_->v_star.segment<3>(3 * vertex);
            set_lane(problem_.center[i], lane, x_star + h * v_star);
            add_pull(problem_, lane, i, m / (h * h) * Mat3::Identity(),
                     get_lane(problem_.center[i], lane));
            Vec3 load = m * drive_->gravity;
            if (pull.size() > 0) load += pull.segment<3>(3 * vertex);
            set_lane(problem_.load[i], lane, get_lane(problem_.load[i], lane) + load);
            if (scene_->mass_damping[vertex] > 0)
                add_pull(problem_, lane, i, scene_->mass_damping[vertex] * m / h * Mat3::Identity(),
                         x_star);
            if (k + 1 == end) continue;
            const RodSection section = rod_section(hair.material, hair.radius[k]);
            // Spins are of first order, whatever the scheme.
            problem_.spin_weight[i][lane] = section.spin * hair.rest_length[k] / (step * step);
            problem_.spin_target[i][lane] = step * state_->rod_spins[hair.first_rod_point + k];
        }
    }
    const RodStart start{*scene_, *group_, *drive_, *state_, *scheme_, start_, origin_};
    add_targets(start, problem_);
    add_drag(start, *wind_, problem_);
}

Vec3 RodStep::target(std::size_t lane, int point) const
{
    return drive_->hair[std::size_t(group_->hair[lane])].x.segment<3>(3 * point) - origin_[lane];
}

void RodStep::finish(RodChainShape& s) const
{
    s.follow_points();
    for (std::size_t lane = 0; lane < 4; ++lane) {
        const std::size_t of = std::size_t(group_->hair[lane]);
        const VecX& given = drive_->hair[of].directors;
        if (given.size() == 0 || scene_->hairs[of].roots == HairRoots::none) continue;
        set_lane(s.director[0], lane, given.segment<3>(3 * group_->strand[lane]));
    }
    s.director[0] = unit_across(s.director[0], s.tangent[0]);
}

/// What lies between held points goes as they do, in proportion to its distance from them along the
/// strand; what lies beyond the last one goes with it.
void RodStep::carry_along(std::size_t lane, std::size_t count, std::vector<V>& x) const
{
    const auto moved = [&](std::size_t i) -> Vec3 {
        return get_lane(x[i], lane) - get_lane(start_.x[i], lane);
    };
    std::size_t last = count; // held point before; count: none yet
    for (std::size_t i = 0; i < count; ++i) {
        if (problem_.free[4 * i][lane] > 0) continue;
        const Vec3 after = moved(i), before = last < count ? moved(last) : after;
        double way = 0, passed = 0;
        const std::size_t first = last < count ? last : 0;
        for (std::size_t k = first; k < i; ++k) way += start_.length[k][lane];
        for (std::size_t k = first; k < i; ++k) {
            if (problem_.free[4 * k][lane] > 0)
                set_lane(x[k], lane,
                         get_lane(start_.x[k], lane) + before + passed / way * (after - before));
            passed += start_.length[k][lane];
        }
        last = i;
    }
    if (last == count) return;
    const Vec3 by = moved(last);
    for (std::size_t k = last + 1; k < x.size(); ++k)
        set_lane(x[k], lane, get_lane(start_.x[k], lane) + by);
}

void RodStep::choose_guess()
{
    const std::size_t n = std::size_t(group_->points);
    const Real4 zero(0.0), h2(scheme_->h_eff * scheme_->h_eff);
    RodChainShape glide = start_, rigid = start_;
    const V gravity = {drive_->gravity[0], drive_->gravity[1], drive_->gravity[2]};
    std::vector<V> x(n); // free flight; held points at their targets
    for (std::size_t i = 0; i < n; ++i) x[i] = problem_.center[i] + h2 * gravity;
    for (std::size_t lane = 0; lane < 4; ++lane) {
        const Hair& hair = scene_->hairs[std::size_t(group_->hair[lane])];
        const std::size_t strand = std::size_t(group_->strand[lane]);
        const int begin = hair.strand_begin[strand], end = hair.strand_begin[strand + 1];
        for (int k = begin; k < end; ++k) {
            const std::size_t i = std::size_t(k - begin);
            if (problem_.free[4 * i][lane] > 0) continue;
            const Vec3 held = target(lane, hair.points[std::size_t(k)]);
            set_lane(x[i], lane, held), set_lane(rigid.x[i], lane, held);
        }
        if (!(problem_.hangs[lane] > 0)) carry_along(lane, std::size_t(end - begin), rigid.x);
    }
    const Mask4 hangs = problem_.hangs > zero;
    glide.x[0] = x[0];
    for (std::size_t i = 0; i + 1 < n; ++i) {
        const V e = x[i + 1] - x[i];
        const Real4 l2 = maximum(dot(e, e), Real4(1e-300));
        const V chained = glide.x[i] + (start_.length[i] / square_root(l2)) * e;
        const Mask4 held = !(problem_.free[4 * i + 4] > zero);
        const V straight_on = glide.x[i] + start_.length[i] * glide.tangent[i];
        const V next = select(held || !hangs, x[i + 1], chained);
        glide.x[i + 1] = select(problem_.beyond[i + 1] > zero, straight_on, next);
    }
    finish(glide), finish(rigid);
    // The rest of a rod that hangs on its root turns as the root's frame does.
    const V t0 = start_.tangent[0], m0 = start_.director[0], b0 = cross(t0, m0);
    const V t1 = rigid.tangent[0], m1 = rigid.director[0], b1 = cross(t1, m1);
    const auto rotated = [&](const V& v) {
        return dot(v, t0) * t1 + dot(v, m0) * m1 + dot(v, b0) * b1;
    };
    const Mask4 rooted = hangs && !(problem_.free[0] > zero);
    for (std::size_t i = 2; i < n; ++i)
        rigid.x[i] = select(rooted, rigid.x[0] + rotated(start_.x[i] - start_.x[0]), rigid.x[i]);
    for (std::size_t i = 1; i < n; ++i) {
        const V turned_tangent = rotated(start_.tangent[i]);
        rigid.tangent[i] = select(rooted, turned_tangent, rigid.tangent[i]);
        rigid.director[i] = select(rooted, rotated(start_.director[i]), rigid.director[i]);
    }
    rigid.follow_points();
    const std::vector<Real4> none(n, zero);
    glide.measure_twist(none), rigid.measure_twist(none);

    turn_.assign(n, zero);
    RodScratch unused;
    const Mask4 no = zero > Real4(1.0);
    const Real4 f_glide = rod_objective(problem_, glide, turn_, {true}, no, unused);
    const Real4 f_rigid = rod_objective(problem_, rigid, turn_, {true}, no, unused);
    const Mask4 follow = f_rigid < f_glide;
    shape_ = std::move(glide);
    shape_.take(follow, rigid);
}

} // namespace selvage
