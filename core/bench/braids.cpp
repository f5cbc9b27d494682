#include "core/bench/braids.h"

#include "core/bench/scene_parts.h"
#include "core/check/report.h"

#include <cmath>

namespace selvage
{
namespace
{

constexpr double length = 0.15, spacing = 3e-4, radius = 4e-5, turn_rate = 1.5 * M_PI, h = 0.01;

/// At time t: the upper ends turned one way, the lower ends the other, all else in between.
Geometry rods(int per_cluster, int segments, double t)
{
    const int rows = int(std::lround(std::sqrt(double(per_cluster))));
    const int columns = (per_cluster + rows - 1) / rows, points = segments + 1;
    Geometry g;
    g.set_point_count(std::size_t(2 * per_cluster * points));
    VecX x(6 * Eigen::Index(per_cluster) * points);
    int next = 0;
    for (int cluster = 0; cluster < 2; ++cluster)
        for (int r = 0; r < per_cluster; ++r) {
            const double side = spacing * (0.5 + r % columns) * (cluster ? 1 : -1);
            const double front = spacing * (r / columns - 0.5 * (rows - 1));
            std::vector<int> curve;
            for (int i = 0; i < points; ++i) {
                // Both points of a held segment turn alike.
                const int from_end = std::min(std::max(i, 1), points - 2);
                const double part = 1 - 2.0 * (from_end - 1) / (points - 3);
                const double a = turn_rate * t * part, c = std::cos(a), s = std::sin(a);
                x.segment<3>(3 * next) << c * side + s * front, -length * i / segments,
                    -s * side + c * front;
                curve.push_back(next++);
            }
            g.add_polygon(curve, /*closed*/ false);
        }
    g.set_vectors("P", x, "point", Storage::real64);
    g.set_scalars("stiffness_scale", VecX::Constant(x.size() / 3, 0.01));
    return g;
}

} // namespace

SessionSetup braids(int per_cluster, int segments, int steps)
{
    SessionSetup setup = empty_scene(h, steps, /*gap*/ 1e-4);
    setup.collision.set("stick_speed", 1e-4);
    HairSetup hair;
    hair.hair.set("name", std::string("rods"));
    hair.hair.set("material", std::string("hair_straight"));
    for (const auto& [name, value] :
         {std::pair("radius", radius), std::pair("density", 1300.0), std::pair("young", 4e8),
          std::pair("shear", 1.5e8), std::pair("friction", 0.1), std::pair("flatness", 1.0)})
        hair.hair.set(name, value);
    hair.hair.set("roots", std::string("both_ends"));
    hair.geometry = std::make_shared<MovingSource>(
        [=](double frame) { return rods(per_cluster, segments, h * (frame - 1)); });
    setup.hairs.push_back(std::move(hair));
    return setup;
}

StrandOutcome run_strands(const SessionSetup& setup, double thickness)
{
    NullLog log;
    Session session(setup, log);
    StrandOutcome out;
    CheckOptions options;
    options.thickness = thickness;
    std::vector<NamedGeometry> before;
    for (int frame = setup.first_frame(); frame <= setup.last_frame(); ++frame) {
        const FrameResult r = session.cook(frame, NeverCancel());
        if (!r.ok()) {
            out.sum.message = r.report.message;
            break;
        }
        std::vector<NamedGeometry> objects;
        for (const NamedResult& o : r.objects)
            objects.push_back({o.name, o.geometry, std::nullopt});
        const CheckReport judged =
            check_geometry(objects, options, before.empty() ? nullptr : &before);
        out.passings += judged.passings.count;
        out.too_near += judged.gaps.count > 0;
        if (judged.smallest_gap)
            out.smallest_gap = std::min(out.smallest_gap, judged.smallest_gap->distance);
        before = std::move(objects);
        if (frame == setup.first_frame()) continue;
        ++out.steps;
        out.unconverged += r.report.status != StepStatus::converged;
        out.most_contacts = std::max(out.most_contacts, r.report.contacts);
        out.sum.iterations += r.report.iterations;
        out.sum.linear_iterations += r.report.linear_iterations;
        out.sum.seconds += r.report.seconds;
        if (!r.report.message.empty()) out.sum.message = r.report.message;
    }
    return out;
}

} // namespace selvage
