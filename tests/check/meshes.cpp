#include "tests/check/meshes.h"

namespace selvage
{

Geometry make_geometry(const std::vector<Vec3>& points,
                       const std::vector<std::vector<int>>& polygons, bool closed)
{
    Geometry g;
    g.set_point_count(points.size());
    VecX P(3 * Eigen::Index(points.size()));
    for (std::size_t i = 0; i < points.size(); ++i) P.segment<3>(3 * Eigen::Index(i)) = points[i];
    g.set_vectors("P", P, "point", Storage::real64);
    std::vector<std::int32_t> vertices, vertex_point;
    std::vector<Primitive> primitives;
    for (const auto& polygon : polygons) {
        Primitive p;
        p.closed = closed;
        p.first = std::int64_t(vertices.size());
        p.count = std::int64_t(polygon.size());
        primitives.push_back(p);
        for (const int point : polygon) {
            vertices.push_back(std::int32_t(vertices.size()));
            vertex_point.push_back(point);
        }
    }
    g.set_topology(points.size(), vertex_point, vertices, {}, primitives);
    return g;
}

Geometry make_grid(int n, const Vec3& origin, const Vec3& u, const Vec3& v, bool triangles)
{
    std::vector<Vec3> points;
    for (int j = 0; j <= n; ++j)
        for (int i = 0; i <= n; ++i) points.push_back(origin + i * u / n + j * v / n);
    std::vector<std::vector<int>> polygons;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            const int a = j * (n + 1) + i, b = a + 1, c = b + n + 1, d = a + n + 1;
            if (triangles) {
                polygons.push_back({a, b, c});
                polygons.push_back({a, c, d});
            } else {
                polygons.push_back({a, b, c, d});
            }
        }
    return make_geometry(points, polygons);
}

Geometry make_triangle_soup(int count, double size, unsigned seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(0, 1), offset(-size, size);
    std::vector<Vec3> points;
    std::vector<std::vector<int>> polygons;
    for (int i = 0; i < count; ++i) {
        const Vec3 center(unit(random), unit(random), unit(random));
        for (int c = 0; c < 3; ++c)
            points.push_back(center + Vec3(offset(random), offset(random), offset(random)));
        polygons.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    }
    return make_geometry(points, polygons);
}

NamedGeometry named(const std::string& name, const Geometry& geometry)
{
    return {name, geometry, std::nullopt};
}

} // namespace selvage
