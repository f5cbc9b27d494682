#pragma once

#include "core/base/types.h"
#include "core/energy/batch_array.h"
#include "core/energy/term.h"

#include <vector>

namespace selvage
{

/// A soft pin: E = ½ k ‖x − target‖² [J], k [N/m]. Exact pins are filters of the linear solve.
double point_spring_energy(const Vec3& x, double k, const Vec3& target);
Vec3 point_spring_gradient(const Vec3& x, double k, const Vec3& target);
/// k I, positive definite as it stands.
Mat3 point_spring_hessian(double k);

class PointSpring final : public Term
{
public:
    /// One vertex, stiffness [N/m] (>= 0) and target per spring.
    PointSpring(const std::vector<std::int32_t>& vertices, std::vector<double> stiffness,
                std::vector<Vec3> targets, int vertex_count);

    std::string_view name() const override { return "soft pins"; }
    const Batches& stencils() const override { return batches_; }
    void evaluate(const VecX& x, Want want, Sink& out) const override;

    /// Targets at the end of the coming step, one per spring.
    void set_targets(std::vector<Vec3> targets);
    /// Stiffness [N/m], one per spring (animated weights).
    void set_stiffness(std::vector<double> stiffness);

private:
    void pack();

    std::vector<double> stiffness_;
    std::vector<Vec3> targets_;
    Batches batches_;
    BatchArray<4> springs_; // k, target
};

} // namespace selvage
