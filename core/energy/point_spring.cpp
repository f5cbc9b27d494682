#include "core/energy/point_spring.h"

#include "core/energy/batch_loop.h"

namespace selvage
{

double point_spring_energy(const Vec3& x, double k, const Vec3& target)
{
    return 0.5 * k * (x - target).squaredNorm();
}

Vec3 point_spring_gradient(const Vec3& x, double k, const Vec3& target) { return k * (x - target); }

Mat3 point_spring_hessian(double k) { return k * Mat3::Identity(); }

PointSpring::PointSpring(const std::vector<std::int32_t>& vertices, std::vector<double> stiffness,
                         std::vector<Vec3> targets, int vertex_count)
    : stiffness_(std::move(stiffness)),
      targets_(std::move(targets)),
      batches_(make_batches(1, vertices, vertex_count))
{
    assert(stiffness_.size() == vertices.size() && targets_.size() == vertices.size());
    pack();
}

void PointSpring::set_targets(std::vector<Vec3> targets)
{
    assert(targets.size() == targets_.size());
    targets_ = std::move(targets);
    pack();
}

void PointSpring::set_stiffness(std::vector<double> stiffness)
{
    assert(stiffness.size() == stiffness_.size());
    stiffness_ = std::move(stiffness);
    pack();
}

void PointSpring::pack()
{
    springs_.assign(batches_, [&](std::size_t e) -> std::array<double, 4> {
        return {stiffness_[e], targets_[e][0], targets_[e][1], targets_[e][2]};
    });
}

void PointSpring::evaluate(const VecX& x, Want want, Sink& out) const
{
    for_each_batch<1>(
        batches_, x, want, out,
        [&](std::size_t b, const Vec3T<Real4>(&p)[1], Want w, ElementResult<Real4, 1>& result) {
            const Real4* s = springs_[b];
            const Vec3T<Real4> d = p[0] - Vec3T<Real4>{s[1], s[2], s[3]};
            if (w.energy) result.energy = 0.5 * s[0] * dot(d, d);
            if (w.gradient) result.gradient[0] = s[0] * d;
            if (w.hessian) {
                const Real4 o(0.0);
                result.block(0, 0) = {{s[0], o, o, o, s[0], o, o, o, s[0]}};
            }
        });
}

} // namespace selvage
