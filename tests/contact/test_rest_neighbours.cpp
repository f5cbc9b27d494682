#include "core/contact/rest_neighbours.h"

#include "core/contact/contact_problem.h"
#include "tests/contact/scenes.h"

#include <gtest/gtest.h>

namespace selvage
{
namespace
{

using namespace test;

constexpr int cells = 8;
constexpr double edge = 1.0 / cells;

/// Two flat sheets of one body on each other at rest, `apart`, as patterns may lie; edges of 1/8 m.
ContactMesh two_panels(double thickness, double apart)
{
    const Mesh grid = grid_cloth(cells, cells, 1, 1);
    const int n = grid.vertex_count();
    VecX x(6 * n);
    x << grid.stacked(), grid.stacked();
    for (Eigen::Index i = 3 * n + 1; i < 6 * n; i += 3) x[i] += apart;
    std::vector<Vec3i> triangles = topology(grid).triangles;
    const std::size_t count = triangles.size();
    for (std::size_t t = 0; t < count; ++t) triangles.push_back(Vec3i(triangles[t].array() + n));
    ContactMesh mesh(2 * n);
    mesh.add_surface("sheet", mesh_topology(triangles), 0, x, thickness, 0);
    return mesh;
}

/// All pairs within a panel that share no vertex and are nearer than `reach` at rest.
template <class Visit> void each_near(const ContactMesh& mesh, double reach, Visit&& visit)
{
    const int n = mesh.simulated_count() / 2;
    const auto test = [&](PairKind kind, std::int32_t a, std::int32_t b) {
        std::int32_t v[4];
        pair_vertices(mesh, kind, {a, b}, v);
        if ((v[0] < n) != (v[3] < n)) return;
        const int first = first_side(kind, 4);
        for (int i = 0; i < first; ++i)
            for (int j = first; j < 4; ++j)
                if (v[i] == v[j]) return;
        const double d = pair_distance(mesh, kind, {a, b}, mesh.rest());
        if (d < reach) visit(kind, CandidatePair{a, b}, d);
    };
    for (const std::int32_t p : mesh.points())
        for (std::size_t t = 0; t < mesh.triangles().size(); ++t)
            test(PairKind::point_triangle, p, std::int32_t(t));
    for (std::size_t a = 0; a < mesh.edges().size(); ++a)
        for (std::size_t b = a + 1; b < mesh.edges().size(); ++b)
            test(PairKind::edge_edge, std::int32_t(a), std::int32_t(b));
}

TEST(RestNeighbours, AreAllThatIsNearAlongTheSurface)
{
    for (const double thickness : {0.3 * edge, 1.3 * edge, 2.6 * edge}) {
        const double d_hat = 0.2 * edge, reach = std::max(2 * thickness, thickness + 2 * d_hat);
        ContactMesh mesh = two_panels(thickness, 0.1 * edge);
        find_rest_neighbours(mesh, d_hat);
        std::size_t near = 0;
        each_near(mesh, reach, [&](PairKind kind, CandidatePair pair, double d) {
            ++near;
            const double known = kind == PairKind::edge_edge
                                     ? mesh.rest_distance_of_edges(pair.a, pair.b)
                                     : mesh.rest_distance(pair.a, pair.b);
            EXPECT_NEAR(known, d, 2e-7 * d);
            EXPECT_LE(known, d);
            // Both keep clear of what they have at rest.
            const double xi = pair_thickness(mesh, kind, pair);
            EXPECT_LE(xi, 0.5 * d * (1 + 1e-12));
            EXPECT_LE(xi + pair_activation(mesh, kind, pair, xi, d_hat), 0.75 * d * (1 + 1e-12));
            EXPECT_GT(pair_activation(mesh, kind, pair, xi, d_hat), 0);
        });
        EXPECT_EQ(near > 0, reach > 0.7072 * edge); // the height of a triangle
        // Those and no others: the panels lie on each other, but are no neighbours.
        std::size_t known = 0;
        for (const std::int32_t p : mesh.points())
            for (std::size_t t = 0; t < mesh.triangles().size(); ++t)
                known += mesh.rest_distance(p, std::int32_t(t)) < infinity;
        for (std::size_t a = 0; a < mesh.edges().size(); ++a)
            for (std::size_t b = a + 1; b < mesh.edges().size(); ++b)
                known += mesh.rest_distance_of_edges(std::int32_t(a), std::int32_t(b)) < infinity;
        EXPECT_EQ(known, near);
    }
}

TEST(RestNeighbours, NothingPushesAtRestAndNothingPasses)
{
    const double thickness = 1.5 * edge, d_hat = 0.5 * edge;
    ContactSettings settings;
    settings.activation = d_hat;
    const auto make = [&](bool neighbours) {
        ContactMesh mesh = two_panels(thickness, 3 * edge);
        if (neighbours) find_rest_neighbours(mesh, d_hat);
        return mesh;
    };
    const VecX rest = make(false).rest();
    const VecX none = VecX::Zero(0);
    {
        ContactProblem without(make(false), settings);
        without.begin_step(rest, 0.01, none, none);
        EXPECT_EQ(without.energy(rest), infinity); // nearer than the thickness
    }
    ContactProblem problem(make(true), settings);
    problem.begin_step(rest, 0.01, none, none);
    EXPECT_EQ(problem.energy(rest), 0);
    EXPECT_EQ(problem.contact_count(), 0);

    // The panels keep their full thickness.
    VecX way = VecX::Zero(rest.size());
    for (Eigen::Index i = rest.size() / 2 + 1; i < rest.size(); i += 3) way[i] = -3 * edge;
    const double a = problem.max_step(rest, way);
    EXPECT_LT(3 * edge * (1 - a), thickness + 0.2 * 1.5 * edge);
    EXPECT_GT(3 * edge * (1 - a), thickness);

    // A panel pressed flat onto a line comes to half of its distances, no farther.
    VecX flat = VecX::Zero(rest.size());
    for (Eigen::Index i = 0; i < rest.size() / 2; i += 3) flat[i] = -rest[i];
    const double b = problem.max_step(rest, flat);
    EXPECT_GT(b, 0.3);
    EXPECT_LT(b, 0.5);
    EXPECT_LT(problem.energy(rest + b * flat), infinity);
    EXPECT_GT(problem.energy(rest + b * flat), 0);

    // Its derivatives are those of the energy.
    Random random(17);
    VecX x = rest + 0.35 * flat;
    x.head(x.size() / 2) += 0.02 * edge * random.vector(x.size() / 2);
    problem.set_stiffness(1);
    VecX gradient = VecX::Zero(x.size());
    const double energy = problem.add(x, Psd::exact, gradient, nullptr);
    ASSERT_GT(energy, 0);
    ASSERT_LT(energy, infinity);
    const VecX p = random.vector(x.size());
    const double h = 1e-6;
    EXPECT_NEAR((problem.energy(x + h * p) - problem.energy(x - h * p)) / (2 * h), gradient.dot(p),
                1e-5 * gradient.norm() * p.norm());
}

} // namespace
} // namespace selvage
