#include "core/render/drawable.h"

#include "core/geometry/triangulate.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <map>

namespace selvage
{
namespace
{

using Vec3f = Eigen::Vector3f;

/// Beyond 1e15 m squares lose all meaning in the ray tracer's single precision.
bool drawable_position(const Vec3& x) { return x.allFinite() && x.cwiseAbs().maxCoeff() < 1e15; }

class Builder
{
public:
    explicit Builder(const RenderObject& object)
        : object_(object),
          geometry_(object.geometry),
          x_(geometry_.point_count() ? geometry_.positions() : VecX())
    {
        radius_ = geometry_.find(Owner::point, "pscale");
        if (!radius_) {
            radius_ = geometry_.find(Owner::point, "width");
            radius_scale_ = 0.5;
        }
        if (radius_ && (radius_->is_array || is_text(radius_->storage))) radius_ = nullptr;
    }

    Drawable build()
    {
        const auto& primitives = geometry_.primitives();
        for (std::size_t i = 0; i < primitives.size(); ++i) add_primitive(std::int32_t(i));
        add_outside_of_tetrahedra();
        set_normals();
        return std::move(out_);
    }

private:
    Vec3 position(const DrawnCorner& c) const { return x_.segment<3>(3 * Eigen::Index(c.point)); }

    std::vector<DrawnCorner> corners(std::int64_t first, std::int64_t count) const
    {
        std::vector<DrawnCorner> out;
        for (std::int64_t k = first; k < first + count; ++k) {
            const std::int32_t v = geometry_.primitive_vertices()[std::size_t(k)];
            out.push_back({geometry_.vertex_point()[std::size_t(v)], v});
        }
        return out;
    }

    bool finite(const std::vector<DrawnCorner>& polygon) const
    {
        return std::all_of(polygon.begin(), polygon.end(),
                           [&](const DrawnCorner& c) { return drawable_position(position(c)); });
    }

    void add_primitive(std::int32_t i)
    {
        const Primitive& p = geometry_.primitives()[std::size_t(i)];
        switch (p.type) {
        case PrimitiveType::polygon:
            if (p.closed)
                add_polygon(corners(p.first, p.count), i);
            else
                add_strand(corners(p.first, p.count), i);
            break;
        case PrimitiveType::polygon_soup: {
            std::int64_t first = p.first;
            for (std::int64_t s = 0; s < p.soup_count; ++s) {
                const auto n = geometry_.soup_polygon_sizes()[std::size_t(p.soup_first + s)];
                add_polygon(corners(first, n), i);
                first += n;
            }
            break;
        }
        case PrimitiveType::tetrahedron: add_tetrahedron(corners(p.first, p.count), i); break;
        }
    }

    void add_polygon(const std::vector<DrawnCorner>& polygon, std::int32_t primitive)
    {
        if (polygon.size() < 3 || !finite(polygon)) {
            ++out_.skipped_primitives;
            return;
        }
        const VecX& pose = object_.cut_by.size() == x_.size() ? object_.cut_by : x_;
        std::vector<Vec3> x;
        for (const DrawnCorner& c : polygon)
            x.push_back(pose.segment<3>(3 * Eigen::Index(c.point)));
        for (const auto& t : triangulate_outline(x))
            add_triangle({polygon[std::size_t(t[0])], polygon[std::size_t(t[1])],
                          polygon[std::size_t(t[2])]},
                         primitive);
    }

    void add_triangle(const std::array<DrawnCorner, 3>& corner, std::int32_t primitive)
    {
        out_.triangles.push_back(
            {corner, primitive, {Vec3f::Zero(), Vec3f::Zero(), Vec3f::Zero()}});
    }

    void add_strand(const std::vector<DrawnCorner>& strand, std::int32_t primitive)
    {
        if (strand.size() < 2 || !finite(strand)) {
            ++out_.skipped_primitives;
            return;
        }
        const auto direction = [&](std::size_t i) -> Vec3 { // of piece i; zero outside
            if (i + 1 >= strand.size()) return Vec3::Zero();
            return (position(strand[i + 1]) - position(strand[i])).stableNormalized();
        };
        for (std::size_t i = 0; i < strand.size(); ++i) {
            const Vec3 before = i > 0 ? direction(i - 1) : Vec3(Vec3::Zero());
            Vec3 tangent = before + direction(i);
            if (!(tangent.norm() > 1e-6)) tangent = before.norm() > 0 ? before : Vec3::UnitY();
            if (i + 1 < strand.size())
                out_.segments.push_back({std::int32_t(out_.strand_points.size()), primitive, i > 0,
                                         i + 2 < strand.size()});
            out_.strand_points.push_back(
                {strand[i], tangent.normalized().cast<float>(), radius(strand[i].point)});
        }
    }

    float radius(std::int32_t point) const
    {
        const double r = radius_ ? radius_scale_ * radius_->number(std::size_t(point)) : 0;
        return float(std::isfinite(r) && r > 0 ? r : object_.default_radius);
    }

    void add_tetrahedron(const std::vector<DrawnCorner>& tet, std::int32_t primitive)
    {
        if (tet.size() != 4 || !finite(tet)) {
            ++out_.skipped_primitives;
            return;
        }
        // Each face with its normal away from the opposite corner, for positive volume.
        constexpr int faces[4][3] = {{1, 3, 2}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}};
        const Vec3 x0 = position(tet[0]);
        const double volume =
            (position(tet[1]) - x0).cross(position(tet[2]) - x0).dot(position(tet[3]) - x0);
        for (const auto& f : faces) {
            std::array<DrawnCorner, 3> corner = {tet[std::size_t(f[0])], tet[std::size_t(f[1])],
                                                 tet[std::size_t(f[2])]};
            // {0,1,2} looks at corner 3 when the volume is positive: turn all faces together.
            if (volume > 0) std::swap(corner[1], corner[2]);
            std::array<std::int32_t, 3> key = {corner[0].point, corner[1].point, corner[2].point};
            std::sort(key.begin(), key.end());
            auto& entry = tetrahedron_faces_[key];
            entry.triangle = corner;
            entry.primitive = primitive;
            ++entry.uses;
        }
    }

    void add_outside_of_tetrahedra()
    {
        for (const auto& [key, face] : tetrahedron_faces_)
            if (face.uses == 1) add_triangle(face.triangle, face.primitive);
    }

    /// Normals given with the geometry; empty where there are none to trust.
    const Attribute* normal_attribute(Owner owner) const
    {
        const bool trusted =
            object_.normals == NormalSource::attribute ||
            (object_.normals == NormalSource::automatic && object_.role == RenderRole::collider);
        const Attribute* N = trusted ? geometry_.find(owner, "N") : nullptr;
        return N && N->tuple_size == 3 && !N->is_array && is_real(N->storage) ? N : nullptr;
    }

    void set_normals()
    {
        compute_normals();
        const Attribute* of_vertices = normal_attribute(Owner::vertex);
        const Attribute* of_points = normal_attribute(Owner::point);
        const Attribute* N = of_vertices ? of_vertices : of_points;
        if (!N) return;
        for (DrawnTriangle& t : out_.triangles)
            for (std::size_t k = 0; k < 3; ++k) {
                const auto i = std::size_t(of_vertices ? t.corner[k].vertex : t.corner[k].point);
                const Vec3 n(N->number(i, 0), N->number(i, 1), N->number(i, 2));
                if (n.allFinite() && n.norm() > 1e-9) t.normal[k] = n.normalized().cast<float>();
            }
    }

    void compute_normals()
    {
        struct Face {
            Vec3 unit, weighted; // weighted: area × unit; the angle comes in per corner
            std::array<double, 3> angle;
            bool sliver; // too thin for its own normal to mean anything
        };
        const auto& triangles = out_.triangles;
        std::vector<Face> faces(triangles.size());
        std::vector<std::int64_t> first(geometry_.point_count() + 1, 0);
        for (std::size_t t = 0; t < triangles.size(); ++t) {
            const auto& c = triangles[t].corner;
            const std::array<Vec3, 3> x = {position(c[0]), position(c[1]), position(c[2])};
            faces[t].weighted = 0.5 * (x[1] - x[0]).cross(x[2] - x[0]);
            faces[t].unit = faces[t].weighted.stableNormalized();
            const double longest =
                std::max({(x[1] - x[0]).squaredNorm(), (x[2] - x[1]).squaredNorm(),
                          (x[0] - x[2]).squaredNorm()});
            faces[t].sliver = !(faces[t].weighted.norm() > 1e-5 * longest);
            for (std::size_t k = 0; k < 3; ++k) {
                const Vec3 a = x[(k + 1) % 3] - x[k], b = x[(k + 2) % 3] - x[k];
                faces[t].angle[k] = std::atan2(a.cross(b).norm(), a.dot(b));
                ++first[std::size_t(c[k].point) + 1];
            }
        }
        // Triangle corners around each point, as one array with offsets.
        for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
        std::vector<std::int64_t> around(3 * triangles.size()), next(first.begin(), first.end());
        for (std::size_t t = 0; t < triangles.size(); ++t)
            for (std::size_t k = 0; k < 3; ++k)
                around[std::size_t(next[std::size_t(triangles[t].corner[k].point)]++)] =
                    std::int64_t(3 * t + k);

        const double crease =
            std::cos((object_.role == RenderRole::collider ? 50 : 80) * M_PI / 180);
        for (std::size_t t = 0; t < triangles.size(); ++t)
            for (std::size_t k = 0; k < 3; ++k) {
                const auto point = std::size_t(triangles[t].corner[k].point);
                Vec3 sum = Vec3::Zero();
                for (std::int64_t i = first[point]; i < first[point + 1]; ++i) {
                    const auto corner = std::size_t(around[std::size_t(i)]);
                    const Face& face = faces[corner / 3];
                    if (faces[t].sliver || face.unit.dot(faces[t].unit) >= crease)
                        sum += face.angle[corner % 3] * face.weighted;
                }
                const Vec3 n = sum.stableNormalized();
                out_.triangles[t].normal[k] =
                    (n.norm() > 0.5 ? n : faces[t].unit).template cast<float>();
            }
    }

    struct TetrahedronFace {
        std::array<DrawnCorner, 3> triangle;
        std::int32_t primitive = 0;
        int uses = 0;
    };

    const RenderObject& object_;
    const Geometry& geometry_;
    const VecX x_;
    const Attribute* radius_ = nullptr;
    double radius_scale_ = 1;
    std::map<std::array<std::int32_t, 3>, TetrahedronFace> tetrahedron_faces_;
    Drawable out_;
};

} // namespace

Drawable make_drawable(const RenderObject& object) { return Builder(object).build(); }

void for_each_drawn_point(const RenderObject& object, const std::function<void(const Vec3&)>& visit)
{
    const Geometry& geometry = object.geometry;
    if (geometry.point_count() == 0) return;
    const VecX x = geometry.positions();
    std::vector<bool> used(geometry.point_count(), false);
    for (const std::int32_t v : geometry.primitive_vertices())
        used[std::size_t(geometry.vertex_point()[std::size_t(v)])] = true;
    for (std::size_t i = 0; i < used.size(); ++i) {
        const Vec3 p = x.segment<3>(3 * Eigen::Index(i));
        if (used[i] && drawable_position(p)) visit(p);
    }
}

} // namespace selvage
