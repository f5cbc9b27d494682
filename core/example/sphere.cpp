#include "core/example/sphere.h"

#include "core/base/error.h"
#include "core/example/polygon_geometry.h"

#include <cmath>
#include <map>

namespace selvage
{
namespace
{

/// The icosahedron's corners: three golden rectangles.
std::vector<Vec3> icosahedron_points()
{
    const double g = (1 + std::sqrt(5.0)) / 2;
    std::vector<Vec3> p;
    for (const double a : {-1.0, 1.0})
        for (const double b : {-g, g}) {
            p.emplace_back(0, a, b);
            p.emplace_back(a, b, 0);
            p.emplace_back(b, 0, a);
        }
    for (Vec3& x : p) x.normalize();
    return p;
}

/// Its faces are the triples of points at the shortest distance from each other.
std::vector<Vec3i> icosahedron_faces(const std::vector<Vec3>& p)
{
    const auto near = [&](int i, int j) {
        return (p[std::size_t(i)] - p[std::size_t(j)]).norm() < 1.1; // edges: 1.05, others: 1.7, 2
    };
    std::vector<Vec3i> faces;
    for (int i = 0; i < 12; ++i)
        for (int j = i + 1; j < 12; ++j)
            for (int k = j + 1; k < 12; ++k) {
                if (!near(i, j) || !near(j, k) || !near(k, i)) continue;
                const Vec3 &a = p[std::size_t(i)], &b = p[std::size_t(j)], &c = p[std::size_t(k)];
                const bool outward = (b - a).cross(c - a).dot(a) > 0;
                faces.push_back(outward ? Vec3i(i, j, k) : Vec3i(i, k, j));
            }
    return faces;
}

void quarter(std::vector<Vec3>& points, std::vector<Vec3i>& faces)
{
    std::map<std::pair<int, int>, int> middle;
    const auto between = [&](int a, int b) {
        const auto [it, fresh] = middle.try_emplace(std::minmax(a, b), int(points.size()));
        if (fresh) points.push_back((points[std::size_t(a)] + points[std::size_t(b)]).normalized());
        return it->second;
    };
    std::vector<Vec3i> out;
    for (const Vec3i& f : faces) {
        const int ab = between(f[0], f[1]), bc = between(f[1], f[2]), ca = between(f[2], f[0]);
        out.insert(out.end(), {Vec3i(f[0], ab, ca), Vec3i(ab, f[1], bc), Vec3i(ca, bc, f[2]),
                               Vec3i(ab, bc, ca)});
    }
    faces = std::move(out);
}

} // namespace

Geometry sphere(double radius, int subdivisions, const Vec3& centre)
{
    if (!(radius > 0) || subdivisions < 0 || subdivisions > 8)
        throw InputError("Sphere: radius " + std::to_string(radius) + " m, " +
                         std::to_string(subdivisions) +
                         " subdivisions. Choose a positive radius and 0 to 8 subdivisions.");
    std::vector<Vec3> points = icosahedron_points();
    std::vector<Vec3i> faces = icosahedron_faces(points);
    for (int i = 0; i < subdivisions; ++i) quarter(points, faces);

    std::vector<int> corners;
    for (const Vec3i& f : faces) corners.insert(corners.end(), f.begin(), f.end());
    VecX x(3 * Eigen::Index(points.size()));
    for (std::size_t i = 0; i < points.size(); ++i)
        x.segment<3>(3 * Eigen::Index(i)) = centre + radius * points[i];
    Geometry g = polygon_geometry(points.size(), corners, 3);
    g.set_positions(x);
    return g;
}

} // namespace selvage
