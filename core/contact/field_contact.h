#pragma once

#include "core/contact/ccd.h"
#include "core/contact/contact_mesh.h"

namespace selvage
{

/// A probe near a field, with the field's value there. The body's vertex, which carries the time,
/// is last.
struct FieldContact {
    std::array<std::int32_t, 4> vertices = {-1, -1, -1, -1};
    std::array<double, 3> weights = {0, 0, 0};
    double thickness = 0; ///< [m]
    MovingField::Value at;
};

/// Where a probe is at x (all contact vertices), or what it is of any other quantity per vertex.
Vec3 probe_place(const FieldProbe& probe, const VecX& x);

/// [m] thickness of a probe and a field: half of each.
double probe_thickness(const ContactMesh& mesh, const FieldProbe& probe, int field);

/// Whether all of the probe's vertices collide with the field.
bool probe_collides(const ContactMesh& mesh, const FieldProbe& probe, int field);

/// The barrier of distances to fields, as for other pairs with the distance φ:
///   E = κ b(D, D̂),   D = φ² − ξ²
///   ∇E = 2κ b′ φ ∇φ,   ∇²E = κ ((4 b″ φ² + 2 b′) ∇φ ∇φᵀ + 2 b′ φ ∇²φ)
/// over the probe's place y; vertex i has weight w_i of it, so that clamping the 3 × 3 matrix
/// clamps the whole. `pull` is ∂∇E/∂t.
struct FieldBarrier {
    double energy = 0;
    Vec3 gradient = Vec3::Zero();
    Mat3 hessian = Mat3::Zero();
    Vec3 pull = Vec3::Zero();
};
FieldBarrier field_barrier(const FieldContact& contact, double d_hat, double kappa, Psd psd);

/// As the others of ccd.h: a place that moves as y + s q while the field's time is time + s dt.
/// With L its Lipschitz constant and φ_t its rate, what is left of a gap after a part s is at least
///   gap − s (L |q| + max(0, −φ_t dt)) − s² L_t |q| dt
/// up to the next sample of the field: it is linear in time there, and L_t is the Lipschitz
/// constant of its rate. Along the surface, at least
///   gap + s (∇φ·q + φ_t dt) − s² (½ C |q|² + L_t |q| dt)
/// with C the bound of its second derivatives. The search creeps forward by the zeros of these.
CcdResult point_field_ccd(const MovingField& field, const Vec3& y, const Vec3& q, double time,
                          double dt, const CcdSettings& settings = {});

/// [m] A bound from below of the field along such a motion, s in [0, 1], and anything within
/// `margin` [m] of the place and [frames] of the time.
double lowest_distance(const MovingField& field, const Vec3& y, const Vec3& q, double time,
                       double dt, double margin);

} // namespace selvage
