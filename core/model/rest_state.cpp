#include "core/model/rest_state.h"

#include "core/base/parallel.h"
#include "core/energy/hinge_bending.h"
#include "core/energy/shape_operator_bending.h"
#include "core/model/drive.h"
#include "core/model/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

namespace selvage
{
namespace
{

constexpr std::size_t rest_grain = 1024;

Vec3 at(const VecX& x, int point) { return x.segment<3>(3 * point); }

/// The corner of t that a hinge does not have on its edge; the edge is the one opposite to it.
int far_corner(const Vec3i& t, int far_point)
{
    return t[0] == far_point ? 0 : t[1] == far_point ? 1 : 2;
}

/// Area over the longest edge squared: √3/4 for the roundest triangle, 0 for a flat one.
double roundness(const Vec3& lengths)
{
    const double longest = lengths.maxCoeff();
    return longest > 0 ? triangle_area(lengths) / (longest * longest) : 0;
}

bool too_flat(const Vec3& lengths, const Vec3& own)
{
    const double r = roundness(lengths);
    return !(r > 1e-3) && !(r > 0.1 * roundness(own));
}

Vec3 opened(Vec3 l, const Vec3& own)
{
    int longest = 0;
    l = l.cwiseMax(1e-3 * own);
    l.maxCoeff(&longest);
    l = l.cwiseMax(1e-2 * l[longest]);
    l[longest] = std::min(l[longest], 0.999 * (l.sum() - l[longest]));
    return l;
}

/// Mean of a per-point map over the edge opposite corner i.
double edge_mean(const VecX& map, const Vec3i& t, int i)
{
    return 0.5 * (map[t[(i + 1) % 3]] + map[t[(i + 2) % 3]]);
}

/// cos² between the warp and the direction across edge i: (ê_i · â⊥)², â⊥ ∝ w0 ē0 + w1 ē1.
double cos2_across(const Vec3& lengths, const Vec2& w, int i)
{
    const Vec3 q = lengths.cwiseProduct(lengths);
    const auto product = [&](int a, int b) { // ē_a · ē_b
        return a == b ? q[a] : 0.5 * (q[3 - a - b] - q[a] - q[b]);
    };
    const double along = w[0] * product(i, 0) + w[1] * product(i, 1);
    const double squared =
        w[0] * w[0] * q[0] + 2 * w[0] * w[1] * product(0, 1) + w[1] * w[1] * q[1];
    return std::min(1.0, along * along / (q[i] * squared));
}

/// Blended lengths of the triangles; returns what had to be repaired.
RestRepair blend_lengths(const Cloth& c, const RestShape* driven, const RestDrive& drive,
                         std::vector<Vec3>& lengths)
{
    std::atomic<int> count{0}, first{int(lengths.size())};
    parallel_for(lengths.size(), rest_grain, [&](std::size_t k) {
        const Vec3i& t = c.mesh.triangles[k];
        const Vec3& own = c.rest.lengths[k];
        Vec3& l = lengths[k];
        for (int i = 0; i < 3; ++i) {
            const double w = driven ? drive.blend * edge_mean(c.rest_blend, t, i) : 0;
            const double s = drive.scale * edge_mean(c.rest_scale, t, i);
            l[i] = s * (driven ? (1 - w) * own[i] + w * driven->lengths[k][i] : own[i]);
        }
        if (!too_flat(l, own)) return;
        l = opened(l, own);
        ++count;
        for (int seen = first; int(k) < seen && !first.compare_exchange_weak(seen, int(k));) {}
    });
    return {count, count > 0 ? int(first) : -1};
}

} // namespace

double triangle_area(const Vec3& lengths)
{
    // Kahan's form of Heron's formula, accurate for slivers: a >= b >= c.
    double a = lengths[0], b = lengths[1], c = lengths[2];
    if (a < b) std::swap(a, b);
    if (b < c) std::swap(b, c);
    if (a < b) std::swap(a, b);
    const double radicand = (a + (b + c)) * (c - (a - b)) * (c + (a - b)) * (a + (b - c));
    return radicand > 0 ? 0.25 * std::sqrt(radicand) : 0;
}

RestShape rest_shape(const MeshTopology& mesh, const VecX& x)
{
    RestShape shape;
    shape.lengths.resize(mesh.triangles.size());
    shape.angles.resize(mesh.hinges.size());
    parallel_for(mesh.triangles.size(), rest_grain, [&](std::size_t k) {
        const Vec3i& t = mesh.triangles[k];
        for (int i = 0; i < 3; ++i)
            shape.lengths[k][i] = (at(x, t[(i + 2) % 3]) - at(x, t[(i + 1) % 3])).norm();
    });
    parallel_for(mesh.hinges.size(), rest_grain, [&](std::size_t k) {
        Vec12 p;
        for (int i = 0; i < 4; ++i) p.segment<3>(3 * i) = at(x, mesh.hinges[k][i]);
        shape.angles[k] = hinge_angle(p);
    });
    return shape;
}

RestShape rest_shape(const MeshTopology& mesh, const std::vector<std::array<Vec2, 3>>& pattern)
{
    RestShape shape;
    shape.lengths.resize(mesh.triangles.size());
    shape.angles.assign(mesh.hinges.size(), 0.0);
    for (std::size_t k = 0; k < mesh.triangles.size(); ++k)
        for (std::size_t i = 0; i < 3; ++i)
            shape.lengths[k][Eigen::Index(i)] =
                (pattern[k][(i + 2) % 3] - pattern[k][(i + 1) % 3]).norm();
    return shape;
}

RestShape driven_rest(const Cloth& c, const RestDrive& drive, RestRepair& repair)
{
    RestShape out = c.rest;
    const bool blends = drive.x.size() > 0 && drive.blend != 0;
    const RestShape driven = blends ? rest_shape(c.mesh, drive.x) : RestShape();
    repair = blend_lengths(c, blends ? &driven : nullptr, drive, out.lengths);
    if (!blends) return out;
    parallel_for(out.angles.size(), rest_grain, [&](std::size_t k) {
        const Vec2i& sides = c.mesh.hinge_triangles[k];
        for (int side = 0; side < 2; ++side) // a collapsed triangle has no angle to follow
            if (roundness(driven.lengths[std::size_t(sides[side])]) < 1e-6) return;
        const Vec4i& h = c.mesh.hinges[k];
        const double w = drive.blend * 0.5 * (c.rest_blend[h[1]] + c.rest_blend[h[2]]);
        out.angles[k] = (1 - w) * c.rest.angles[k] + w * driven.angles[k];
    });
    return out;
}

namespace
{

/// [N·m] Rigidities of warp and weft: as given, or both of a homogeneous sheet. `poisson_squared`:
/// product of the two Poisson ratios of its directions.
template <class Points>
Vec2 flexural_rigidities(const Cloth& c, const Points& points, double poisson_squared)
{
    const double E = c.at(points, &ClothMaterial::bend_young);
    if (E <= 0)
        return {c.at(points, &ClothMaterial::bend_warp), c.at(points, &ClothMaterial::bend_weft)};
    const double h = c.at(points, &ClothMaterial::thickness);
    return Vec2::Constant(E * h * h * h / (12 * (1 - poisson_squared)));
}

} // namespace

std::vector<HingeElement> hinge_rest(const Cloth& c, const RestShape& rest)
{
    std::vector<HingeElement> elements(rest.angles.size());
    parallel_for(elements.size(), rest_grain, [&](std::size_t k) {
        const Vec4i& h = c.mesh.hinges[k];
        const std::size_t a = std::size_t(c.mesh.hinge_triangles[k][0]),
                          b = std::size_t(c.mesh.hinge_triangles[k][1]);
        const int edge_a = far_corner(c.mesh.triangles[a], h[0]),
                  edge_b = far_corner(c.mesh.triangles[b], h[3]);
        // The sides of a seam may differ.
        const double length = 0.5 * (rest.lengths[a][edge_a] + rest.lengths[b][edge_b]);
        const double area_a = triangle_area(rest.lengths[a]),
                     area_b = triangle_area(rest.lengths[b]);
        const Vec2i edge(h[1], h[2]);
        const double nu = c.at(edge, &ClothMaterial::poisson);
        const Vec2 D = flexural_rigidities(c, edge,
                                           nu * nu * c.at(edge, &ClothMaterial::young_weft) /
                                               c.at(edge, &ClothMaterial::young_warp));
        const double rigidity = directional_rigidity(
            D[0], D[1], cos2_across(rest.lengths[a], c.warp_weights[a], edge_a));
        elements[k] =
            hinge_element(length, area_a + area_b, rest.angles[k], hinge_modulus(rigidity));
        elements[k].rest_altitude = 2 * std::min(area_a, area_b) / length;
    });
    return elements;
}

std::vector<Vec3i> triangle_hinges(const MeshTopology& mesh)
{
    std::vector<Vec3i> hinges(mesh.triangles.size(), Vec3i(-1, -1, -1));
    for (std::size_t k = 0; k < mesh.hinges.size(); ++k)
        for (int side = 0; side < 2; ++side) {
            const std::size_t t = std::size_t(mesh.hinge_triangles[k][side]);
            hinges[t][far_corner(mesh.triangles[t], mesh.hinges[k][3 * side])] = int(k);
        }
    return hinges;
}

std::vector<std::int32_t> plate_vertices(const Cloth& c)
{
    const std::vector<Vec3i> hinges = triangle_hinges(c.mesh);
    std::vector<std::int32_t> vertices;
    vertices.reserve(6 * hinges.size());
    for (std::size_t k = 0; k < hinges.size(); ++k) {
        const Vec3i& t = c.mesh.triangles[k];
        for (int i = 0; i < 3; ++i) vertices.push_back(c.first_vertex + t[i]);
        for (int i = 0; i < 3; ++i) {
            const int h = hinges[k][i];
            const Vec4i* hinge = h < 0 ? nullptr : &c.mesh.hinges[std::size_t(h)];
            const int far = !hinge ? t[i] : (*hinge)[0] == t[i] ? (*hinge)[3] : (*hinge)[0];
            vertices.push_back(c.first_vertex + far);
        }
    }
    return vertices;
}

std::vector<ShapeTriangle> plate_rest(const Cloth& c, const RestShape& rest)
{
    const std::vector<Vec3i> hinges = triangle_hinges(c.mesh);
    std::vector<ShapeTriangle> elements(rest.lengths.size());
    parallel_for(elements.size(), rest_grain, [&](std::size_t k) {
        const Vec3i& t = c.mesh.triangles[k];
        Vec3 altitude(-1, -1, -1), angle(0, 0, 0);
        for (int i = 0; i < 3; ++i) {
            if (hinges[k][i] < 0) continue;
            const std::size_t h = std::size_t(hinges[k][i]);
            const Vec2i& sides = c.mesh.hinge_triangles[h];
            const std::size_t other = std::size_t(sides[0] == int(k) ? sides[1] : sides[0]);
            altitude[i] = 2 * triangle_area(rest.lengths[other]) / rest.lengths[k][i];
            angle[i] = rest.angles[h];
        }
        const double nu = c.at(t, &ClothMaterial::bend_poisson);
        const Vec2 D = flexural_rigidities(c, t, nu * nu);
        const PlateModuli moduli{D[0], D[1], nu};
        elements[k] = shape_triangle(rest.lengths[k], altitude, angle, c.warp_weights[k], moduli);
    });
    return elements;
}

std::string describe(const RestRepair& repair, const Cloth& cloth)
{
    return fmt::format(
        "Cloth '{}': {} triangles of the rest shape were flat after blending and were opened a "
        "little, the first in polygon {}. Smooth rest_blend or rest_scale there, or repair the "
        "animated rest mesh.",
        cloth.name, repair.count, cloth.triangle_primitive[std::size_t(repair.triangle)]);
}

} // namespace selvage
