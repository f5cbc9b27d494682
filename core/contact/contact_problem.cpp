#include "core/contact/contact_problem.h"

#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/contact/plane.h"

#include <cassert>

namespace selvage
{
namespace
{

constexpr std::size_t vertex_grain = 1024;

CcdResult pair_ccd(const ContactMesh& mesh, PairKind kind, const CandidatePair& pair, const VecX& x,
                   const VecX& p, double slack)
{
    CcdSettings settings;
    settings.thickness = pair_thickness(mesh, kind, pair);
    settings.slack = slack;
    if (kind == PairKind::probe_field) {
        const FieldProbe& probe = mesh.probes()[std::size_t(pair.a)];
        const Eigen::Index time = 3 * Eigen::Index(mesh.field_vertex(pair.b));
        return point_field_ccd(mesh.field(pair.b), probe_place(probe, x), probe_place(probe, p),
                               x[time], p[time], settings);
    }
    std::int32_t v[4];
    const int n = pair_vertices(mesh, kind, pair, v);
    Vec3T<double> at[4], motion[4];
    for (int i = 0; i < n; ++i) {
        const double *a = x.data() + 3 * std::ptrdiff_t(v[i]),
                     *b = p.data() + 3 * std::ptrdiff_t(v[i]);
        at[i] = {a[0], a[1], a[2]};
        motion[i] = {b[0], b[1], b[2]};
    }
    if (kind == PairKind::point_triangle) return point_triangle_ccd(at, motion, settings);
    if (kind == PairKind::edge_edge) return edge_edge_ccd(at, motion, settings);
    if (kind == PairKind::point_plane) return point_plane_ccd(at, motion, settings);
    return point_edge_ccd({at[0], at[1], at[2]}, {motion[0], motion[1], motion[2]}, settings);
}

/// [m] At rest; infinity without edges.
double mean_edge(const ContactMesh& mesh)
{
    double sum = 0;
    for (std::size_t e = 0; e < mesh.edges().size(); ++e)
        sum += std::sqrt(mesh.rest_length_squared(std::int32_t(e)));
    return sum > 0 ? sum / double(mesh.edges().size()) : infinity;
}

} // namespace

ContactProblem::ContactProblem(ContactMesh mesh, ContactSettings settings)
    : mesh_(std::move(mesh)),
      settings_(settings),
      piece_(8 * mean_edge(mesh_)),
      broad_(mesh_),
      barrier_(settings.activation, mesh_.simulated_count()),
      friction_(settings.activation, mesh_.simulated_count())
{
}

void ContactProblem::set_filter(PairFilter filter)
{
    broad_.set_filter(std::move(filter));
    searched_ = found_ = false;
}

void ContactProblem::set_field(int body, std::shared_ptr<const MovingField> field)
{
    mesh_.set_field(body, std::move(field));
    searched_ = found_ = false;
}

double ContactProblem::rest_of_way() const
{
    if (start_.size() == 0) return 0;
    VecX way = (target_ - prescribed_).cwiseAbs();
    for (int f = 0; f < mesh_.field_count(); ++f)
        way[3 * Eigen::Index(mesh_.field_vertex(f) - mesh_.simulated_count())] *=
            mesh_.field(f).surface_speed();
    return way.maxCoeff();
}

void ContactProblem::begin_step(const VecX& x_ref, double h, const VecX& prescribed_start,
                                const VecX& prescribed_target, const VecX& v_0, double h_step)
{
    assert(x_ref.size() == 3 * mesh_.simulated_count());
    assert(prescribed_start.size() == 3 * mesh_.prescribed_count());
    start_ = prescribed_ = prescribed_start;
    target_ = prescribed_target.size() > 0 ? prescribed_target : prescribed_start;
    assert(target_.size() == start_.size());
    reached_ = target_ == start_ ? 1 : 0; // nothing to do where they rest
    h_ = h;
    // Friction compares motions in h: of prescribed vertices, the last part of their way.
    const double part = h_step > 0 ? h / h_step : 1;
    join(x_ref, reference_);
    reference_.tail(start_.size()) += (1 - part) * (target_ - start_);
    drift_ = VecX::Zero(reference_.size());
    if (v_0.size() > 0) drift_.head(v_0.size()) = h * v_0;
    drift_.tail(start_.size()) = part * (target_ - start_);
    friction_.clear();
    // Candidates of the last step would serve as well, but the result must not depend on them.
    searched_ = found_ = false;
    statistics_ = {};
}

void ContactProblem::set_reached(double reached)
{
    if (reached == reached_) return;
    reached_ = reached;
    prescribed_ = reached == 1 ? target_ : VecX(start_ + reached * (target_ - start_));
    found_ = false;
}

void ContactProblem::join(const VecX& x, VecX& all) const
{
    const Eigen::Index simulated = 3 * mesh_.simulated_count();
    assert(x.size() >= simulated);
    all.resize(simulated + prescribed_.size());
    all.head(simulated) = x.head(simulated);
    all.tail(prescribed_.size()) = prescribed_;
}

void ContactProblem::search(const VecX& x_0, const VecX& p)
{
    Stopwatch time(statistics_.seconds.broad_phase);
    sweep_ = {x_0, p, settings_.margin * settings_.activation};
    broad_.find(sweep_, settings_.activation, candidates_);
    searched_ = true;
    ++statistics_.searches;
    statistics_.candidates = candidates_.size();
}

/// The smallest time over all candidates. Each pair is tried on the whole of [0, 1]: stopping at
/// the best time so far would make the result depend on the order of pairs.
double ContactProblem::collide(const VecX& x, const VecX& p)
{
    Stopwatch time(statistics_.seconds.ccd);
    double step = 1;
    for (const PairKind kind : all_pair_kinds) {
        const std::vector<CandidatePair>& pairs = candidates_[kind];
        std::vector<double> steps((pairs.size() + vertex_grain - 1) / vertex_grain, 1.0);
        parallel_chunks(pairs.size(), vertex_grain, [&](std::size_t begin, std::size_t end) {
            double& s = steps[begin / vertex_grain];
            for (std::size_t i = begin; i < end; ++i)
                s = std::min(s, pair_ccd(mesh_, kind, pairs[i], x, p, settings_.ccd_slack).t);
        });
        for (const double s : steps) step = std::min(step, s);
    }
    return step;
}

double ContactProblem::safe_step(const VecX& all, const VecX& motion)
{
    ++statistics_.ccd_calls;
    if (!all.allFinite() || !motion.allFinite()) return 0;
    const double reach = searched_ ? sweep_.exit_time(all, motion) : 0;
    if (reach > 0) {
        const double step = collide(all, motion);
        if (reach >= 1 || reach >= 0.5 * step) {
            ++statistics_.ccd_culled;
            return std::min(reach, step);
        }
    }
    return search_and_collide(all, motion);
}

/// A direction that is far too long, as those of singular systems are, meets something soon. What
/// lies farther is not sought: pairs would grow with the square of its length.
double ContactProblem::search_and_collide(const VecX& x, const VecX& p)
{
    const auto motion = p.head(3 * mesh_.simulated_count()).reshaped(3, mesh_.simulated_count());
    const double length =
        motion.cols() > 0 ? std::sqrt(motion.colwise().squaredNorm().maxCoeff()) : 0;
    for (double part = length > piece_ ? piece_ / length : 1;; part = std::min(1.0, 4 * part)) {
        const VecX way = part * p;
        search(x, way);
        const double step = collide(x, way);
        if (step < 1 || part == 1) return part * step;
    }
}

VecX ContactProblem::motion_of(const VecX& p, bool follow) const
{
    VecX motion = VecX::Zero(3 * mesh_.vertex_count());
    motion.head(3 * mesh_.simulated_count()) = p.head(3 * mesh_.simulated_count());
    if (follow) motion.tail(prescribed_.size()) = target_ - prescribed_;
    return motion;
}

double ContactProblem::max_step(const VecX& x, const VecX& p, bool follow)
{
    VecX all;
    join(x, all);
    return safe_step(all, motion_of(p, follow));
}

std::vector<ContactPair> ContactProblem::colliding_pairs(const VecX& x, const VecX& p, bool follow,
                                                         double until)
{
    VecX all;
    join(x, all);
    const VecX motion = motion_of(p, follow);
    search(all, motion);
    std::vector<ContactPair> found;
    for (const PairKind kind : all_pair_kinds)
        for (const CandidatePair& pair : candidates_[kind])
            if (pair_ccd(mesh_, kind, pair, all, motion, settings_.ccd_slack).t < until)
                found.push_back({kind, pair.a, pair.b});
    return found;
}

void ContactProblem::update(const VecX& x)
{
    VecX all;
    join(x, all);
    if (found_ && all == all_) return;
    all_ = std::move(all);
    if (!searched_ || !sweep_.contains(all_)) search(all_, VecX::Zero(all_.size()));
    find_contacts(mesh_, candidates_, all_, settings_.activation, set_);
    found_ = true;
}

void ContactProblem::lag_friction(const VecX& x)
{
    update(x);
    friction_.lag(mesh_, set_, all_, kappa_, reference_, drift_, settings_.stick_speed * h_);
}

double ContactProblem::energy(const VecX& x)
{
    if (!x.allFinite()) return infinity;
    update(x);
    const double barrier = barrier_.energy(set_, all_, kappa_);
    return barrier < infinity ? barrier + friction_.energy(all_) : infinity;
}

void ContactProblem::build_pattern(int rows)
{
    std::vector<std::int32_t> vertices;
    barrier_.append_pattern(vertices);
    friction_.append_pattern(vertices);
    if (!pattern_ || pattern_->rows() != rows || vertices != pattern_vertices_) {
        pattern_vertices_ = std::move(vertices);
        const BlockPattern::Tuples tuples = {pattern_vertices_.data(), pattern_vertices_.size() / 4,
                                             4};
        pattern_ = std::make_shared<BlockPattern>(rows, std::vector<BlockPattern::Tuples>{tuples});
    }
    barrier_.map(*pattern_);
    friction_.map(*pattern_);
}

double ContactProblem::add(const VecX& x, Psd psd, VecX& gradient, BlockMatrix* hessian, VecX* pull)
{
    assert(gradient.size() == x.size());
    update(x);
    barrier_.prepare(set_);
    friction_.prepare();
    ContactSink sink{&gradient, hessian, nullptr, pull};
    if (hessian) {
        build_pattern(int(x.size() / 3));
        if (hessian->pattern == pattern_)
            hessian->set_zero();
        else
            *hessian = BlockMatrix(pattern_);
    }
    VecX motion;
    if (pull) {
        assert(hessian);
        motion = target_ - prescribed_;
        pull->setZero(x.size());
        sink.motion = &motion;
    }
    barrier_.add(set_, all_, kappa_, psd, sink);
    friction_.add(all_, sink);
    return energy(x);
}

VecX ContactProblem::barrier_gradient(const VecX& x)
{
    update(x);
    barrier_.prepare(set_);
    VecX gradient = VecX::Zero(x.size());
    barrier_.add(set_, all_, 1, Psd::clamp, {&gradient, nullptr, nullptr, nullptr});
    return gradient;
}

std::size_t ContactProblem::bytes() const
{
    const auto vectors = std::size_t(all_.size() + 2 * reference_.size() + 2 * sweep_.x_0.size());
    return broad_.bytes() + candidates_.bytes() + set_.bytes() + barrier_.bytes() +
           friction_.bytes() + sizeof(double) * vectors +
           sizeof(std::int32_t) * pattern_vertices_.capacity();
}

} // namespace selvage
