// Random scenes, each judged frame by frame on its 32-bit positions by the independent checker:
// sheets, ribbons and rags in random poses, fast or slow, among balls, spikes and plates that move.
#include "core/check/report.h"
#include "core/example/cloth_grid.h"
#include "core/example/sphere.h"
#include "core/session/session.h"
#include "tests/support/animated_source.h"
#include "tests/support/meshes.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

constexpr int frames = 5;

/// In [0, 1), and in [a, b) on a logarithmic scale.
double unit(Random& random) { return 0.5 * (1 + random()); }
double between(Random& random, double a, double b) { return a * std::pow(b / a, unit(random)); }

Geometry posed(Geometry g, Random& random, double spread)
{
    const Mat3 R = random.rotation();
    const Vec3 t = spread * Vec3(random.vector(3));
    g.set_positions(moved(g.positions(), R, t));
    return g;
}

/// A needle: four points, four faces.
Geometry spike(double length, double width)
{
    Geometry g;
    g.set_point_count(4);
    VecX x(12);
    x << 0, length, 0, width, 0, 0, -0.5 * width, 0, 0.866 * width, -0.5 * width, 0, -0.866 * width;
    g.set_positions(x);
    for (const auto& face : {Vec3i(0, 2, 1), Vec3i(0, 3, 2), Vec3i(0, 1, 3), Vec3i(1, 2, 3)})
        g.add_polygon({face[0], face[1], face[2]});
    return g;
}

Geometry random_cloth(Random& random)
{
    const int cells = 4 + int(7 * unit(random));
    const bool ribbon = random() > 0.4;
    const GridCells kind =
        random() > 0 ? GridCells::irregular_triangles : GridCells::alternating_triangles;
    return cloth_grid(ribbon ? 2 : cells, 2 * cells, ribbon ? 0.05 : 0.3, 0.4, kind,
                      unsigned(1000 * unit(random)));
}

Geometry random_collider(Random& random)
{
    switch (int(3 * unit(random))) {
    case 0: return sphere(between(random, 0.02, 0.15), 1 + int(2 * unit(random)));
    case 1: return spike(between(random, 0.1, 0.5), between(random, 0.002, 0.05));
    default: return cloth_grid(2, 2, 0.4, 0.4, GridCells::regular_triangles);
    }
}

/// Nothing touches at the start, or false.
bool separate(const std::vector<Geometry>& objects)
{
    std::vector<NamedGeometry> named;
    for (const Geometry& g : objects) named.push_back({"object", g, std::nullopt});
    CheckOptions options;
    options.thickness = 2e-3;
    return check_geometry(named, options).ok;
}

SessionSetup random_scene(unsigned seed)
{
    Random random(seed);
    SessionSetup s;
    s.shot.set("frames", Vec3(1, frames, 0));
    s.shot.set("fps", between(random, 24, 500));
    s.shot.set("substeps", 1.0);
    s.collision.set("gap", between(random, 3e-4, 3e-3));
    s.collision.set("on_intersection", std::string("error"));
    s.solver.set("integrator", std::string(random() > 0 ? "bdf1" : "bdf2"));

    const int cloths = 1 + int(2.5 * unit(random)), colliders = int(2.5 * unit(random));
    std::vector<Geometry> objects;
    do {
        objects.clear();
        for (int i = 0; i < cloths; ++i)
            objects.push_back(posed(random_cloth(random), random, 0.3));
        for (int i = 0; i < colliders; ++i)
            objects.push_back(posed(random_collider(random), random, 0.3));
    } while (!separate(objects));

    for (int i = 0; i < cloths + colliders; ++i) {
        Geometry& g = objects[std::size_t(i)];
        const std::string name = "object " + std::to_string(i);
        // Towards the middle, where the others are.
        const Vec3 centre = g.positions().segment<3>(0);
        const double speed = between(random, 0.1, 50);
        const Vec3 velocity = -speed * centre.normalized();
        if (i < cloths) {
            g.set_vectors("v", velocity.replicate(g.point_count(), 1), "vector");
            ClothSetup c;
            c.cloth.set("name", name);
            c.cloth.set("friction", unit(random));
            c.cloth.set("thickness", random() > 0 ? 1e-3 : 0.0);
            c.cloth.set("stretch_limit", random() > 0 ? 0.1 : 0.0);
            const double young = between(random, 20, 2000);
            c.cloth.set("young_warp", young);
            c.cloth.set("young_weft", young);
            c.geometry = std::make_shared<StaticSource>(g, name);
            s.cloths.push_back(std::move(c));
        } else {
            // A collider with a way of a few centimetres per frame, turning.
            const Vec3 way = std::min(0.05, speed / 24) * velocity.normalized();
            const double turn = 0.3 * random();
            ColliderSetup c;
            c.collider.set("name", name);
            c.collider.set("friction", unit(random));
            c.geometry = std::make_shared<FunctionSource>([g, way, turn](double frame) {
                Geometry there = g;
                const Mat3 R =
                    Eigen::AngleAxisd(turn * (frame - 1), Vec3::UnitZ()).toRotationMatrix();
                const Vec3 pivot = g.positions().segment<3>(0);
                there.set_positions(moved(g.positions(), R, pivot - R * pivot + (frame - 1) * way));
                return there;
            });
            s.colliders.push_back(std::move(c));
        }
    }
    return s;
}

/// Cloths among each other and with each collider as reached; false where something intersects.
bool judged_clean(const Session& session, const FrameResult& r, const SessionSetup& setup,
                  int frame)
{
    std::vector<NamedGeometry> cloths;
    for (const auto& o : r.objects) cloths.push_back({o.name, o.geometry, std::nullopt});
    CheckOptions options;
    options.measure_gap = false;
    bool clean = check_geometry(cloths, options).ok;
    const VecX& reached = session.frame(frame)->state.colliders;
    Eigen::Index first = 0;
    for (const ColliderSetup& c : setup.colliders) {
        Geometry g = *c.geometry->at(frame);
        if (reached.size() > 0) g.set_positions(reached.segment(first, 3 * g.point_count()));
        first += 3 * g.point_count();
        std::vector<NamedGeometry> both = cloths;
        both.push_back({c.name(), g, std::nullopt});
        clean = clean && check_geometry(both, options).ok;
    }
    return clean;
}

struct Outcome {
    int not_converged = 0, held_up = 0;
};

void run(unsigned seed, Outcome& outcome)
{
    SCOPED_TRACE("seed " + std::to_string(seed));
    const SessionSetup setup = random_scene(seed);
    NullLog log;
    Session session(setup, log);
    for (int frame = 1; frame <= frames; ++frame) {
        const FrameResult r = session.cook(frame, NeverCancel());
        ASSERT_TRUE(r.ok()) << "frame " << frame << ": " << r.report.message;
        EXPECT_TRUE(judged_clean(session, r, setup, frame)) << "frame " << frame;
        if (r.report.status != StepStatus::converged) {
            ++outcome.not_converged;
            outcome.held_up += r.report.message.find("held up") != std::string::npos;
        }
        for (std::size_t i = 0; i < setup.cloths.size(); ++i) {
            const double limit = setup.cloths[i].cloth.real("stretch_limit");
            if (limit > 0 && setup.cloths.size() == 1) {
                EXPECT_LT(r.report.max_strain, limit);
            }
        }
    }
}

} // namespace

TEST(Torture, TenRandomScenesStayFreeOfIntersections)
{
    Outcome outcome;
    for (unsigned seed = 0; seed < 10; ++seed) run(seed, outcome);
    EXPECT_LE(outcome.not_converged, 5);
}

TEST(TortureFull, TwoHundredRandomScenesStayFreeOfIntersections)
{
    Outcome outcome;
    for (unsigned seed = 100; seed < 300; ++seed) run(seed, outcome);
    EXPECT_LE(outcome.not_converged, 20);
    RecordProperty("not_converged", outcome.not_converged);
    RecordProperty("held_up", outcome.held_up);
}
