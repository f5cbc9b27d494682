#include "core/bench/braids.h"

#include "core/bench/scene_parts.h"
#include "core/check/report.h"
#include "core/example/braids.h"

namespace selvage
{
SessionSetup braids(int per_cluster, int segments, int steps)
{
    constexpr double h = 0.01;
    SessionSetup setup = empty_scene(h, steps, /*gap*/ 1e-4);
    setup.collision.set("stick_speed", 1e-4);
    HairSetup hair;
    hair.hair.set("name", std::string("rods"));
    hair.hair.set("material", std::string("hair_straight"));
    for (const auto& [name, value] :
         {std::pair("radius", 4e-5), std::pair("density", 1300.0), std::pair("young", 4e8),
          std::pair("shear", 1.5e8), std::pair("friction", 0.1), std::pair("flatness", 1.0)})
        hair.hair.set(name, value);
    hair.hair.set("roots", std::string("both_ends"));
    hair.geometry = std::make_shared<MovingSource>(
        [=](double frame) { return braided_rods(per_cluster, segments, h * (frame - 1)); });
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
