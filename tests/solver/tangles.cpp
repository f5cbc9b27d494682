#include "tests/solver/tangles.h"

#include "core/check/report.h"
#include "core/example/cloth_grid.h"
#include "core/example/sphere.h"
#include "tests/support/animated_source.h"
#include "tests/support/meshes.h"
#include "tests/support/messages.h"

#include <gtest/gtest.h>

namespace selvage::test
{

Geometry moved(Geometry g, const Mat3& R, const Vec3& by)
{
    g.set_positions(test::moved(g.positions(), R, by));
    return g;
}

namespace
{

/// A sphere drawn out along x by `length` on both sides.
Geometry capsule(double radius, double length)
{
    Geometry g = sphere(radius, 2, Vec3::Zero());
    VecX x = g.positions();
    for (Eigen::Index i = 0; i < x.size(); i += 3)
        if (std::abs(x[i]) > 1e-6) x[i] += x[i] > 0 ? length : -length;
    g.set_positions(x);
    return g;
}

} // namespace

Group point_group(const std::string& name, const Geometry& g, std::uint8_t member)
{
    Group group;
    group.name = name;
    group.member.assign(g.point_count(), member);
    return group;
}

ClothSetup sheet(const std::string& name, int cells, double size, const Vec3& at)
{
    ClothSetup c;
    c.cloth.set("name", name);
    c.geometry = std::make_shared<StaticSource>(
        moved(cloth_grid(cells, cells, size, size, GridCells::alternating_triangles),
              Mat3::Identity(), at));
    return c;
}

ColliderSetup collider(const std::string& name, std::function<Geometry(double)> shape)
{
    ColliderSetup c;
    c.collider.set("name", name);
    c.geometry = std::make_shared<FunctionSource>(std::move(shape));
    return c;
}

double closing(double frame)
{
    return std::clamp(std::min((frame - 2) / 4, (12 - frame) / 4), 0.0, 1.0);
}

SessionSetup pinch_setup(int last)
{
    SessionSetup s;
    s.shot.set("frames", Vec3(1, last, 0));
    s.shot.set("substeps", 1.0);
    s.collision.set("gap", 2e-3);
    return s;
}

SessionSetup closing_balls()
{
    SessionSetup s = pinch_setup(18);
    s.shot.set("gravity", Vec3(0, 0, 0));
    s.cloths.push_back(sheet("sheet", 10, 0.3, {0, 0, 0}));
    for (const double side : {1.0, -1.0})
        s.colliders.push_back(collider(side > 0 ? "upper" : "lower", [side](double frame) {
            return sphere(0.06, 2, {0.003, side * (0.075 - 0.04 * closing(frame)), 0.002});
        }));
    return s;
}

SessionSetup elbow()
{
    SessionSetup s = pinch_setup(18);
    s.cloths.push_back(sheet("sleeve", 12, 0.3, {0, 0.07, 0}));
    s.colliders.push_back(collider("upper_arm", [](double) {
        return moved(capsule(0.05, 0.1), Mat3::Identity(), {-0.13, 0, 0});
    }));
    s.colliders.push_back(collider("forearm", [](double frame) {
        const Mat3 R = Eigen::AngleAxisd(2.6 * closing(frame), Vec3::UnitZ()).toRotationMatrix();
        return moved(capsule(0.05, 0.1), R, R * Vec3(0.13, 0, 0));
    }));
    return s;
}

SessionSetup armpit()
{
    SessionSetup s = pinch_setup(18);
    ClothSetup c = sheet("shirt", 12, 0.3, {0, 0, 0});
    const Geometry flat = *c.geometry->at(1);
    const Mat3 up = Eigen::AngleAxisd(1.5707963, Vec3::UnitX()).toRotationMatrix();
    c.geometry = std::make_shared<StaticSource>(moved(flat, up, {0, -0.1, 0.055}));
    s.cloths.push_back(std::move(c));
    s.colliders.push_back(collider("chest", [](double) {
        return sphere(0.05, 2, {0.002, -0.1, 0});
    }));
    s.colliders.push_back(collider("arm", [](double frame) {
        return sphere(0.05, 2, {0.001, -0.09, 0.115 - 0.08 * closing(frame)});
    }));
    return s;
}

Outcome run_judged(const SessionSetup& setup)
{
    Outcome out;
    MessageLog log;
    Session session(setup, log);
    for (int frame = 1; frame <= setup.last_frame(); ++frame) {
        const FrameResult r = session.cook(frame, NeverCancel());
        EXPECT_TRUE(r.ok()) << frame << ": " << r.report.message;
        if (!r.ok()) break;
        const State& state = session.frame(frame)->state;
        std::vector<NamedGeometry> objects;
        for (const NamedResult& o : r.objects)
            objects.push_back({o.name, o.geometry, std::nullopt});
        Eigen::Index first = 0;
        for (std::size_t i = 0; i < setup.colliders.size(); ++i) {
            Geometry g = *setup.colliders[i].geometry->at(frame);
            const Eigen::Index size = 3 * Eigen::Index(g.point_count());
            if (state.colliders.size() > 0) g.set_positions(state.colliders.segment(first, size));
            first += size;
            objects.push_back({setup.colliders[i].name(), g, std::nullopt});
        }
        CheckOptions options;
        options.allow_released = true;
        options.measure_gap = false;
        // Colliders may pass through each other, and sheets may start on each other.
        const CheckReport judged = check_geometry(objects, options);
        std::size_t bad = 0;
        for (const IntersectionPair& p : judged.intersections.crossing)
            bad += std::min(p.edge.object, p.triangle.object) < int(setup.cloths.size());
        EXPECT_EQ(bad, 0u) << "frame " << frame << ": " << report_text(judged);
        EXPECT_TRUE(state.x.allFinite());
        out.fastest = std::max(out.fastest, state.v.lpNorm<Eigen::Infinity>());
        out.most_released = std::max(out.most_released, r.report.released);
        out.most_held_up = std::max(out.most_held_up, r.report.held_up);
        out.released_at_end = r.report.released;
        out.held_up_at_end = r.report.held_up;
        out.ignored_at_end = r.report.ignored_pairs;
        out.end = state;
    }
    out.log = log.all;
    return out;
}

} // namespace selvage::test
