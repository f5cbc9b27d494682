#include "core/solver/hair_stepper.h"

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/energy/wind_field.h"
#include "core/solver/integrator.h"

#include <fmt/format.h>

#include <atomic>
#include <cassert>
#include <chrono>

namespace selvage
{
namespace
{

using V = Vec3T<Real4>;

void set(V& v, std::size_t lane, const Vec3& a)
{
    v.x[lane] = a[0], v.y[lane] = a[1], v.z[lane] = a[2];
}
Vec3 get(const V& v, std::size_t lane) { return {v.x[lane], v.y[lane], v.z[lane]}; }

/// Adds ½ (x − place)ᵀ K (x − place) to the quadratic about the point's center.
void add_pull(RodProblem& p, std::size_t lane, std::size_t i, const Mat3& K, const Vec3& place)
{
    Sym3R& A = p.weight[i];
    A.xx[lane] += K(0, 0), A.xy[lane] += K(0, 1), A.xz[lane] += K(0, 2);
    A.yy[lane] += K(1, 1), A.yz[lane] += K(1, 2), A.zz[lane] += K(2, 2);
    set(p.load[i], lane, get(p.load[i], lane) - K * (get(p.center[i], lane) - place));
}

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

/// One group's way through a step.
class GroupStep
{
public:
    GroupStep(const Scene& scene, const RodGroup& group, const Drive& drive, const State& state,
              const TimeScheme& scheme, const WindField& wind, double h)
        : scene_(scene),
          group_(group),
          drive_(drive),
          state_(state),
          scheme_(scheme),
          wind_(wind),
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
        problem_.laws = rod_laws(scene, group);
        add_viscosity(scene, group, start_, h, problem_.laws);
        add_point_loads();
        choose_guess();
    }

    RodNewtonOutcome solve(const RodNewtonSettings& settings, RodScratch& scratch)
    {
        return minimise(problem_, shape_, turn_, settings, scratch);
    }

    void store(State& next, double h) const
    {
        store_shape(scene_, group_, shape_, origin_, next);
        for_rod_points(scene_, group_, [&](std::size_t lane, std::size_t i, int rod, int) {
            next.rod_spins[rod] = turn_[i][lane] / h;
        });
    }

    /// [J] without viscosity, of the stored lanes.
    double elastic_energy() const
    {
        const RodChainLaws laws = rod_laws(scene_, group_);
        const Mask4 no = Real4(0.0) > Real4(1.0);
        const Real4 e = add_bend_and_twist(laws, shape_, {true}, no, nullptr, nullptr) +
                        stretch_energy(laws, shape_, nullptr);
        double sum = 0;
        for (int lane = 0; lane < group_.strands; ++lane) sum += e[std::size_t(lane)];
        return sum;
    }

    double max_strain() const
    {
        double most = 0;
        for_rod_points(scene_, group_, [&](std::size_t lane, std::size_t i, int rod, int) {
            if (i + 1 >= shape_.x.size() || problem_.beyond[i + 1][lane] > 0) return;
            const Hair& hair = scene_.hairs[std::size_t(group_.hair[lane])];
            const double rest = hair.rest_length[rod - hair.first_rod_point];
            most = std::max(most, shape_.length[i][lane] / rest - 1);
        });
        return most;
    }

private:
    void add_point_loads()
    {
        const double h = scheme_.h_eff;
        for (int lane_ = 0; lane_ < 4; ++lane_) {
            const std::size_t lane = std::size_t(lane_);
            const std::size_t of = std::size_t(group_.hair[lane]);
            const Hair& hair = scene_.hairs[of];
            const std::size_t strand = std::size_t(group_.strand[lane]);
            const int begin = hair.strand_begin[strand], end = hair.strand_begin[strand + 1];
            for (int k = begin; k < end; ++k) {
                const std::size_t i = std::size_t(k - begin);
                const int point = hair.points[std::size_t(k)], vertex = hair.first_vertex + point;
                const double m = scene_.mass[vertex];
                const Vec3 x_star = scheme_.x_star.segment<3>(3 * vertex) - origin_[lane];
                const Vec3 v_star = scheme_.v_star.segment<3>(3 * vertex);
                set(problem_.center[i], lane, x_star + h * v_star);
                add_pull(problem_, lane, i, m / (h * h) * Mat3::Identity(),
                         get(problem_.center[i], lane));
                set(problem_.load[i], lane, get(problem_.load[i], lane) + m * drive_.gravity);
                if (scene_.mass_damping[vertex] > 0)
                    add_pull(problem_, lane, i,
                             scene_.mass_damping[vertex] * m / h * Mat3::Identity(), x_star);
                if (hair.target_rate[k] > 0)
                    add_pull(problem_, lane, i,
                             m * hair.target_rate[k] * hair.target_rate[k] * Mat3::Identity(),
                             drive_.hair[of].x.segment<3>(3 * point) - origin_[lane]);
                add_drag(hair, lane, i, k, vertex, x_star);
                if (k + 1 == end) continue;
                const RodSection section = rod_section(hair.material, hair.radius[k]);
                problem_.spin_weight[i][lane] = section.spin * hair.rest_length[k] / (h * h);
                problem_.spin_target[i][lane] = h * state_.rod_spins[hair.first_rod_point + k];
            }
        }
    }

    /// Linear in the velocity at the end of the step, with the coefficient of its start; half as
    /// much along the strand as across it, as slender bodies have.
    void add_drag(const Hair& hair, std::size_t lane, std::size_t i, int k, int vertex,
                  const Vec3& x_star)
    {
        if (!(hair.material.drag > 0) || !(drive_.air_density > 0)) return;
        const Vec3 wind = wind_.at(state_.x.segment<3>(3 * vertex), state_.time);
        const double speed = (state_.v.segment<3>(3 * vertex) - wind).norm();
        const bool last = i + 1 >= start_.x.size() || problem_.beyond[i + 1][lane] > 0;
        const double before = i > 0 ? double(start_.length[i - 1][lane]) : 0.0;
        const double after = last ? 0.0 : double(start_.length[i][lane]);
        const double length = 0.5 * (before + after);
        const double across =
            hair.material.drag * length * drag_across(drive_.air_density, hair.radius[k], speed);
        if (!(across > 0)) return;
        const Vec3 t = get(start_.tangent[last ? i - 1 : i], lane);
        const Mat3 K = across / scheme_.h_eff * (Mat3::Identity() - 0.5 * t * t.transpose());
        add_pull(problem_, lane, i, K, x_star + scheme_.h_eff * wind);
    }

    /// Where the animation has a held point.
    Vec3 target(std::size_t lane, int point) const
    {
        return drive_.hair[std::size_t(group_.hair[lane])].x.segment<3>(3 * point) - origin_[lane];
    }

    /// Frames follow the points; held roots take the animation's.
    void finish(RodChainShape& s) const
    {
        s.follow_points();
        for (std::size_t lane = 0; lane < 4; ++lane) {
            const std::size_t of = std::size_t(group_.hair[lane]);
            const VecX& given = drive_.hair[of].directors;
            if (given.size() == 0 || scene_.hairs[of].roots == HairRoots::none) continue;
            set(s.director[0], lane, given.segment<3>(3 * group_.strand[lane]));
        }
        s.director[0] = unit_across(s.director[0], s.tangent[0]);
    }

    /// Newton starts from gliding on with edges as long as they are, or from following the root
    /// like a rigid body: whichever has the lower potential, lane by lane.
    void choose_guess()
    {
        const std::size_t n = std::size_t(group_.points);
        const Real4 zero(0.0), h2(scheme_.h_eff * scheme_.h_eff);
        RodChainShape glide = start_, rigid = start_;
        const V gravity = {drive_.gravity[0], drive_.gravity[1], drive_.gravity[2]};
        std::vector<V> x(n); // free flight; held points at their targets
        for (std::size_t i = 0; i < n; ++i) x[i] = problem_.center[i] + h2 * gravity;
        for (std::size_t lane = 0; lane < 4; ++lane) {
            const Hair& hair = scene_.hairs[std::size_t(group_.hair[lane])];
            const std::size_t strand = std::size_t(group_.strand[lane]);
            const int begin = hair.strand_begin[strand], end = hair.strand_begin[strand + 1];
            for (int k = begin; k < end; ++k) {
                const std::size_t i = std::size_t(k - begin);
                if (problem_.free[4 * i][lane] > 0) continue;
                const Vec3 held = target(lane, hair.points[std::size_t(k)]);
                set(x[i], lane, held), set(rigid.x[i], lane, held);
            }
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
            rigid.x[i] =
                select(rooted, rigid.x[0] + rotated(start_.x[i] - start_.x[0]), rigid.x[i]);
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
        for (std::size_t i = 0; i < n; ++i) {
            shape_.x[i] = select(follow, rigid.x[i], shape_.x[i]);
            shape_.tangent[i] = select(follow, rigid.tangent[i], shape_.tangent[i]);
            shape_.director[i] = select(follow, rigid.director[i], shape_.director[i]);
            shape_.length[i] = select(follow, rigid.length[i], shape_.length[i]);
            shape_.twist[i] = select(follow, rigid.twist[i], shape_.twist[i]);
        }
    }

    const Scene& scene_;
    const RodGroup& group_;
    const Drive& drive_;
    const State& state_;
    const TimeScheme& scheme_;
    const WindField& wind_;
    std::array<Vec3, 4> origin_;
    RodProblem problem_;
    RodChainShape start_, shape_;
    std::vector<Real4> turn_;
};

/// What a group's step came to, kept apart so that sums run in a fixed order.
struct GroupOutcome {
    RodNewtonOutcome newton;
    double energy = 0, max_strain = 0;
};

} // namespace

HairStepper::HairStepper(std::shared_ptr<const Scene> scene)
    : scene_(std::move(scene)), groups_(make_rod_groups(*scene_))
{
    if (!scene_->cloths.empty() || !scene_->solids.empty())
        throw InputError("Solver method 'hair' simulates hair alone; cloth and solids need method "
                         "'barrier'. Put them into a shot of their own.");
}

StepReport HairStepper::step(const Drive& drive, State& state, double h,
                             const StepSettings& settings, const Cancel& cancel)
{
    assert(drive.hair.size() == scene_->hairs.size());
    const auto begin = std::chrono::steady_clock::now();
    const TimeScheme scheme = time_scheme(state, h, settings.integrator);
    const WindField wind(drive.wind, drive.turbulence);
    const double tolerance = settings.tolerance * diagonal_of(state.x);
    State next = state;
    for (std::size_t k = 0; k < scene_->hairs.size();
         ++k) { // what no strand uses follows the input
        const Hair& hair = scene_->hairs[k];
        next.x.segment(3 * hair.first_vertex, 3 * hair.point_count) = drive.hair[k].x;
    }
    std::vector<GroupOutcome> outcomes(groups_.size());
    parallel_chunks(groups_.size(), 8, [&](std::size_t first, std::size_t last) {
        RodScratch scratch;
        for (std::size_t g = first; g < last && !cancel.requested(); ++g) {
            GroupStep group(*scene_, groups_[g], drive, state, scheme, wind, h);
            outcomes[g].newton = group.solve({tolerance * h, settings.max_iterations}, scratch);
            outcomes[g].energy = group.elastic_energy();
            outcomes[g].max_strain = group.max_strain();
            group.store(next, h);
        }
    });

    StepReport report;
    if (cancel.requested()) {
        report.status = StepStatus::cancelled;
        return report;
    }
    report.tolerance = tolerance;
    int stuck = 0;
    std::string first_stuck;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        const RodNewtonOutcome& o = outcomes[g].newton;
        report.energy += outcomes[g].energy;
        report.max_strain = std::max(report.max_strain, outcomes[g].max_strain);
        report.backtracks += o.backtracks;
        for (int l = 0; l < groups_[g].strands; ++l) {
            const std::size_t lane = std::size_t(l);
            report.iterations = std::max(report.iterations, int(o.iterations[lane]));
            report.residual = std::max(report.residual, o.residual[lane] / h);
            if (o.converged[lane] > 0) continue;
            const Hair& hair = scene_->hairs[std::size_t(groups_[g].hair[lane])];
            if (stuck++ == 0)
                first_stuck = fmt::format(
                    "curve {} of hair '{}'",
                    hair.strand_primitive[std::size_t(groups_[g].strand[lane])], hair.name);
        }
    }
    if (stuck > 0) {
        report.status = StepStatus::not_converged;
        report.message = fmt::format("{} strands did not converge (first: {})", stuck, first_stuck);
    }
    VecX x = std::move(next.x);
    state.rod_directors = std::move(next.rod_directors);
    state.rod_twists = std::move(next.rod_twists);
    state.rod_spins = std::move(next.rod_spins);
    advance(state, scheme, std::move(x), h);
    report.seconds.total =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return report;
}

} // namespace selvage
