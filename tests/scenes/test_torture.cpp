// Random scenes, each judged frame by frame on its 32-bit positions by the independent checker:
// sheets, ribbons, spikes and blocks of tetrahedra in random poses, fast or slow, among balls,
// needles, wires and plates that move.
#include "core/bench/scene_parts.h"
#include "core/bench/scene_run.h"
#include "core/check/report.h"
#include "core/example/cloth_grid.h"
#include "core/example/sphere.h"
#include "tests/support/meshes.h"

#include <gtest/gtest.h>

using namespace selvage;
using selvage::test::Random;

namespace
{

constexpr int frames = 5;

/// In [0, 1), and in [a, b) on a logarithmic scale.
double unit(Random& random) { return 0.5 * (1 + random()); }
double between(Random& random, double a, double b) { return a * std::pow(b / a, unit(random)); }
int below(Random& random, int n) { return std::min(n - 1, int(n * unit(random))); }

Geometry posed(Geometry g, Random& random, double spread)
{
    const Mat3 R = random.rotation();
    return moved(turned(std::move(g), R), spread * Vec3(random.vector(3)));
}

/// A needle: four points, four faces.
Geometry needle(double length, double width)
{
    return triangle_geometry({{0, length, 0},
                              {width, 0, 0},
                              {-0.5 * width, 0, 0.866 * width},
                              {-0.5 * width, 0, -0.866 * width}},
                             {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}});
}

Geometry wire(double length)
{
    Geometry g;
    g.set_point_count(3);
    VecX x(9);
    x << 0, 0, 0, 0.1 * length, 0.5 * length, 0, 0, length, 0;
    g.set_positions(x);
    g.add_polygon({0, 1, 2}, /*closed*/ false);
    return g;
}

Geometry random_cloth(Random& random)
{
    const int cells = 4 + below(random, 7);
    const bool ribbon = random() > 0.4;
    const GridCells kind =
        random() > 0 ? GridCells::irregular_triangles : GridCells::alternating_triangles;
    return cloth_grid(ribbon ? 2 : cells, 2 * cells, ribbon ? 0.05 : 0.3, 0.4, kind,
                      unsigned(1000 * unit(random)));
}

Geometry random_solid(Random& random)
{
    const double size = between(random, 0.03, 0.12);
    switch (below(random, 4)) {
    case 0: return tet_geometry(tet_block({2, 1, 2}, {0, 0, 0}, {size, size / 2, size}));
    case 1: return tet_geometry(tet_ball(size, 2));
    case 2: return tet_geometry(tet_ring(size, 0.3 * size, 8, 1));
    default: { // a spike
        const TetShape spike{{{0, 0, 0}, {0.2 * size, 0, 0}, {0, 0.2 * size, 0}, {0, 0, 2 * size}},
                             {{0, 1, 2, 3}}};
        return tet_geometry(spike);
    }
    }
}

Geometry random_collider(Random& random)
{
    switch (below(random, 4)) {
    case 0: return sphere(between(random, 0.02, 0.15), 1 + below(random, 2));
    case 1: return needle(between(random, 0.1, 0.5), between(random, 0.002, 0.05));
    case 2: return wire(between(random, 0.1, 0.5));
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

void add_random_cloth(SessionSetup& s, Geometry g, const Vec3& velocity, Random& random)
{
    ClothSetup c;
    const std::string name = "cloth " + std::to_string(s.cloths.size());
    c.cloth.set("name", name);
    c.cloth.set("friction", unit(random));
    c.cloth.set("thickness", random() > 0 ? 1e-3 : 0.0);
    c.cloth.set("stretch_limit", random() > 0 ? between(random, 0.01, 0.1) : 0.0);
    const double young = between(random, 20, 2000);
    c.cloth.set("young_warp", young);
    c.cloth.set("young_weft", young);
    c.geometry = std::make_shared<StaticSource>(thrown(std::move(g), velocity), name);
    s.cloths.push_back(std::move(c));
}

/// A collider with a way of a few centimetres per frame, turning.
void add_random_collider(SessionSetup& s, const Geometry& g, const Vec3& velocity, Random& random)
{
    const Vec3 way = std::min(0.05, velocity.norm() / 24) * velocity.normalized();
    const Vec3 pivot = g.positions().segment<3>(0);
    const double turn = 0.3 * random();
    add_collider(
        s,
        [=](double frame) {
            const Mat3 R = Eigen::AngleAxisd(turn * (frame - 1), Vec3::UnitZ()).toRotationMatrix();
            return moved(turned(g, R), pivot - R * pivot + (frame - 1) * way);
        },
        unit(random));
    s.colliders.back().collider.set("thickness", random() > 0 ? 2e-3 : 0.0);
}

SessionSetup random_scene(unsigned seed)
{
    Random random(seed);
    SessionSetup s =
        empty_scene(1 / between(random, 24, 500), frames - 1, between(random, 3e-4, 3e-3));
    s.shot.set("air_density", 1.225);
    s.solver.set("integrator", std::string(random() > 0 ? "bdf1" : "bdf2"));

    const int cloths = below(random, 4), solids = cloths == 0 ? 2 : below(random, 3);
    const int colliders = below(random, 3), moving = cloths + solids;
    std::vector<Geometry> objects;
    do {
        objects.clear();
        for (int i = 0; i < cloths; ++i)
            objects.push_back(posed(random_cloth(random), random, 0.3));
        for (int i = 0; i < solids; ++i)
            objects.push_back(posed(random_solid(random), random, 0.3));
        for (int i = 0; i < colliders; ++i)
            objects.push_back(posed(random_collider(random), random, 0.3));
    } while (!separate(objects));

    for (int i = 0; i < moving + colliders; ++i) {
        const Geometry& g = objects[std::size_t(i)];
        // Towards the middle, where the others are.
        const Vec3 velocity = -between(random, 0.1, 50) * g.positions().head<3>().normalized();
        if (i < cloths)
            add_random_cloth(s, g, velocity, random);
        else if (i < moving)
            add_solid(s, thrown(g, velocity),
                      {between(random, 1e4, 1e7), between(random, 100, 3000), 0.45 * unit(random),
                       unit(random)});
        else
            add_random_collider(s, g, velocity, random);
    }
    return s;
}

/// The same on a floor that rises and tilts, with cloths of uneven thickness. It pinches them
/// against the other colliders; all wait then, so that nothing is let through.
SessionSetup random_scene_on_a_plane(unsigned seed)
{
    Random random(seed + 7000);
    SessionSetup s = random_scene(seed);
    s.collision.set("on_pinch", std::string("hold"));
    double lowest = infinity;
    const auto look = [&](const auto& objects) {
        for (const auto& object : objects) {
            const VecX x = object.geometry->at(1)->positions();
            for (Eigen::Index i = 1; i < x.size(); i += 3) lowest = std::min(lowest, x[i]);
        }
    };
    look(s.cloths);
    look(s.solids);
    for (ClothSetup& c : s.cloths) {
        Geometry g = *c.geometry->at(1);
        VecX radius(Eigen::Index(g.point_count()));
        for (double& r : radius) r = between(random, 5e-5, 9e-4);
        g.set_scalars("pscale", radius);
        c.geometry = std::make_shared<StaticSource>(g, c.name());
    }
    ColliderSetup floor;
    floor.collider.set("name", std::string("floor"));
    floor.collider.set("friction", unit(random));
    floor.collider.set("thickness", random() > 0 ? 2e-3 : 0.0);
    const Vec3 below(0, lowest - 0.003, 0), tilt(0.3 * random(), 1, 0.3 * random());
    floor.plane.set("point", AnimatedValue{{{1, below}, {frames, below + Vec3(0.1, 0.2, 0)}}});
    floor.plane.set("normal", AnimatedValue{{{1, Vec3(0, 1, 0)}, {frames, tilt}}});
    s.colliders.push_back(std::move(floor));
    return s;
}

struct Total {
    int not_converged = 0, held_up = 0;
};

void run(unsigned seed, Total& total, SessionSetup (*scene)(unsigned) = random_scene)
{
    SCOPED_TRACE("seed " + std::to_string(seed));
    const SceneOutcome o = run_scene(scene(seed));
    EXPECT_TRUE(o.completed()) << o.sum.message;
    EXPECT_EQ(o.intersecting, 0);
    EXPECT_EQ(o.inverted, 0);
    EXPECT_EQ(o.overstretched, 0);
    total.not_converged += o.unconverged;
    total.held_up += o.sum.message.find("held up") != std::string::npos;
    if (o.unconverged > 0)
        std::printf("seed %u: %d not converged: %s\n", seed, o.unconverged, o.sum.message.c_str());
}

} // namespace

TEST(Torture, TenRandomScenesStayFreeOfIntersections)
{
    Total total;
    for (unsigned seed = 0; seed < 10; ++seed) run(seed, total);
    EXPECT_LE(total.not_converged, 0);
}

TEST(TortureFull, TwoHundredRandomScenesStayFreeOfIntersections)
{
    Total total;
    for (unsigned seed = 100; seed < 300; ++seed) run(seed, total);
    EXPECT_LE(total.not_converged, 4); // of 800 frames
    RecordProperty("not_converged", total.not_converged);
    RecordProperty("held_up", total.held_up);
}

TEST(Torture, FiveScenesOnTiltingPlanesStayFreeOfIntersections)
{
    Total total;
    for (unsigned seed = 300; seed < 305; ++seed) run(seed, total, random_scene_on_a_plane);
}

TEST(TortureFull, FortyScenesOnTiltingPlanesStayFreeOfIntersections)
{
    Total total;
    for (unsigned seed = 310; seed < 350; ++seed) run(seed, total, random_scene_on_a_plane);
    // Frames in which colliders wait count as not converged.
    RecordProperty("not_converged", total.not_converged);
    RecordProperty("held_up", total.held_up);
}
