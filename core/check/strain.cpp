#include "core/check/strain.h"

#include "core/base/error.h"
#include "core/geometry/triangulate.h"

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace selvage
{
namespace
{

Vec9 corners(const VecX& x, const Vec3i& points)
{
    Vec9 out;
    for (int c = 0; c < 3; ++c) out.segment<3>(3 * c) = x.segment<3>(3 * points[c]);
    return out;
}

bool has_area(const Vec9& x)
{
    const Vec3 a = x.segment<3>(3) - x.head<3>(), b = x.tail<3>() - x.head<3>();
    return a.cross(b).squaredNorm() > 1e-28 * a.squaredNorm() * b.squaredNorm();
}

class Collector
{
public:
    Collector(StrainReport& report, double limit) : report_(report), limit_(limit) {}

    void add(const Stretches& s, std::int32_t primitive)
    {
        if (report_.largest.primitive < 0 || s.largest > report_.largest.stretch)
            report_.largest = {s.largest, primitive};
        if (report_.smallest.primitive < 0 || s.smallest < report_.smallest.stretch)
            report_.smallest = {s.smallest, primitive};
        if (s.largest - 1 > limit_) report_.above_limit.push_back(primitive);
    }
    void add_without_rest(std::int32_t primitive) { report_.no_rest.push_back(primitive); }

    void finish()
    {
        for (auto* list : {&report_.above_limit, &report_.no_rest}) {
            std::sort(list->begin(), list->end());
            list->erase(std::unique(list->begin(), list->end()), list->end());
        }
    }

private:
    StrainReport& report_;
    double limit_;
};

void measure_curve(const Geometry& geometry, std::int32_t primitive, const VecX& x, const VecX& X,
                   Collector& out)
{
    const Primitive& p = geometry.primitives()[std::size_t(primitive)];
    const auto point = [&](std::int64_t i) {
        const auto vertex = geometry.primitive_vertices()[std::size_t(p.first + i)];
        return 3 * Eigen::Index(geometry.vertex_point()[std::size_t(vertex)]);
    };
    for (std::int64_t i = 0; i + 1 < p.count; ++i) {
        const double l = (x.segment<3>(point(i + 1)) - x.segment<3>(point(i))).norm();
        const double L = (X.segment<3>(point(i + 1)) - X.segment<3>(point(i))).norm();
        if (!std::isfinite(l)) continue;
        if (L > 0 && std::isfinite(L))
            out.add({l / L, l / L}, primitive);
        else
            out.add_without_rest(primitive);
    }
}

} // namespace

Stretches triangle_stretches(const Vec9& x, const Vec9& x_rest)
{
    const Vec3 A = x_rest.segment<3>(3) - x_rest.head<3>(), B = x_rest.tail<3>() - x_rest.head<3>();
    const Vec3 e1 = A.normalized(), e2 = (B - e1.dot(B) * e1).normalized();
    Mat2 Dm;
    Dm << A.norm(), e1.dot(B), 0, e2.dot(B);
    Mat32 Ds;
    Ds << x.segment<3>(3) - x.head<3>(), x.tail<3>() - x.head<3>();
    const Mat32 F = Ds * Dm.inverse();
    // Singular values of F: s1 ± s2 = sqrt(|f1|² + |f2|² ± 2 |f1 × f2|), without cancellation.
    const double sum = F.squaredNorm(), product = F.col(0).cross(F.col(1)).norm();
    const double difference =
        std::hypot(F.col(0).squaredNorm() - F.col(1).squaredNorm(), 2 * F.col(0).dot(F.col(1)));
    const double largest = std::sqrt(0.5 * (sum + difference));
    return {largest, largest > 0 ? product / largest : 0};
}

StrainReport measure_strain(const std::string& object, const Geometry& geometry,
                            const Geometry& rest, double strain_limit)
{
    const auto counts = [](const Geometry& g) {
        return std::to_string(g.point_count()) + " points, " + std::to_string(g.primitive_count()) +
               " primitives";
    };
    if (!geometry.same_topology(rest))
        throw InputError("Object '" + object + "' (" + counts(geometry) +
                         ") and its rest geometry (" + counts(rest) +
                         ") are not the same mesh. Give a rest pose with the same points and "
                         "primitives in the same order.");
    StrainReport report;
    if (geometry.point_count() == 0) return report;
    const VecX x = geometry.positions(), X = rest.positions();
    const Triangulation mesh = triangulate(rest, X);
    Collector out(report, strain_limit);
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const Vec9 t = corners(x, mesh.triangles[i]), T = corners(X, mesh.triangles[i]);
        if (!t.allFinite()) continue;
        if (T.allFinite() && has_area(T))
            out.add(triangle_stretches(t, T), mesh.primitive[i]);
        else
            out.add_without_rest(mesh.primitive[i]);
    }
    for (std::size_t i = 0; i < geometry.primitive_count(); ++i) {
        const Primitive& p = geometry.primitives()[i];
        if (p.type == PrimitiveType::polygon && !p.closed)
            measure_curve(geometry, std::int32_t(i), x, X, out);
    }
    out.finish();
    return report;
}

} // namespace selvage
