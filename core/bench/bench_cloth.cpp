#include "core/bench/bench_cloth.h"

#include "core/example/cloth_grid.h"
#include "core/geometry/mesh_topology.h"
#include "core/geometry/triangulate.h"

#include <cmath>

namespace selvage
{
namespace
{

/// Folds of two scales and a little noise, slightly compressed.
VecX wrinkled(const VecX& x_rest, int n)
{
    VecX x = x_rest;
    for (Eigen::Index i = 0; i < x.size(); i += 3) {
        const double u = x_rest[i], w = x_rest[i + 2];
        x[i + 1] =
            0.05 * std::sin(9 * u) * std::sin(7 * w) + 0.1 / n * std::sin(1e4 * (u + 1.7 * w));
        x[i] *= 0.97;
    }
    return x;
}

} // namespace

BenchCloth::BenchCloth(int n, BendingForm form)
{
    const Geometry g = cloth_grid(n - 1, n - 1, 1, 1, GridCells::alternating_triangles);
    const MeshTopology mesh = mesh_topology(triangulate(g).triangles);
    x_rest = g.positions();
    vertices = int(x_rest.size() / 3);
    x = wrinkled(x_rest, n);
    const auto at = [&](int v) { return Vec3(x_rest.segment<3>(3 * v)); };

    const MembraneModuli moduli{1000, 800, 300, 0.3};
    const OrthotropicConstants constants = orthotropic_constants(moduli),
                               viscous = viscous_constants(moduli, 0.01, 0.01);
    std::vector<StvkTriangle> rest;
    for (const Vec3i& t : mesh.triangles) {
        for (int k = 0; k < 3; ++k) triangle_vertices.push_back(t[k]);
        rest.push_back(stvk_triangle(at(t[0]), at(t[1]), at(t[2]), {1, 0, 0}, constants, viscous));
    }
    std::vector<HingeElement> hinge_rest;
    for (const Vec4i& h : mesh.hinges) {
        Vec12 p;
        for (int k = 0; k < 4; ++k) {
            hinge_vertices.push_back(h[k]);
            p.segment<3>(3 * k) = at(h[k]);
        }
        hinge_rest.push_back(hinge_element(p, 1e-5));
    }
    membrane = std::make_unique<StvkMembrane>(triangle_vertices, rest, vertices);
    bending = std::make_unique<HingeBending>(hinge_vertices, hinge_rest, form,
                                             std::vector<double>{0.01}, vertices);
    StepContext step;
    step.h = step.h_eff = 0.01;
    step.x_star = &x_rest;
    membrane->begin_step(step);
    bending->begin_step(step);

    pattern = make_pattern(vertices, {&membrane->stencils(), &bending->stencils()});
    membrane_map = ScatterMap(membrane->stencils(), *pattern);
    bending_map = ScatterMap(bending->stencils(), *pattern);
    matrix = BlockMatrix(pattern);
    gradient = VecX::Zero(x.size());
    sink.gradient = &gradient;
    sink.hessian = &matrix;
}

void BenchCloth::evaluate_membrane(Want want)
{
    sink.scatter = &membrane_map;
    membrane->evaluate(x, want, sink);
}

void BenchCloth::evaluate_bending(Want want)
{
    sink.scatter = &bending_map;
    bending->evaluate(x, want, sink);
}

void BenchCloth::assemble()
{
    matrix.set_zero();
    gradient.setZero();
    evaluate_membrane({true, true, true, Psd::clamp});
    evaluate_bending({true, true, true, Psd::clamp});
}

void BenchCloth::make_system(double h, double areal_density)
{
    sink.scale = h * h;
    assemble();
    matrix.add_diagonal(VecX::Constant(vertices, areal_density / vertices));
}

} // namespace selvage
