#pragma once

#include "core/base/types.h"
#include "core/energy/term.h"

#include <vector>

namespace selvage
{

/// How the pressure inside a chamber, above that outside, depends on its volume V.
struct GasLaw {
    enum class Model {
        constant, ///< p: a pump, an open fan
        gas,      ///< p(V) = (p_a + p) V_0 / V − p_a: sealed air at constant temperature
        volume,   ///< p(V) = κ (1 − V/V_0): keeps the volume, like water behind a soft valve
    };
    Model model = Model::constant;
    double pressure = 0;     ///< p [Pa]; for `gas` what it is at V_0
    double volume = 1;       ///< V_0 [m³] > 0
    double ambient = 101325; ///< p_a [Pa]: larger is stiffer
    double stiffness = 0;    ///< κ [Pa]
};

/// E(V) [J] with p = −E′. Below V_0/20 the gas law goes on as its quadratic Taylor series: sealed
/// air may be squeezed flat, or start flat, without an infinite force.
double gas_energy(const GasLaw& law, double volume);
double gas_pressure(const GasLaw& law, double volume);
/// E″ = −dp/dV >= 0 [Pa/m³].
double gas_stiffness(const GasLaw& law, double volume);

/// The inside of oriented triangles whose holes are closed by fans around the mean of each rim.
struct Chamber {
    std::vector<Vec3i> triangles;        ///< vertices, counter-clockwise seen from outside
    std::vector<std::vector<int>> holes; ///< rims, each in the direction of its triangles
    double sign = 1;                     ///< −1 where the triangles run clockwise
};

/// V [m³] and its gradient, which is added to `gradient` (three per vertex) times `factor`.
double chamber_volume(const Chamber& chamber, const VecX& x);
void add_volume_gradient(const Chamber& chamber, const VecX& x, double factor, VecX& gradient);

/// Pressure in chambers: E(V(x)), with gradient −p ∇V exactly. Of the Hessian
///   E″ ∇V ∇Vᵀ − p ∇²V
/// the first part, dense but of rank one and positive semi-definite, goes to Sink::rank_one; the
/// second is indefinite and left out. What is minimised does not change by that, only the number of
/// Newton steps: clamped edge by edge (it couples the ends of each edge alone) it would never lie
/// below the exact one, but resist folds that cost next to nothing, and examples/cushion took 38 %
/// more steps with it.
class ChamberPressure final : public Term
{
public:
    explicit ChamberPressure(std::vector<Chamber> chambers);

    std::string_view name() const override { return "pressure"; }
    const Batches& stencils() const override { return nothing_; }
    void evaluate(const VecX& x, Want want, Sink& out) const override;

    /// For the coming steps, one per chamber.
    void set_laws(std::vector<GasLaw> laws);

private:
    std::vector<Chamber> chambers_;
    std::vector<GasLaw> laws_;
    Batches nothing_; ///< no block of the sparse matrix is touched
};

} // namespace selvage
