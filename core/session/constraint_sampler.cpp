#include "core/session/constraint_sampler.h"

#include "core/base/error.h"
#include "core/session/constraint_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace selvage
{
namespace
{

std::vector<int> points_of(const Geometry& g, std::size_t primitive)
{
    const Primitive& p = g.primitives()[primitive];
    std::vector<int> points;
    for (std::int64_t i = p.first; i < p.first + p.count; ++i)
        points.push_back(g.vertex_point()[std::size_t(g.primitive_vertices()[std::size_t(i)])]);
    return points;
}

} // namespace

ConstraintSampler::ConstraintSampler(const ConstraintsSetup& setup, int first_frame)
    : setup_(&setup), who_(fmt::format("Constraints '{}'", setup.name()))
{
    if (!animated()) return;
    const auto start = read_input(*setup.geometry, first_frame, who_);
    points_ = start->point_count();
    primitives_ = start->primitive_count();
    const ConstraintValues values(*start, setup.constraints, who_ + ": ");
    for (std::size_t k = 0; k < primitives_; ++k)
        known_[{values.type(k), points_of(*start, k)}].push_back(k);
}

const ConstraintSampler::Values& ConstraintSampler::at(double frame)
{
    for (const Values& v : recent_)
        if (v.stiffness.size() && v.frame == frame) return v;
    const auto geometry = read_input(*setup_->geometry, frame, who_);
    const std::string who = input_name(*setup_->geometry, frame, who_);
    if (geometry->point_count() != points_)
        throw InputError(fmt::format("{} has {} points but {} at the start frame. Constraints must "
                                     "keep their points over the shot.",
                                     who, geometry->point_count(), points_));
    const ConstraintValues values(*geometry, setup_->constraints, who + ": ");
    Values out{frame, VecX::Zero(Eigen::Index(primitives_)),
               VecX::Constant(Eigen::Index(primitives_), -1)};
    std::map<Key, std::size_t> met; // several may run through the same points
    for (std::size_t k = 0; k < geometry->primitive_count(); ++k) {
        const Key key(values.type(k), points_of(*geometry, k));
        const auto known = known_.find(key);
        const std::size_t nth = met[key]++;
        if (known == known_.end() || nth >= known->second.size())
            throw InputError(fmt::format(
                "{}: primitive {} was not there at the start frame. Let it be there from the "
                "start, with stiffness 0 until it shall hold.",
                who, k));
        const Eigen::Index i = Eigen::Index(known->second[nth]);
        out.stiffness[i] = values.spring(k);
        if (values.has_length()) out.length[i] = values.length(k, 0);
    }
    Values& slot = recent_[next_];
    next_ = 1 - next_;
    return slot = std::move(out);
}

void ConstraintSampler::sample(double frame, const std::vector<Link>& links,
                               const std::vector<LinkOrigin>& origins, LinkDrive& drive)
{
    const double below = setup_->geometry->has_subframes() ? frame : std::floor(frame);
    const double t = frame - below;
    const Values a = at(below), b = t > 0 ? at(below + 1) : a;
    drive.link_stiffness.resize(Eigen::Index(links.size()));
    drive.link_length.resize(Eigen::Index(links.size()));
    for (std::size_t i = 0; i < links.size(); ++i) {
        const Eigen::Index p = Eigen::Index(origins[i].primitive), k = Eigen::Index(i);
        const auto length = [&](const Values& v) {
            return v.length[p] < 0 ? links[i].rest_length
                                   : std::min(v.length[p], origins[i].longest);
        };
        drive.link_stiffness[k] = (1 - t) * a.stiffness[p] + t * b.stiffness[p];
        drive.link_length[k] = (1 - t) * length(a) + t * length(b);
    }
}

} // namespace selvage
