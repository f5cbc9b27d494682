#include "core/model/hair_builder.h"

#include "core/base/error.h"
#include "core/energy/rod_bend.h"
#include "core/energy/rod_twist.h"
#include "core/geometry/mesh_topology.h"
#include "core/math/frame3.h"
#include "core/model/cloth_builder.h"
#include "core/model/point_map.h"

#include <Eigen/Geometry>
#include <fmt/format.h>

namespace selvage
{
namespace
{

using V = Vec3T<double>;

V packed(const Vec3& a) { return {a[0], a[1], a[2]}; }
Vec3 unpacked(const V& a) { return {a.x, a.y, a.z}; }

std::string strand_name(const Hair& hair, int strand)
{
    return fmt::format("Hair '{}', curve {}", hair.name,
                       hair.strand_primitive[std::size_t(strand)]);
}

void add_strands(const Geometry& geometry, Hair& hair, LogSink& log)
{
    std::vector<int> owner(geometry.point_count(), -1);
    std::size_t ignored = 0;
    const auto& primitives = geometry.primitives();
    hair.strand_begin.push_back(0);
    for (std::size_t i = 0; i < primitives.size(); ++i) {
        const Primitive& p = primitives[i];
        if (p.type != PrimitiveType::polygon || p.closed) {
            ++ignored;
            continue;
        }
        if (p.count < 3)
            throw InputError(fmt::format("Hair '{}': curve {} has {} points. A strand needs at "
                                         "least three: resample it.",
                                         hair.name, i, p.count));
        for (std::int64_t k = p.first; k < p.first + p.count; ++k) {
            const std::size_t vertex = std::size_t(geometry.primitive_vertices()[std::size_t(k)]);
            const int point = geometry.vertex_point()[vertex];
            int& of = owner[std::size_t(point)];
            if (of >= 0)
                throw InputError(fmt::format(
                    "Hair '{}': point {} belongs to curves {} and {}. Strands must not share "
                    "points: unique them, or close no loops.",
                    hair.name, point, of, i));
            of = int(i);
            hair.points.push_back(point);
        }
        hair.strand_begin.push_back(int(hair.points.size()));
        hair.strand_primitive.push_back(int(i));
    }
    if (hair.strand_count() == 0)
        throw InputError(fmt::format("Hair '{}': the geometry has no open curves.", hair.name));
    if (ignored > 0)
        log.message(Severity::warning,
                    fmt::format("Hair '{}': {} primitives are not open curves; they follow the "
                                "input.",
                                hair.name, ignored));
}

VecX radii(const Hair& hair, const Geometry& geometry)
{
    const std::string who = fmt::format("Hair '{}'", hair.name);
    VecX per_point = point_numbers(who, geometry, "pscale", 1e-9, 10);
    if (per_point.size() == 0) per_point = 0.5 * point_numbers(who, geometry, "width", 2e-9, 20);
    VecX out(hair.rod_points());
    for (int k = 0; k < hair.rod_points(); ++k)
        out[k] = per_point.size() ? per_point[hair.points[std::size_t(k)]] : hair.material.radius;
    return out;
}

Vec3 at(const VecX& x, int point) { return x.segment<3>(3 * point); }

/// Unit tangent of the edge after rod point k.
V tangent(const Hair& hair, const VecX& x, int k)
{
    return packed(
        (at(x, hair.points[std::size_t(k) + 1]) - at(x, hair.points[std::size_t(k)])).normalized());
}

RodVertex<double> vertex_at(const Hair& hair, const VecX& x, const VecX& directors, int k)
{
    return rod_vertex(tangent(hair, x, k - 1), 1.0, packed(directors.segment<3>(3 * (k - 1))),
                      tangent(hair, x, k), 1.0, packed(directors.segment<3>(3 * k)));
}

} // namespace

Hair make_hair(const std::string& name, const Geometry& geometry, const VecX* x_rest,
               const HairMaterial& material, HairRoots roots, LogSink& log)
{
    const std::string who = fmt::format("Hair '{}'", name);
    Hair hair;
    hair.name = name;
    hair.material = material;
    hair.roots = roots;
    hair.point_count = int(geometry.point_count());
    add_strands(geometry, hair, log);
    hair.radius = radii(hair, geometry);
    hair.stiffness_scale = VecX::Ones(hair.rod_points());
    const VecX painted = point_numbers(who, geometry, "stiffness_scale", 0, infinity);
    for (int k = 0; painted.size() && k < hair.rod_points(); ++k)
        hair.stiffness_scale[k] = painted[hair.points[std::size_t(k)]];
    hair.target_rate = VecX::Zero(hair.rod_points());

    const Attribute* rest = geometry.find(Owner::point, "rest");
    const bool has_rest = rest && rest->tuple_size >= 3 && is_real(rest->storage);
    const VecX x = x_rest ? *x_rest : has_rest ? geometry.vectors("rest") : geometry.positions();
    if (x.size() != 3 * Eigen::Index(geometry.point_count()))
        throw InputError(fmt::format("{}: the rest shape has {} points, the hair {}.", who,
                                     x.size() / 3, geometry.point_count()));
    require_finite(x, who);
    // A rest shape of its own has its own frames; only P comes with `orient`.
    const VecX orient = x_rest || has_rest ? VecX() : hair_orient(who, geometry);
    hair.rest_twist = VecX::Zero(hair.rod_points());
    RodRest shape = rest_of_pose(hair, x, hair_frames(hair, x, orient));
    hair.rest_length = std::move(shape.length);
    hair.rest_curvature = std::move(shape.curvature);
    hair.rest_twist = std::move(shape.twist);
    return hair;
}

RodRest rest_of_pose(const Hair& hair, const VecX& x, const RodFrames& frames)
{
    RodRest out{VecX::Zero(hair.rod_points()), VecX::Zero(2 * hair.rod_points()), frames.twists};
    for (int s = 0; s < hair.strand_count(); ++s) {
        const int begin = hair.strand_begin[std::size_t(s)];
        const int end = hair.strand_begin[std::size_t(s) + 1];
        for (int k = begin; k + 1 < end; ++k) {
            const int a = hair.points[std::size_t(k)], b = hair.points[std::size_t(k) + 1];
            out.length[k] = (at(x, b) - at(x, a)).norm();
            if (!(out.length[k] > 1e-9))
                throw InputError(fmt::format(
                    "{}: points {} and {} are at the same place. Remove one, or resample.",
                    strand_name(hair, s), a, b));
            if (k == begin) continue;
            double k1, k2;
            rod_curvature(vertex_at(hair, x, frames.directors, k), k1, k2);
            out.curvature.segment<2>(2 * k) << k1, k2;
        }
    }
    return out;
}

VecX hair_orient(const std::string& who, const Geometry& geometry)
{
    const Attribute* a = geometry.find(Owner::point, "orient");
    if (!a || a->tuple_size != 4 || !is_real(a->storage) || a->is_array) return {};
    VecX out(4 * Eigen::Index(geometry.point_count()));
    for (std::size_t i = 0; i < geometry.point_count(); ++i) {
        Vec4 q;
        for (int c = 0; c < 4; ++c) q[c] = a->number(i, c);
        if (!(q.norm() > 1e-6) || !q.allFinite())
            throw InputError(fmt::format(
                "{}: 'orient' of point {} is no rotation. Write unit quaternions, or remove it.",
                who, i));
        out.segment<4>(4 * Eigen::Index(i)) = q.normalized();
    }
    return out;
}

RodFrames hair_frames(const Hair& hair, const VecX& x, const VecX& orient,
                      const VecX& root_directors)
{
    RodFrames f{VecX::Zero(3 * hair.rod_points()), VecX::Zero(hair.rod_points())};
    for (int s = 0; s < hair.strand_count(); ++s) {
        const int begin = hair.strand_begin[std::size_t(s)];
        const int end = hair.strand_begin[std::size_t(s) + 1];
        V t_before{}, m{};
        for (int k = begin; k + 1 < end; ++k) {
            const V t = tangent(hair, x, k);
            if (orient.size()) {
                const Eigen::Quaterniond q(
                    Vec4(orient.segment<4>(4 * hair.points[std::size_t(k)])));
                const Vec3 axis = q * Vec3::UnitX();
                m = unit_across(
                    packed(axis.cross(unpacked(t)).norm() > 1e-6 ? axis : q * Vec3::UnitY()), t);
            } else if (k == begin) {
                m = root_directors.size() ? unit_across(packed(root_directors.segment<3>(3 * s)), t)
                                          : any_orthogonal(t);
            } else {
                const double twist = hair.rest_twist[k];
                m = unit_across(turned(transport(t_before, t, m), t, cosine(twist), sine(twist)),
                                t);
            }
            f.directors.segment<3>(3 * k) = unpacked(m);
            t_before = t;
            if (k > begin)
                f.twists[k] =
                    rod_twist_angle(vertex_at(hair, x, f.directors, k), hair.rest_twist[k]);
        }
    }
    return f;
}

VecX orient_of(const Hair& hair, const VecX& x, const VecX& directors)
{
    VecX orient(4 * hair.point_count);
    for (int i = 0; i < hair.point_count; ++i) orient.segment<4>(4 * i) << 0, 0, 0, 1;
    for (int s = 0; s < hair.strand_count(); ++s) {
        const int begin = hair.strand_begin[std::size_t(s)];
        const int end = hair.strand_begin[std::size_t(s) + 1];
        for (int k = begin; k < end; ++k) {
            const int edge = std::min(k, end - 2);
            Mat3 R;
            R.col(2) = unpacked(tangent(hair, x, edge));
            R.col(0) =
                unpacked(unit_across(packed(directors.segment<3>(3 * edge)), packed(R.col(2))));
            R.col(1) = R.col(2).cross(R.col(0));
            orient.segment<4>(4 * hair.points[std::size_t(k)]) =
                Eigen::Quaterniond(R).normalized().coeffs();
        }
    }
    return orient;
}

} // namespace selvage
