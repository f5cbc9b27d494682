#pragma once

#include "core/contact/contact_scatter.h"
#include "core/contact/contact_set.h"
#include "core/energy/term.h"

#include <array>
#include <vector>

namespace selvage
{

/// Smoothed Coulomb friction of the sliding distance y >= 0 [m] in a step; a = ε_v h [m] is the
/// distance below which a contact counts as sticking:
///   f0 = −y³/(3a²) + y²/a + a/3 for y < a, else y;   f1 = f0′ in [0, 1]: fraction of μλ in force
struct SmoothedFriction {
    double f0;     ///< [m]
    double f1_y;   ///< f1/y [1/m], finite at y = 0
    double f1_der; ///< f1′ [1/m]
};
SmoothedFriction smoothed_friction(double y, double a);

/// f1′ ûûᵀ + (f1/y) û⊥û⊥ᵀ: the Hessian of f0(‖u‖), a sum of two non-negative parts as it stands.
Mat2 friction_curvature(const Vec2& u, double a);

/// One contact with its lagged data: E = μ h²λ f0(‖u‖), u = Tᵀ(x − x_ref), T = w ⊗ P.
struct FrictionContact {
    std::array<std::int32_t, 4> vertices = {-1, -1, -1, -1};
    std::array<double, 4> weights = {0, 0, 0, 0}; ///< w: the closest points' barycentric weights
    Mat32 tangents;                               ///< P: orthonormal, orthogonal to the contact
    double force = 0;                             ///< μ h²λ [kg·m]
};

/// Lagged friction of a contact set [Li et al. 2020, §5]. Normal forces, directions and closest
/// points are those of the configuration given to `lag`; during the solve only x moves. Nearly
/// parallel edges are left out: their basis is ill-defined, and point contacts carry the load.
///
/// A contact that slides as the step begins has the sliding coefficient, any other the resting one.
/// Choosing within the step would make the energy non-convex: from rest, going on at the lower
/// friction is a minimum too.
class FrictionTerm
{
public:
    /// a = ε_v h may change with each step; see `lag`.
    explicit FrictionTerm(double d_hat, int simulated_count)
        : d_hat_(d_hat), simulated_count_(simulated_count)
    {
    }

    /// Takes forces and frames from the set at x (all contact vertices) with stiffness κ.
    /// x_ref: where the vertices would be without relative velocity (x_0; x* for BDF-2); drift: how
    /// far their velocities at the start would take them in the step.
    void lag(const ContactMesh& mesh, const ContactSet& set, const VecX& x, double kappa,
             VecX x_ref, const VecX& drift, double stick_distance);
    void clear() { contacts_.clear(); }

    double energy(const VecX& x) const;
    void prepare();
    void append_pattern(std::vector<std::int32_t>& vertices) const;
    void map(const BlockPattern& pattern) { scatter_.map(pattern); }
    void add(const VecX& x, const ContactSink& sink) const;

    const std::vector<FrictionContact>& contacts() const { return contacts_; }
    std::size_t bytes() const;

private:
    Vec2 sliding(const FrictionContact& c, const VecX& x) const;

    double d_hat_;
    int simulated_count_;
    double stick_distance_ = 1;
    VecX x_ref_;
    std::vector<FrictionContact> contacts_;
    ContactScatter scatter_;
};

} // namespace selvage
