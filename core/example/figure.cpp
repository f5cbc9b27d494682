#include "core/example/figure.h"

#include "core/base/error.h"
#include "core/example/implicit_body.h"
#include "core/example/polygon_geometry.h"
#include "core/example/surface_extraction.h"

#include <algorithm>

namespace selvage
{
namespace
{

Geometry to_geometry(const TriangleMesh& mesh)
{
    std::vector<int> corners;
    for (const Vec3i& t : mesh.triangles) corners.insert(corners.end(), t.begin(), t.end());
    return polygon_geometry(mesh.points.size(), corners, 3);
}

/// The group of a bone's skin.
const char* part_of(Joint j)
{
    switch (j) {
    case Joint::neck:
    case Joint::head: return "head";
    case Joint::upper_arm_left:
    case Joint::forearm_left:
    case Joint::hand_left: return "arm_left";
    case Joint::upper_arm_right:
    case Joint::forearm_right:
    case Joint::hand_right: return "arm_right";
    case Joint::thigh_left:
    case Joint::shin_left:
    case Joint::foot_left:
    case Joint::toes_left: return "leg_left";
    case Joint::thigh_right:
    case Joint::shin_right:
    case Joint::foot_right:
    case Joint::toes_right: return "leg_right";
    default: return "torso";
    }
}

void add_part_groups(Geometry& g, const SkinWeights& weights)
{
    for (const char* part : {"head", "torso", "arm_left", "arm_right", "leg_left", "leg_right"}) {
        Group group;
        group.name = part;
        for (const auto& influences : weights) {
            const auto strongest =
                std::max_element(influences.begin(), influences.end(),
                                 [](auto& a, auto& b) { return a.weight < b.weight; });
            group.member.push_back(std::string(part_of(Joint(strongest->joint))) == part);
        }
        g.set_group(std::move(group));
    }
}

} // namespace

Figure::Figure(const FigureSettings& settings) : skeleton_(figure_skeleton())
{
    if (!(settings.cell >= 0.003 && settings.cell <= 0.03))
        throw InputError("Figure: cell is " + std::to_string(settings.cell) +
                         " m. Choose 0.003 to 0.03.");
    const ImplicitBody body(skeleton_);
    const TriangleMesh mesh = extract_surface([&](const Vec3& p) { return body.distance(p); },
                                              body.bounds(), settings.cell);
    weights_ = heat_weights(mesh, skeleton_);
    bind_positions_.resize(3 * Eigen::Index(mesh.points.size()));
    for (std::size_t i = 0; i < mesh.points.size(); ++i)
        bind_positions_.segment<3>(3 * Eigen::Index(i)) = mesh.points[i];
    bind_ = to_geometry(mesh);
    bind_.set_positions(bind_positions_);
    add_part_groups(bind_, weights_);
}

VecX Figure::positions(const Pose& pose) const
{
    return skin(bind_positions_, weights_, bone_transforms(skeleton_, pose));
}

Geometry Figure::geometry(const Pose& pose) const
{
    Geometry g = bind_;
    g.set_positions(positions(pose));
    return g;
}

} // namespace selvage
