#include "core/session/hair_animation.h"

#include "core/base/error.h"
#include "core/energy/rod_bend.h"
#include "core/model/hair_builder.h"
#include "core/model/point_map.h"

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <cmath>

namespace selvage
{
namespace
{

Vec3T<double> packed(const Vec3& a) { return {a[0], a[1], a[2]}; }

Vec3 root_tangent(const Hair& hair, int strand, const VecX& x)
{
    const std::size_t k = std::size_t(hair.strand_begin[std::size_t(strand)]);
    return (x.segment<3>(3 * hair.points[k + 1]) - x.segment<3>(3 * hair.points[k])).normalized();
}

std::string name_of(const HairSetup& setup)
{
    return fmt::format("Hair '{}', rest shape", setup.name());
}

} // namespace

HairRestAnimation::HairRestAnimation(const HairSetup& setup, const Hair& hair,
                                     const Geometry& geometry, double start_frame)
    : setup_(&setup), hair_(hair), own_(&hair)
{
    const bool scaled = setup.hair.has("rest_scale");
    const bool animated = setup.rest && setup.rest->animated();
    if (!scaled && !animated) return;
    weight_ = VecX::Ones(hair.rod_points());
    const std::string who = fmt::format("Hair '{}'", setup.name());
    const VecX painted = point_numbers(who, geometry, "rest_blend", 0, 1);
    for (int k = 0; painted.size() && k < hair.rod_points(); ++k)
        weight_[k] = painted[hair.points[std::size_t(k)]];
    if (!animated) return;
    hair_.rest_twist.setZero();
    groom_.emplace(setup.rest, name_of(setup), std::size_t(hair.point_count), start_frame);
    const VecX x = groom_->at(start_frame);
    x_start_ = x;
    const RodFrames frames = hair_frames(hair_, x, {});
    tangents_.resize(3 * hair.strand_count());
    directors_.resize(3 * hair.strand_count());
    for (int s = 0; s < hair.strand_count(); ++s) {
        tangents_.segment<3>(3 * s) = root_tangent(hair, s, x);
        directors_.segment<3>(3 * s) =
            frames.directors.segment<3>(3 * hair.strand_begin[std::size_t(s)]);
    }
    start_ = rest_of_pose(hair_, x, frames);
}

RodRest HairRestAnimation::shape(const VecX& x) const
{
    VecX roots(directors_.size());
    for (int s = 0; s < hair_.strand_count(); ++s) {
        const auto m =
            transport(packed(tangents_.segment<3>(3 * s)), packed(root_tangent(hair_, s, x)),
                      packed(directors_.segment<3>(3 * s)));
        roots.segment<3>(3 * s) << m.x, m.y, m.z;
    }
    return rest_of_pose(hair_, x, hair_frames(hair_, x, {}, roots));
}

RodRest HairRestAnimation::at(double frame)
{
    if (weight_.size() == 0) return {};
    const double scale = setup_->hair.real("rest_scale", frame);
    RodRest out{scale * own_->rest_length, own_->rest_curvature, own_->rest_twist};
    const double blend = setup_->hair.real("rest_blend", frame);
    if (!groom_ || !(blend > 0)) return out;
    const VecX x = groom_->at(frame);
    if (x == x_start_) return setup_->hair.has("rest_scale") ? out : RodRest();
    const RodRest now = shape(x);
    for (int k = 0; k < own_->rod_points(); ++k) {
        const double w = blend * weight_[k];
        if (start_.length[k] > 0) out.length[k] *= 1 + w * (now.length[k] / start_.length[k] - 1);
        out.curvature.segment<2>(2 * k) +=
            w * (now.curvature.segment<2>(2 * k) - start_.curvature.segment<2>(2 * k));
        out.twist[k] += w * (now.twist[k] - start_.twist[k]);
    }
    return out;
}

RootOrientation::RootOrientation(std::shared_ptr<GeometrySource> geometry, const Hair& hair,
                                 double start_frame)
    : hair_(&hair)
{
    if (hair.roots == HairRoots::none || !geometry->animated()) return;
    const std::string who = fmt::format("Hair '{}'", hair.name);
    if (hair_orient(who, *read_input(*geometry, start_frame, who)).size() == 0) return;
    source_ = std::move(geometry);
}

VecX RootOrientation::whole(double frame) const
{
    const std::string who = fmt::format("Hair '{}'", hair_->name);
    const std::shared_ptr<const Geometry> geometry = read_input(*source_, frame, who);
    const VecX all = hair_orient(input_name(*source_, frame, who), *geometry);
    if (all.size() != 4 * hair_->point_count)
        throw InputError(fmt::format("{} has no 'orient' on its {} points, as it has at the start "
                                     "frame. Write it on every frame, or on none.",
                                     input_name(*source_, frame, who), hair_->point_count));
    VecX out(4 * hair_->strand_count());
    for (int s = 0; s < hair_->strand_count(); ++s)
        out.segment<4>(4 * s) =
            all.segment<4>(4 * hair_->points[std::size_t(hair_->strand_begin[std::size_t(s)])]);
    return out;
}

VecX RootOrientation::at(double frame)
{
    if (!source_) return {};
    const double before = std::floor(frame);
    const bool between = frame != before && !source_->has_subframes();
    const VecX a = whole(between ? before : frame);
    const VecX b = between ? whole(before + 1) : a;
    VecX out(3 * hair_->strand_count());
    for (int s = 0; s < hair_->strand_count(); ++s) {
        const Eigen::Quaterniond p(Vec4(a.segment<4>(4 * s))), q(Vec4(b.segment<4>(4 * s)));
        out.segment<3>(3 * s) = p.slerp(frame - before, q) * Vec3::UnitX();
    }
    return out;
}

} // namespace selvage
