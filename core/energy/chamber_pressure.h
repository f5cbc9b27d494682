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

/// E(V) [J] with p = −E′; `gas` is Boyle's law, no paper is followed. Below V_0/20 the gas law goes
/// on as its quadratic Taylor series: sealed air may be squeezed flat, or start flat, without an
/// infinite force.
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
/// the first part, dense but of rank one and positive semi-definite, goes to Sink::rank_one. The
/// second is a sum over edges: with x_k, x_l opposite of edge (i, j) in the triangles (i, j, k) and
/// (j, i, l), and W the cross product with w/6, w = x_l − x_k,
///   ∂²V/∂x_i∂x_j = W = −∂²V/∂x_j∂x_i,   nothing else.
/// In m = ½(d_i + d_j) and g = d_j − d_i, B = −p W, an edge is 2 mᵀB g, and by Young's inequality
/// its size is nowhere above that of
///   M = θ⁻¹ mᵀ|B| m + θ gᵀ|B| g,   |B| = |p|/6 ‖w‖ (1 − ŵŵᵀ),
/// for any θ > 0. Psd::clamp takes ½ (edge + M): positive semi-definite and never below the exact
/// Hessian. θ = ½ clamps the eigenvalues of each edge, but then resists as strongly as anything
/// that all edges move together, which costs nothing in truth; a larger θ resists that less and
/// tension along the edges more.
/// The middle of a rim hangs on all its vertices; its edges to them go into diagonal blocks that
/// are nowhere below theirs (so the exact Hessian of an open chamber is not to be had).
class ChamberPressure final : public Term
{
public:
    ChamberPressure(std::vector<Chamber> chambers, int vertex_count);

    std::string_view name() const override { return "pressure"; }
    const Batches& stencils() const override { return batches_; }
    void evaluate(const VecX& x, Want want, Sink& out) const override;

    /// For the coming steps, one per chamber.
    void set_laws(std::vector<GasLaw> laws);

private:
    /// Edge (i, j) between triangles (i, j, right) and (j, i, left); that along a rim has its
    /// middle on the left.
    struct Edge {
        std::size_t chamber;
        int right, left;
        int rim = -1;  ///< its number in rims_
        int place = 0; ///< of i in it
    };
    struct Rim {
        std::size_t chamber, hole;
    };
    void add_edges(std::size_t chamber, std::vector<std::int32_t>& vertices);
    void add_curvature(const VecX& x, const std::vector<double>& slopes, Psd psd, Sink& out) const;

    std::vector<Chamber> chambers_;
    std::vector<GasLaw> laws_;
    std::vector<Rim> rims_;
    std::vector<Edge> edges_; ///< the elements of batches_
    Batches batches_;
};

} // namespace selvage
