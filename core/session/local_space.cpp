#include "core/session/local_space.h"

#include "core/base/error.h"
#include "core/math/rigid_fit.h"

#include <fmt/format.h>

namespace selvage
{
namespace
{

void move_points(VecX& x, int first, int count, const RigidMotion& motion)
{
    if (x.size() == 0) return;
    for (int p = first; p < first + count; ++p)
        x.segment<3>(3 * p) = motion.apply(x.segment<3>(3 * p));
}

void turn_vectors(VecX& v, int first, int count, const Mat3& R)
{
    if (v.size() == 0) return;
    for (int p = first; p < first + count; ++p) v.segment<3>(3 * p) = R * v.segment<3>(3 * p);
}

std::vector<int> frame_points(const Geometry& geometry, const std::string& group,
                              const std::string& cloth)
{
    std::vector<int> points;
    if (group.empty()) return points;
    const Group* g = geometry.find_group(Owner::point, group);
    if (!g || g->count() < 3)
        throw InputError(fmt::format(
            "Cloth '{}': local_space.group '{}' {}; it needs at least 3 points.", cloth, group,
            g ? fmt::format("has {} points", g->count()) : "is not a point group"));
    for (std::size_t p = 0; p < g->member.size(); ++p)
        if (g->member[p]) points.push_back(int(p));
    return points;
}

} // namespace

LocalSpace::LocalSpace(const SessionSetup& setup, std::shared_ptr<const Scene> scene)
{
    for (std::size_t i = 0; i < setup.cloths.size(); ++i) {
        const ClothSetup& c = setup.cloths[i];
        if (!c.frame_of_reference) continue;
        const auto geometry = read_input(*c.frame_of_reference, setup.first_frame(),
                                         fmt::format("Cloth '{}', moving frame", c.name()));
        carried_.push_back({scene->cloths[i].first_vertex, scene->cloths[i].point_count(),
                            &c.local_space,
                            frame_points(*geometry, c.local_space.text("group"), c.name()),
                            PositionSampler(c.frame_of_reference,
                                            fmt::format("Cloth '{}', moving frame", c.name()),
                                            geometry->point_count(), setup.first_frame())});
    }
}

VecX LocalSpace::Carried::at(double frame)
{
    const VecX all = reference.at(frame);
    if (points.empty()) return all;
    VecX some(3 * Eigen::Index(points.size()));
    for (std::size_t k = 0; k < points.size(); ++k)
        some.segment<3>(3 * Eigen::Index(k)) = all.segment<3>(3 * points[k]);
    return some;
}

void LocalSpace::carry(double frame_0, double frame_1, State& state)
{
    for (Carried& c : carried_) {
        const double inherit = c.parameters->real("inherit", frame_1);
        if (inherit == 1) continue;
        const RigidMotion motion =
            partial_motion(rigid_fit(c.at(frame_0), c.at(frame_1)), 1 - inherit);
        for (VecX* x : {&state.x, &state.x_prev})
            move_points(*x, c.first_vertex, c.vertex_count, motion);
        for (VecX* v : {&state.v, &state.v_prev})
            turn_vectors(*v, c.first_vertex, c.vertex_count, motion.rotation);
    }
}

} // namespace selvage
