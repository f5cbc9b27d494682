#include "core/solver/incremental_potential.h"

#include "core/base/parallel.h"

#include <algorithm>
#include <utility>

namespace selvage
{
namespace
{

VecX three_per_vertex(const VecX& v) { return v.replicate(1, 3).transpose().reshaped(); }

constexpr std::size_t grain = 8192;

/// Stiffness of a pull over the vertex' inertia: overcomes its weight and drags its neighbours
/// along, but yields to contact and to cloth that is tight.
constexpr double pull_stiffness = 100;

} // namespace

IncrementalPotential::IncrementalPotential(std::vector<Term*> terms, const VecX& mass,
                                           const VecX& mass_damping, int further)
    : terms_(std::move(terms)),
      mass_(three_per_vertex(mass)),
      damping_(three_per_vertex(mass_damping))
{
    std::vector<const Batches*> stencils;
    for (const Term* t : terms_) stencils.push_back(&t->stencils());
    pattern_ = make_pattern(int(mass.size()) + further, stencils);
    for (const Term* t : terms_) scatter_.emplace_back(t->stencils(), *pattern_);
}

void IncrementalPotential::begin_step(const StepContext& step, VecX x_tilde)
{
    step_ = step;
    x_tilde_ = std::move(x_tilde);
    pulls_.clear();
    for (Term* t : terms_) t->begin_step(step);
}

void IncrementalPotential::set_reached(double reached)
{
    reached_ = reached;
    if (contact_) contact_->set_reached(reached);
}

double IncrementalPotential::room() const
{
    return contact_ ? std::min(1.0, contact_->min_gap() / contact_->settings().activation) : 1;
}

void IncrementalPotential::balance_contact(const VecX& x, double diagonal)
{
    if (!contact_) return;
    double thickness = 0;
    for (int v = 0; v < contact_->mesh().simulated_count(); ++v)
        thickness = std::max(thickness, contact_->mesh().thickness(v));
    stiffness_range_ =
        barrier_stiffness_range(diagonal, mass_.mean(), thickness, contact_->settings().activation);
    ContactProblem* contact = std::exchange(contact_, nullptr);
    VecX others;
    gradient(x, others);
    contact_ = contact;
    contact_->set_stiffness(initial_barrier_stiffness(contact_->barrier_gradient(x), others,
                                                      thickness, contact_->settings().activation,
                                                      stiffness_range_));
    gap_before_ = contact_->min_gap();
}

void IncrementalPotential::adapt_contact()
{
    if (!contact_) return;
    contact_->set_stiffness(
        adapted_barrier_stiffness(contact_->stiffness(), gap_before_, contact_->min_gap(),
                                  contact_->settings().activation, stiffness_range_));
    gap_before_ = contact_->min_gap();
}

double IncrementalPotential::inertia(const VecX& x, VecX* gradient) const
{
    const VecX& x_star = *step_.x_star;
    const double h = step_.h_eff;
    double value =
        parallel_sum(std::size_t(mass_.size()), grain, [&](std::size_t begin, std::size_t end) {
            double sum = 0;
            for (Eigen::Index i = Eigen::Index(begin); i < Eigen::Index(end); ++i) {
                const double a = x[i] - x_tilde_[i], b = damping_[i] * h * (x[i] - x_star[i]);
                sum += 0.5 * mass_[i] * (a * a + b * (x[i] - x_star[i]));
                if (gradient) (*gradient)[i] = mass_[i] * (a + b);
            }
            return sum;
        });
    if (gradient) gradient->tail(x.size() - mass_.size()).setZero();
    for (const Pull& p : pulls_) {
        const Eigen::Index i = 3 * Eigen::Index(p.vertex);
        const Vec3 r = x.segment<3>(i) - p.target;
        value += 0.5 * pull_stiffness * mass_[i] * r.squaredNorm();
        if (gradient) gradient->segment<3>(i) += pull_stiffness * mass_[i] * r;
    }
    return value;
}

void IncrementalPotential::evaluate_terms(const VecX& x, Want want, Sink& sink) const
{
    for (std::size_t i = 0; i < terms_.size(); ++i) {
        sink.scatter = &scatter_[i];
        terms_[i]->evaluate(x, want, sink);
    }
}

double IncrementalPotential::value(const VecX& x)
{
    sink_.scale = step_.h_eff * step_.h_eff;
    sink_.energy = inertia(x, nullptr);
    evaluate_terms(x, {true, false, false, Psd::clamp}, sink_);
    return sink_.energy + (contact_ ? contact_->energy(x) : 0);
}

double IncrementalPotential::gradient(const VecX& x, VecX& gradient)
{
    gradient.resize(x.size());
    sink_.scale = step_.h_eff * step_.h_eff;
    sink_.energy = inertia(x, &gradient);
    sink_.gradient = &gradient;
    evaluate_terms(x, {true, true, false, Psd::clamp}, sink_);
    if (contact_) sink_.energy += contact_->add(x, Psd::clamp, gradient, nullptr, nullptr);
    return sink_.energy;
}

double IncrementalPotential::assemble(const VecX& x, VecX& gradient, BlockMatrix& hessian,
                                      BlockMatrix& contact, Psd psd, VecX* pull)
{
    for (Term* t : terms_) t->update(x);
    if (rods_) {
        this->gradient(x, gradient);
        rods_->set_loads(gradient, step_.h_eff * step_.h_eff);
    }
    gradient.resize(x.size());
    hessian.set_zero();
    sink_.scale = step_.h_eff * step_.h_eff;
    sink_.energy = inertia(x, &gradient);
    sink_.gradient = &gradient;
    sink_.hessian = &hessian;
    rank_one_.clear();
    sink_.rank_one = &rank_one_;
    evaluate_terms(x, {true, true, true, psd}, sink_);
    VecX diagonal = VecX::Zero(x.size() / 3);
    for (Eigen::Index i = 0; 3 * i < mass_.size(); ++i)
        diagonal[i] = mass_[3 * i] * (1 + damping_[3 * i] * step_.h_eff);
    for (const Pull& p : pulls_)
        diagonal[p.vertex] += pull_stiffness * mass_[3 * Eigen::Index(p.vertex)];
    hessian.add_diagonal(diagonal);
    if (contact_) return sink_.energy + contact_->add(x, psd, gradient, &contact, pull);
    if (pull) pull->setZero(x.size());
    return sink_.energy;
}

void IncrementalPotential::displace(const VecX& x, const VecX& p, double step, VecX& to) const
{
    to = x + step * p;
    if (rods_) rods_->bend_way(x, p, step, to);
}

double IncrementalPotential::term_energy(const VecX& x)
{
    sink_.scale = 1;
    sink_.energy = 0;
    evaluate_terms(x, {true, false, false, Psd::clamp}, sink_);
    return sink_.energy;
}

double IncrementalPotential::max_step(const VecX& x, const VecX& p, bool follow) const
{
    double step = 1;
    for (const Term* t : terms_) step = std::min(step, t->max_step(x, p));
    if (!contact_ || !(step > 0)) return step;
    if (follow || step == 1) return std::min(step, contact_->max_step(x, p, follow));
    // Pairs are sought no farther than the step may go.
    return step * contact_->max_step(x, step * p, false);
}

} // namespace selvage
