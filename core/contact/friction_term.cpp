#include "core/contact/friction_term.h"

#include "core/contact/barrier.h"
#include "core/contact/closest_points.h"

#include <Eigen/Geometry>

#include <cmath>
#include <type_traits>

namespace selvage
{
namespace
{

constexpr std::size_t friction_grain = 512;

/// Sliding this many times farther than what counts as sticking is sliding.
constexpr double slides_beyond = 10;

/// The relative motion of a contact's two sides along it, of a motion of all vertices.
Vec2 tangential(const FrictionContact& c, const VecX& motion)
{
    Vec3 moved = Vec3::Zero();
    for (std::size_t i = 0; i < 4 && c.vertices[i] >= 0; ++i)
        moved += c.weights[i] * motion.segment<3>(3 * Eigen::Index(c.vertices[i]));
    return c.tangents.transpose() * moved;
}

template <class Stencil>
void append(const ContactMesh& mesh, const std::vector<ContactStencil>& contacts, const VecX& x,
            double kappa, const VecX& drift, double stick_distance,
            std::vector<FrictionContact>& out)
{
    constexpr int N = Stencil::N;
    // The first vertex is on one side, the last on the other, in every stencil.
    constexpr int first = std::is_same_v<Stencil, EdgeEdge> ? 2 : 1;
    for (const ContactStencil& c : contacts) {
        const Friction pair =
            mesh.friction(mesh.body(c.vertices[0]), mesh.body(c.vertices[std::size_t(N - 1)]));
        if (!(pair.resting > 0)) continue;
        Vec3T<double> p[N];
        for (int i = 0; i < N; ++i) {
            const double* at = x.data() + 3 * std::ptrdiff_t(c.vertices[std::size_t(i)]);
            p[i] = {at[0], at[1], at[2]};
        }
        const auto closest = closest_points(Stencil{}, p);
        const Vec3 r(closest.r.x, closest.r.y, closest.r.z);
        const double d = r.norm(), D = d * d - c.thickness * c.thickness;
        const double slope = barrier(D, activation_distance(c.thickness, c.activation)).first;
        FrictionContact f;
        f.vertices = c.vertices;
        for (int i = 0; i < N; ++i) f.weights[std::size_t(i)] = closest.w[i];
        // Each side brings what is painted at its closest point.
        Vec2 scale_a = Vec2::Zero(), scale_b = Vec2::Zero();
        for (int i = 0; i < N; ++i)
            (i < first ? scale_a : scale_b) += (i < first ? closest.w[i] : -closest.w[i]) *
                                               mesh.friction_scale(c.vertices[std::size_t(i)]);
        // r is orthogonal to edges and triangles alike: any basis of its plane will do.
        f.tangents.col(0) = r.unitOrthogonal();
        f.tangents.col(1) = r.cross(f.tangents.col(0)) / d;
        double mu = pair.resting * scale_a[0] * scale_b[0];
        if (tangential(f, drift).norm() > slides_beyond * stick_distance)
            mu *= std::min(1.0, pair.sliding / pair.resting * scale_a[1] * scale_b[1]);
        f.force = -mu * kappa * c.multiplicity * slope * 2 * d;
        if (f.force > 0) out.push_back(f);
    }
}

/// The way along a field is not known: its surface counts as moving across itself only.
void append_fields(const ContactMesh& mesh, const std::vector<FieldContact>& contacts, double d_hat,
                   double kappa, const VecX& drift, double stick_distance,
                   std::vector<FrictionContact>& out)
{
    for (const FieldContact& c : contacts) {
        const Friction pair = mesh.friction(mesh.body(c.vertices[0]), mesh.body(c.vertices[3]));
        const double steepness = c.at.gradient.norm();
        if (!(pair.resting > 0) || !(steepness > 0)) continue;
        FrictionContact f;
        Vec2 scale = Vec2::Zero();
        for (std::size_t i = 0; i < 3; ++i) {
            f.vertices[i] = c.vertices[i];
            f.weights[i] = c.weights[i];
            if (c.vertices[i] >= 0) scale += c.weights[i] * mesh.friction_scale(c.vertices[i]);
        }
        scale = scale.cwiseProduct(mesh.friction_scale(c.vertices[3]));
        f.tangents.col(0) = c.at.gradient.unitOrthogonal();
        f.tangents.col(1) = c.at.gradient.cross(f.tangents.col(0)) / steepness;
        double mu = pair.resting * scale[0];
        if (tangential(f, drift).norm() > slides_beyond * stick_distance)
            mu *= std::min(1.0, pair.sliding / pair.resting * scale[1]);
        f.force = mu * field_barrier(c, d_hat, kappa, Psd::exact).gradient.norm();
        if (f.force > 0) out.push_back(f);
    }
}

} // namespace

SmoothedFriction smoothed_friction(double y, double a)
{
    if (y >= a) return {y, 1 / y, 0};
    const double s = y / a;
    return {a * (s * s * (1 - s / 3) + 1.0 / 3), (2 - s) / a, 2 * (1 - s) / a};
}

Mat2 friction_curvature(const Vec2& u, double a)
{
    const double y = u.norm();
    const SmoothedFriction f = smoothed_friction(y, a);
    if (y == 0) return f.f1_y * Mat2::Identity();
    const Vec2 along = u / y, across(-along[1], along[0]);
    return f.f1_der * along * along.transpose() + f.f1_y * across * across.transpose();
}

void FrictionTerm::lag(const ContactMesh& mesh, const ContactSet& set, const VecX& x, double kappa,
                       VecX x_ref, const VecX& drift, double stick_distance)
{
    contacts_.clear();
    x_ref_ = std::move(x_ref);
    stick_distance_ = stick_distance;
    append<PointPoint>(mesh, set[StencilKind::point_point], x, kappa, drift, stick_distance,
                       contacts_);
    append<PointEdge>(mesh, set[StencilKind::point_edge], x, kappa, drift, stick_distance,
                      contacts_);
    append<PointTriangle>(mesh, set[StencilKind::point_triangle], x, kappa, drift, stick_distance,
                          contacts_);
    append<EdgeEdge>(mesh, set[StencilKind::edge_edge], x, kappa, drift, stick_distance, contacts_);
    append_fields(mesh, set.fields, d_hat_, kappa, drift, stick_distance, contacts_);
}

Vec2 FrictionTerm::sliding(const FrictionContact& c, const VecX& x) const
{
    Vec3 moved = Vec3::Zero();
    for (std::size_t i = 0; i < 4 && c.vertices[i] >= 0; ++i) {
        const Eigen::Index k = 3 * Eigen::Index(c.vertices[i]);
        moved += c.weights[i] * (x.segment<3>(k) - x_ref_.segment<3>(k));
    }
    return c.tangents.transpose() * moved;
}

double FrictionTerm::energy(const VecX& x) const
{
    return parallel_sum(contacts_.size(), friction_grain, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t k = begin; k < end; ++k)
            sum += contacts_[k].force *
                   smoothed_friction(sliding(contacts_[k], x).norm(), stick_distance_).f0;
        return sum;
    });
}

void FrictionTerm::prepare()
{
    std::vector<ContactScatter::Stencil> stencils;
    stencils.reserve(contacts_.size());
    for (const FrictionContact& c : contacts_) stencils.push_back(c.vertices);
    scatter_.assign(std::move(stencils), simulated_count_);
}

void FrictionTerm::append_pattern(std::vector<std::int32_t>& vertices) const
{
    const std::vector<std::int32_t> v = scatter_.pattern_vertices();
    vertices.insert(vertices.end(), v.begin(), v.end());
}

void FrictionTerm::add(const VecX& x, const ContactSink& sink) const
{
    scatter_.for_each_chunk([&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const FrictionContact& c = contacts_[k];
            const Vec2 u = sliding(c, x);
            const SmoothedFriction f = smoothed_friction(u.norm(), stick_distance_);
            const Vec3 g = (c.force * f.f1_y) * (c.tangents * u);
            const Mat3 B = c.force * c.tangents * friction_curvature(u, stick_distance_) *
                           c.tangents.transpose();
            for (int i = 0; i < 4; ++i) {
                const double wi = c.weights[std::size_t(i)];
                scatter_.add_gradient(k, i, {wi * g[0], wi * g[1], wi * g[2]}, *sink.gradient);
                if (!sink.hessian) continue;
                for (int j = i; j < 4; ++j) {
                    const double w = wi * c.weights[std::size_t(j)];
                    double b[9];
                    for (int e = 0; e < 9; ++e) b[e] = w * B(e / 3, e % 3);
                    scatter_.add_block(k, i, j, b, sink);
                }
            }
        }
    });
}

std::size_t FrictionTerm::bytes() const
{
    return contacts_.capacity() * sizeof(FrictionContact) + scatter_.bytes();
}

} // namespace selvage
