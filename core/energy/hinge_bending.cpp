#include "core/energy/hinge_bending.h"

#include "core/base/error.h"
#include "core/energy/batch_loop.h"
#include "core/energy/hinge_kernel.h"

#include <Eigen/Geometry>

namespace selvage
{
namespace
{

HingeGeometry<double> geometry(const Vec12& x)
{
    Vec3T<double> p[4];
    unstack<4>(x, p);
    return hinge_geometry(p, 0.0);
}

ElementResult<double, 4> evaluate_one(const Vec12& x, const HingeElement& hinge, BendingForm form,
                                      const HingeDamping& damping, Want want)
{
    Vec3T<double> p[4];
    unstack<4>(x, p);
    const HingeMaterial<double> m{hinge.stiffness, bend_measure_of(form, hinge.rest_angle),
                                  degenerate_altitude * hinge.rest_altitude, damping.ratio,
                                  bend_measure_of(form, damping.lagged_angle)};
    ElementResult<double, 4> r;
    if (form == BendingForm::angle)
        hinge_kernel<BendingForm::angle>(p, m, want, r);
    else
        hinge_kernel<BendingForm::tangent>(p, m, want, r);
    return r;
}

} // namespace

double hinge_modulus(double flexural_rigidity, HingeCalibration calibration)
{
    return flexural_rigidity / (calibration == HingeCalibration::physical ? 6 : 2);
}

double directional_rigidity(double warp_rigidity, double weft_rigidity, const Vec3& direction,
                            const Vec3& warp)
{
    const double along = direction.dot(warp),
                 lengths = direction.squaredNorm() * warp.squaredNorm();
    return directional_rigidity(warp_rigidity, weft_rigidity,
                                lengths > 0 ? along * along / lengths : 0.5);
}

double directional_rigidity(double warp_rigidity, double weft_rigidity, double cos2)
{
    const double root = std::sqrt(warp_rigidity) * cos2 + std::sqrt(weft_rigidity) * (1 - cos2);
    return root * root;
}

HingeElement hinge_element(const Vec12& p, double k)
{
    const Vec3 e = p.segment<3>(6) - p.segment<3>(3);
    const double area_a = 0.5 * e.cross(p.segment<3>(0) - p.segment<3>(3)).norm();
    const double area_b = 0.5 * e.cross(p.segment<3>(9) - p.segment<3>(3)).norm();
    const double length = e.norm(), altitude = 2 * std::min(area_a, area_b) / length;
    if (!(length > 0) || !(altitude > 1e-10 * length))
        throw InputError("A hinge has a triangle of zero rest area. Remove degenerate triangles.");
    return {3 * k * length * length / (area_a + area_b), hinge_angle(p), altitude};
}

HingeElement hinge_element(double edge_length, double area_sum, double rest_angle, double k)
{
    // Without the two areas, the mean altitude is the scale.
    return {3 * k * edge_length * edge_length / area_sum, rest_angle, area_sum / edge_length};
}

double hinge_angle(const Vec12& x)
{
    const HingeGeometry<double> g = geometry(x);
    return 2 * std::atan2(g.half_sine, g.half_cosine);
}

Vec12 hinge_angle_gradient(const Vec12& x)
{
    ElementResult<double, 4> r;
    hinge_angle_gradient(geometry(x), r.gradient);
    return stacked_gradient(r);
}

Mat12 hinge_angle_hessian(const Vec12& x)
{
    ElementResult<double, 4> r;
    hinge_hessian(geometry(x), 1.0, 0.0, Psd::exact, r);
    return stacked_hessian(r);
}

double hinge_bending_energy(const Vec12& x, const HingeElement& hinge, BendingForm form,
                            const HingeDamping& damping)
{
    return evaluate_one(x, hinge, form, damping, {true, false, false, Psd::exact}).energy;
}

Vec12 hinge_bending_gradient(const Vec12& x, const HingeElement& hinge, BendingForm form,
                             const HingeDamping& damping)
{
    return stacked_gradient(
        evaluate_one(x, hinge, form, damping, {false, true, false, Psd::exact}));
}

Mat12 hinge_bending_hessian(const Vec12& x, const HingeElement& hinge, BendingForm form, Psd psd,
                            const HingeDamping& damping)
{
    return stacked_hessian(evaluate_one(x, hinge, form, damping, {false, false, true, psd}));
}

HingeBending::HingeBending(const std::vector<std::int32_t>& hinges, std::vector<HingeElement> rest,
                           BendingForm form, const std::vector<double>& damping, int vertex_count)
    : hinges_(hinges), form_(form), batches_(make_batches(4, hinges, vertex_count))
{
    set_rest(std::move(rest));
    set_damping(damping);
    lagged_.resize(batches_);
}

void HingeBending::set_rest(std::vector<HingeElement> rest)
{
    assert(rest.size() == hinges_.size() / 4);
    rest_ = std::move(rest);
    material_.assign(batches_, [&](std::size_t e) -> std::array<double, 3> {
        const HingeElement& h = rest_[e];
        return {h.stiffness, bend_measure_of(form_, h.rest_angle),
                degenerate_altitude * h.rest_altitude};
    });
}

void HingeBending::set_damping(const std::vector<double>& damping)
{
    assert(damping.size() <= 1 || damping.size() == rest_.size());
    damped_ = std::any_of(damping.begin(), damping.end(), [](double b) { return b > 0; });
    damping_.assign(batches_, [&](std::size_t e) -> std::array<double, 1> {
        return {damping.empty() ? 0.0 : damping[damping.size() == 1 ? 0 : e]};
    });
}

void HingeBending::begin_step(const StepContext& step)
{
    inverse_step_ = step.h_eff > 0 ? 1 / step.h_eff : 0;
    if (!damped_ || !step.x_star) return;
    parallel_for(batches_.batch_count(), 256, [&](std::size_t b) {
        Vec3T<Real4> x[4];
        gather<4>(batches_.vertices.data() + b * (4 * batch_lanes), step.x_star->data(), x);
        const HingeGeometry<Real4> g = hinge_geometry(x, material_[b][2]);
        lagged_[b][0] = form_ == BendingForm::angle
                            ? bend_measure<BendingForm::angle>(g.half_cosine, g.half_sine).value
                            : bend_measure<BendingForm::tangent>(g.half_cosine, g.half_sine).value;
    });
}

void HingeBending::evaluate(const VecX& x, Want want, Sink& out) const
{
    const double rate = damped_ ? inverse_step_ : 0;
    const auto material = [&](std::size_t b) {
        const Real4* m = material_[b];
        return HingeMaterial<Real4>{m[0], m[1], m[2], rate * damping_[b][0], lagged_[b][0]};
    };
    using Positions = Vec3T<Real4>[4];
    using Result = ElementResult<Real4, 4>;
    if (form_ == BendingForm::angle)
        for_each_batch<4>(batches_, x, want, out,
                          [&](std::size_t b, const Positions& p, Want w, Result& result) {
                              hinge_kernel<BendingForm::angle>(p, material(b), w, result);
                          });
    else
        for_each_batch<4>(batches_, x, want, out,
                          [&](std::size_t b, const Positions& p, Want w, Result& result) {
                              hinge_kernel<BendingForm::tangent>(p, material(b), w, result);
                          });
}

Vec12 HingeBending::positions(const VecX& x, std::size_t hinge) const
{
    Vec12 p;
    for (int i = 0; i < 4; ++i)
        p.segment<3>(3 * i) = x.segment<3>(3 * std::ptrdiff_t(hinges_[4 * hinge + std::size_t(i)]));
    return p;
}

int HingeBending::degenerate_count(const VecX& x) const
{
    return int(parallel_sum(rest_.size(), 1024, [&](std::size_t begin, std::size_t end) {
        int count = 0;
        for (std::size_t e = begin; e < end; ++e) {
            Vec3T<double> p[4];
            unstack<4>(positions(x, e), p);
            const double least = degenerate_altitude * rest_[e].rest_altitude;
            count += hinge_geometry(p, least).usable == 0;
        }
        return double(count);
    }));
}

std::vector<double> HingeBending::angles(const VecX& x) const
{
    std::vector<double> angle(rest_.size());
    parallel_for(rest_.size(), 1024,
                 [&](std::size_t e) { angle[e] = hinge_angle(positions(x, e)); });
    return angle;
}

} // namespace selvage
