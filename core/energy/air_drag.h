#pragma once

#include "core/base/types.h"
#include "core/energy/batch_array.h"
#include "core/energy/term.h"
#include "core/energy/wind_field.h"

#include <vector>

namespace selvage
{

/// Drag and lift of the air on a triangle, quadratic in the speed relative to the wind:
///   F = −½ ρ A ‖u‖ (c_n n nᵀ + c_t (I − n nᵀ)) u + F_l,   u = mean vertex velocity − wind  [N]
///   F_l = −½ ρ A c_l (n·u) (‖u‖ n − (n·û) u),   across u, largest at 45°
/// shared equally by the three vertices. The first part lifts too where c_n ≠ c_t; c_l adds to that
/// without adding drag. No wake, no shelter.
///
/// Drag is implicit and always dissipative: normal, area and ‖u‖ are those of the start of the
/// step, which leaves D u with D constant, the derivative of
///   E = ½ h_eff uᵀ D u,   u = (x − x_star)/h_eff averaged − wind.
/// Lift does no work on what moves with u; it is a constant force during the step, −F_l·x.
/// The wind is taken at the triangle's centre at the start of the step, at the time of its end.
/// A triangle at rest in still air feels its first drag one step late.
///
/// The drag equation with textbook coefficients of a flat plate (normal and along it) and, for
/// lift, the flat plate's normal-force law c_l sin α cos α; no paper is followed. Lagging ‖u‖ and
/// the normal, so that a step stays a minimisation, is ours.
struct AirCoefficients {
    double normal = 1.28;     ///< c_n: flat plate facing the flow. Larger: cloth floats
    double tangential = 0.02; ///< c_t: skin friction, 0.01–0.05
    double lift = 0;          ///< c_l: 0–1. Larger: cloth flutters and sails
};
struct AirProperties : AirCoefficients {
    double density = 1.225;   ///< ρ [kg/m³], sea level at 15 °C
    Vec3 wind = Vec3::Zero(); ///< [m/s] the same everywhere
};

/// D [kg/s] of a triangle p = [p0 p1 p2] that moves at u relative to the wind.
Mat3 air_drag_matrix(const Vec9& p, const Vec3& u, const AirProperties& air);

/// F_l [N] of that triangle.
Vec3 air_lift(const Vec9& p, const Vec3& u, const AirProperties& air);

/// E, its gradient and Hessian for a lagged D.
double air_drag_energy(const Vec9& x, const Vec9& x_star, double h_eff, const Mat3& D,
                       const Vec3& wind);
Vec9 air_drag_gradient(const Vec9& x, const Vec9& x_star, double h_eff, const Mat3& D,
                       const Vec3& wind);
/// Positive semi-definite as it stands: D/(9 h_eff) in every block.
Mat9 air_drag_hessian(double h_eff, const Mat3& D);

class AirDrag final : public Term
{
public:
    /// Three vertices per triangle.
    AirDrag(const std::vector<std::int32_t>& triangles, const AirProperties& air, int vertex_count);
    /// With coefficients per triangle, or one set for all.
    AirDrag(const std::vector<std::int32_t>& triangles,
            const std::vector<AirCoefficients>& coefficients, int vertex_count);

    std::string_view name() const override { return "air drag"; }
    const Batches& stencils() const override { return batches_; }
    void begin_step(const StepContext& step) override;
    void evaluate(const VecX& x, Want want, Sink& out) const override;

    /// From the coming step on: density [kg/m³] and the wind.
    void set_air(double density, WindField wind);

private:
    Vec3T<Real4> wind_at(const Vec3T<Real4>& x, double t) const;

    double density_ = AirProperties().density;
    WindField wind_;
    Batches batches_;
    BatchArray<3> coefficients_; // c_n, c_t, c_l
    BatchArray<12> lagged_;      // D (6, upper triangle), mean of x_star plus h_eff × wind, lift
    double inverse_step_ = 0;    // 1/h_eff; 0 before the first step: no drag
};

} // namespace selvage
