#include "tests/linear/sheet.h"

#include "core/energy/hinge_bending.h"
#include "core/energy/scatter_map.h"
#include "core/energy/sink.h"
#include "core/energy/stvk_membrane.h"
#include "core/example/cloth_grid.h"
#include "core/geometry/mesh_topology.h"
#include "core/geometry/triangulate.h"

#include <cmath>

namespace selvage::test
{
namespace
{

constexpr double pi = 3.14159265358979324;

VecX wavy(const VecX& x_rest, double amplitude)
{
    VecX x = x_rest;
    for (Eigen::Index i = 0; i < x.size(); i += 3) {
        const double u = x_rest[i] + 0.5, w = x_rest[i + 2] + 0.5;
        x[i + 1] = amplitude * (0.05 * std::sin(3 * pi * u) * std::sin(2 * pi * w) +
                                0.01 * std::sin(9 * pi * (u + w)));
    }
    return x;
}

VertexFilter hold(const VecX& x_rest, const VecX& x, int n, Held held)
{
    VertexFilter filter(n * n);
    for (int row = 0; row < n; ++row)
        for (int column = 0; column < n; ++column) {
            const int v = n * row + column;
            const bool side = column == 0 || column == n - 1, end = row == 0 || row == n - 1;
            const Vec3 p = x_rest.segment<3>(3 * v);
            if (held == Held::normals) {
                if (p.norm() <= 0.3) continue;
                const auto height = [&](int i) { return x[3 * i + 1]; };
                const double slope_x = side ? 0 : (height(v + 1) - height(v - 1)) * (n - 1) / 2;
                const double slope_z = end ? 0 : (height(v - n) - height(v + n)) * (n - 1) / 2;
                filter.block_direction(v, Vec3(-slope_x, 1, -slope_z).normalized());
            } else if (side || (end && held == Held::all_sides)) {
                filter.fix(v);
            }
        }
    return filter;
}

} // namespace

Sheet calibration_sheet(int n, Held held, double h, double amplitude)
{
    const Geometry g = cloth_grid(n - 1, n - 1, 1, 1, GridCells::alternating_triangles);
    const MeshTopology mesh = mesh_topology(triangulate(g).triangles);
    const VecX x_rest = g.positions();
    const auto at = [&](int v) { return Vec3(x_rest.segment<3>(3 * v)); };
    const double Y = 1000, nu = 0.3;
    const OrthotropicConstants constants = orthotropic_constants({Y, Y, Y / (2 + 2 * nu), nu});
    std::vector<std::int32_t> corners, hinge_corners;
    std::vector<StvkTriangle> rest;
    for (const Vec3i& t : mesh.triangles) {
        corners.insert(corners.end(), {t[0], t[1], t[2]});
        rest.push_back(stvk_triangle(at(t[0]), at(t[1]), at(t[2]), {1, 0, 0}, constants));
    }
    std::vector<HingeElement> hinges;
    for (const Vec4i& e : mesh.hinges) {
        Vec12 p;
        for (int k = 0; k < 4; ++k) p.segment<3>(3 * k) = at(e[k]);
        hinge_corners.insert(hinge_corners.end(), {e[0], e[1], e[2], e[3]});
        hinges.push_back(hinge_element(p, 1e-5));
    }
    StvkMembrane membrane(corners, rest, n * n);
    HingeBending bending(hinge_corners, hinges, BendingForm::tangent, {0.0}, n * n);
    StepContext step;
    step.h = step.h_eff = h;
    step.x_star = &x_rest;

    Sheet sheet;
    sheet.x = wavy(x_rest, amplitude);
    sheet.fixed = BlockMatrix(make_pattern(n * n, {&membrane.stencils(), &bending.stencils()}));
    VecX gradient = VecX::Zero(3 * n * n);
    Sink sink;
    sink.gradient = &gradient;
    sink.hessian = &sheet.fixed;
    sink.scale = h * h;
    for (Term* term : {static_cast<Term*>(&membrane), static_cast<Term*>(&bending)}) {
        term->begin_step(step);
        const ScatterMap map(term->stencils(), *sheet.fixed.pattern);
        sink.scatter = &map;
        term->evaluate(sheet.x, {true, true, true, Psd::clamp}, sink);
    }
    const double mass = 0.2 / (n * n);
    sheet.fixed.add_diagonal(VecX::Constant(n * n, mass));
    sheet.filter = hold(x_rest, sheet.x, n, held);
    sheet.b = 0.01 * random_vector(3 * n * n, 5);
    for (Eigen::Index i = 1; i < sheet.b.size(); i += 3) sheet.b[i] -= 1;
    sheet.b *= mass * 9.81 * h * h;
    sheet.z = VecX::Zero(3 * n * n);
    return sheet;
}

} // namespace selvage::test
