#include "core/contact/field_contact.h"

#include "core/contact/barrier.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace selvage
{

Vec3 probe_place(const FieldProbe& probe, const VecX& x)
{
    Vec3 y = Vec3::Zero();
    for (int i = 0; i < probe.count; ++i)
        y += probe.weights[std::size_t(i)] *
             x.segment<3>(3 * Eigen::Index(probe.vertices[std::size_t(i)]));
    return y;
}

double probe_thickness(const ContactMesh& mesh, const FieldProbe& probe, int field)
{
    double thickest = 0;
    for (int i = 0; i < probe.count; ++i)
        thickest = std::max(thickest, mesh.thickness(probe.vertices[std::size_t(i)]));
    return 0.5 * (thickest + mesh.thickness(mesh.field_vertex(field)));
}

bool probe_collides(const ContactMesh& mesh, const FieldProbe& probe, int field)
{
    for (int i = 0; i < probe.count; ++i)
        if (!mesh.collide(probe.vertices[std::size_t(i)], mesh.field_vertex(field))) return false;
    return true;
}

FieldBarrier field_barrier(const FieldContact& c, double d_hat, double kappa, Psd psd)
{
    const double phi = c.at.value, xi = c.thickness;
    const auto b = barrier((phi - xi) * (phi + xi), activation_distance(xi, d_hat));
    FieldBarrier out;
    out.energy = kappa * b.value;
    const double across = kappa * (4 * b.second * phi * phi + 2 * b.first);
    const double along = 2 * kappa * b.first * phi;
    const Vec3& g = c.at.gradient;
    out.gradient = along * g;
    out.hessian = across * g * g.transpose() + along * c.at.hessian;
    out.pull = across * c.at.rate * g + along * c.at.rate_gradient;
    if (psd == Psd::clamp) {
        const Eigen::SelfAdjointEigenSolver<Mat3> eigen(out.hessian);
        const Vec3 clamped = eigen.eigenvalues().cwiseMax(0.0);
        out.hessian =
            eigen.eigenvectors() * clamped.asDiagonal() * eigen.eigenvectors().transpose();
    }
    return out;
}

CcdResult point_field_ccd(const MovingField& field, const Vec3& y, const Vec3& q, double time,
                          double dt, const CcdSettings& settings)
{
    /// [m] Gaps below this are rounding.
    constexpr double resolution = 1e-13;
    /// Part of the way below which a step asks for more than its length.
    constexpr double short_step = 0.2;
    /// Once a gap is so near to what must be left, the time reached is as good as the zero.
    constexpr double near_enough = 1.5;
    MovingField::Value at = field.slope(y, time);
    double gap = at.value - settings.thickness;
    if (!(gap > resolution) || !q.allFinite() || !std::isfinite(dt)) return {true, 0, 0, false};
    const double least_gap = settings.slack * gap, L = field.lipschitz(), speed = L * q.norm();
    if (speed == 0 && dt == 0) return {false, settings.t_max, 0, false};
    double t = 0, moment = time;
    for (int k = 1; k <= settings.max_iterations; ++k) {
        // gap − b s − c s² = least_gap, until the field's rate changes. Backwards in time, by the
        // fastest rate there is.
        const double change = dt > 0 ? field.next_change(moment) : infinity;
        const double end = change < infinity ? std::max((change - time) / dt, t) : infinity;
        const double b = speed + (dt < 0 ? -field.fastest() * dt : std::max(0.0, -at.rate * dt));
        const double c = dt > 0 ? speed * dt * field.rate_lipschitz(moment) / L : 0;
        const double left = gap - least_gap, root = b + std::sqrt(b * b + 4 * c * left);
        double reach = root > 0 ? t + 2 * left / root : infinity;
        if (reach - t < short_step * (settings.t_max - t) && dt >= 0) {
            // Sliding along the surface: gap + b s − c s², with the slope along the way.
            const double slope = field.at(y + t * q, moment).gradient.dot(q) + at.rate * dt;
            const double bend = 0.5 * field.curvature() * q.squaredNorm() + c;
            if (bend > 0)
                reach = std::max(reach,
                                 t + 0.999 * (slope + std::sqrt(slope * slope + 4 * bend * left)) /
                                         (2 * bend));
        }
        if (std::min(reach, end) >= settings.t_max) return {false, settings.t_max, k - 1, false};
        const bool changes = end <= reach;
        const double next = changes ? end : reach;
        moment = changes ? change : time + next * dt;
        at = field.slope(y + next * q, moment);
        gap = at.value - settings.thickness;
        if (!(gap > 0)) return {true, t, k, false}; // rounding
        t = next;
        if (gap < near_enough * least_gap) return {true, t, k, false};
    }
    return {true, t, settings.max_iterations, true};
}

double lowest_distance(const MovingField& field, const Vec3& y, const Vec3& q, double time,
                       double dt, double margin)
{
    const double first = std::min(time, time + dt) - margin,
                 last = std::max(time, time + dt) + margin;
    return field.lowest(y + 0.5 * q, first, last) -
           field.lipschitz() * (0.5 * q.norm() + std::sqrt(3.0) * margin);
}

} // namespace selvage
