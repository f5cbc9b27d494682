#include "core/bench/bench_sheet.h"

#include "core/geometry/mesh_topology.h"
#include "core/geometry/triangulate.h"

#include <cassert>
#include <cmath>
#include <numeric>

namespace selvage
{
namespace
{

constexpr double areal_density = 0.2;     // [kg/m²]
constexpr double newton_tolerance = 1e-2; // [m/s]
constexpr double start_gap = 2e-3;        // [m] above what a sheet drops onto

/// Interpolates between p[1] and p[2] through all four [Catmull and Rom 1974].
Vec3 catmull_rom(const Vec3 p[4], double t)
{
    return p[1] + 0.5 * t *
                      (p[2] - p[0] +
                       t * (2 * p[0] - 5 * p[1] + 4 * p[2] - p[3] +
                            t * (3 * (p[1] - p[2]) + p[3] - p[0])));
}

/// A table in the plane y = 0 with a square hole of half a metre in its middle, and the walls of
/// that.
void make_table(MeshTopology& mesh, VecX& x)
{
    const double sides[3] = {0.7, 0.25, 0.25}, heights[3] = {0, 0, -0.1};
    x.resize(36);
    std::vector<Vec3i> triangles;
    for (int ring = 0; ring < 3; ++ring)
        for (int k = 0; k < 4; ++k) {
            const double a = sides[ring];
            const int at = 4 * ring + k, next = 4 * ring + (k + 1) % 4;
            x.segment<3>(3 * at) << (k == 0 || k == 3 ? -a : a), heights[ring], (k < 2 ? -a : a);
            if (ring == 2) continue;
            triangles.emplace_back(at, at + 4, next);
            triangles.emplace_back(next, at + 4, next + 4);
        }
    mesh = mesh_topology(triangles);
}

} // namespace

BenchSheet::BenchSheet(SheetCase held, int n, GridCells cells)
    : held_(held),
      side_(held == SheetCase::reentrant ? 2 * int(std::lround(n / std::sqrt(3.0))) + 1 : n)
{
    make_mesh(cells);
    make_terms();
    x_ = x_rest_;
    v_ = VecX::Zero(x_.size());
    lift();
    make_contact();
}

BenchSheet::BenchSheet(const BenchSheet& coarse)
    : held_(coarse.held_), side_(2 * coarse.side_ - 1), vertex_at_(std::size_t(side_ * side_))
{
    const int n = coarse.side_;
    assert(coarse.contact_ && coarse.vertices() == n * n);
    std::iota(vertex_at_.begin(), vertex_at_.end(), 0);
    filter_ = VertexFilter(side_ * side_);
    const auto between = [&](int a, int b) { return side_ * (a / n + b / n) + a % n + b % n; };
    const auto refine = [&](const VecX& from, VecX& to) {
        to.resize(3 * side_ * side_);
        for (const Vec3i& t : coarse.triangles_)
            for (int k = 0; k < 3; ++k)
                for (const int b : {t[k], t[(k + 1) % 3]})
                    to.segment<3>(3 * between(t[k], b)) =
                        0.5 * (from.segment<3>(3 * t[k]) + from.segment<3>(3 * b));
    };
    refine(coarse.x_rest_, x_rest_);
    refine(coarse.x_, x_);
    refine(coarse.v_, v_);
    for (const Vec3i& t : coarse.triangles_) {
        const auto at = [&](int i, int k) { return between(t[i], t[k]); };
        triangles_.insert(triangles_.end(), {{at(0, 0), at(0, 1), at(0, 2)},
                                             {at(0, 1), at(1, 1), at(1, 2)},
                                             {at(0, 2), at(1, 2), at(2, 2)},
                                             {at(0, 1), at(1, 2), at(0, 2)}});
    }
    make_terms();
    make_contact();
}

/// To where it drops from.
void BenchSheet::lift()
{
    for (int i = 0; i < vertices(); ++i) {
        const Vec3 p = x_rest_.segment<3>(3 * i);
        if (held_ == SheetCase::drop_horizontal)
            x_[3 * i + 1] = start_gap;
        else if (held_ == SheetCase::drop_vertical) // a bit bent: it knows where to buckle
            x_.segment<3>(3 * i) << p[0], 0.5 - p[2] + start_gap,
                0.01 * std::cos(7 * p[2]) + 0.003 * std::sin(11 * p[0]);
    }
}

void BenchSheet::make_contact()
{
    if (held_ != SheetCase::drop_horizontal && held_ != SheetCase::drop_vertical) return;
    ContactMesh mesh(vertices());
    mesh.add_surface("sheet", mesh_topology(triangles_), 0, x_rest_, 0, 0.2);
    if (held_ == SheetCase::drop_horizontal) {
        MeshTopology table;
        make_table(table, collider_);
        mesh.add_collider("table", table, collider_, 0, 0.2);
    } else {
        collider_ = (VecX(9) << 0, 0, 0, 0, 0, 1, 1, 0, 0).finished();
        mesh.add_plane("floor", collider_, 0, 0.2);
    }
    contact_ = std::make_unique<ContactProblem>(std::move(mesh));
    potential_->set_contact(contact_.get());
}

void BenchSheet::make_mesh(GridCells cells)
{
    const Geometry g = cloth_grid(side_ - 1, side_ - 1, 1, 1, cells);
    const VecX& grid = g.positions();
    const int middle = side_ / 2, last = side_ - 1;
    vertex_at_.assign(std::size_t(side_) * std::size_t(side_), -1);
    std::vector<double> kept;
    std::vector<int> fixed;
    for (int row = 0; row < side_; ++row)
        for (int column = 0; column < side_; ++column) {
            const bool l_shaped = held_ == SheetCase::reentrant;
            if (l_shaped && row > middle && column > middle) continue;
            const int at = side_ * row + column, vertex = int(kept.size() / 3);
            vertex_at_[std::size_t(at)] = vertex;
            for (int k = 0; k < 3; ++k) kept.push_back(grid[3 * at + k]);
            const bool side = column == 0 || column == last, end = row == 0 || row == last;
            const bool inner_corner =
                (row == middle && column >= middle) || (column == middle && row >= middle);
            const bool all_around = held_ == SheetCase::pinned;
            if (l_shaped ? inner_corner
                         : (all_around && (side || end)) || (held_ == SheetCase::drooping && side))
                fixed.push_back(vertex);
        }
    x_rest_ = Eigen::Map<const VecX>(kept.data(), Eigen::Index(kept.size()));
    for (const Vec3i& t : triangulate(g).triangles) {
        const Vec3i mapped(vertex_at_[std::size_t(t[0])], vertex_at_[std::size_t(t[1])],
                           vertex_at_[std::size_t(t[2])]);
        if (mapped.minCoeff() >= 0) triangles_.push_back(mapped);
    }
    filter_ = VertexFilter(int(x_rest_.size() / 3));
    for (const int v : fixed) filter_.fix(v);
}

void BenchSheet::make_terms()
{
    const int n = int(x_rest_.size() / 3);
    const MeshTopology mesh = mesh_topology(triangles_);
    const auto at = [&](int v) { return Vec3(x_rest_.segment<3>(3 * v)); };
    const double Y = 1000, nu = 0.3;
    const OrthotropicConstants constants = orthotropic_constants({Y, Y, Y / (2 + 2 * nu), nu});
    std::vector<std::int32_t> corners, hinge_corners;
    std::vector<StvkTriangle> rest;
    VecX mass = VecX::Zero(n);
    for (const Vec3i& t : mesh.triangles) {
        corners.insert(corners.end(), {t[0], t[1], t[2]});
        rest.push_back(stvk_triangle(at(t[0]), at(t[1]), at(t[2]), {1, 0, 0}, constants));
        const double area = (at(t[1]) - at(t[0])).cross(at(t[2]) - at(t[0])).norm() / 2;
        for (int k = 0; k < 3; ++k) mass[t[k]] += areal_density * area / 3;
    }
    std::vector<HingeElement> hinges;
    for (const Vec4i& h : mesh.hinges) {
        Vec12 p;
        for (int k = 0; k < 4; ++k) p.segment<3>(3 * k) = at(h[k]);
        hinge_corners.insert(hinge_corners.end(), {h[0], h[1], h[2], h[3]});
        hinges.push_back(hinge_element(p, 1e-5));
    }
    membrane_ = std::make_unique<StvkMembrane>(corners, rest, n);
    bending_ = std::make_unique<HingeBending>(hinge_corners, hinges, BendingForm::tangent,
                                              std::vector<double>{0.0}, n);
    potential_ = std::make_unique<IncrementalPotential>(
        std::vector<Term*>{membrane_.get(), bending_.get()}, mass, VecX::Zero(n));
    hessian_ = BlockMatrix(potential_->pattern());
}

void BenchSheet::begin_step(double h)
{
    const VecX fall = Vec3(0, -9.81, 0).replicate(vertices(), 1);
    potential_->begin_step({0, h, h, h, &x_, &v_, &x_}, x_ + h * v_ + h * h * fall);
    if (!contact_) return;
    contact_->begin_step(x_, h, collider_, collider_, v_);
    potential_->set_reached(1);
    contact_->update(x_);
    potential_->balance_contact(x_, std::sqrt(2.0));
    contact_->lag_friction(x_);
}

int BenchSheet::simulate(double h, int steps, const std::string& linear)
{
    NewtonScratch scratch;
    StepSettings settings;
    settings.linear = linear;
    int iterations = 0;
    for (int i = 0; i < steps; ++i) {
        begin_step(h);
        scratch.linear.begin_step();
        VecX x = x_;
        Budget budget(settings);
        iterations += minimise(*potential_, {filter_, x_}, x, h, newton_tolerance, settings,
                               scratch, budget, NeverCancel())
                          .iterations;
        v_ = (x - x_) / h;
        x_ = x;
    }
    return iterations;
}

/// Beyond its edges the sheet is continued as a plane. (Repeating what is at the edge instead would
/// halve the slope of the displacement there, and a sheet that hangs down be crushed to a third.)
Vec3 BenchSheet::sample(const VecX& of, double row, double column) const
{
    const int middle = side_ / 2, last = side_ - 1;
    const auto value = [&](int r, int c) -> Vec3 {
        int i = std::min(std::max(r, 0), last), j = std::min(std::max(c, 0), last);
        if (vertex_at_[std::size_t(side_ * i + j)] < 0) { // cut away: over the edge that is near
            if (row < middle + 0.5) i = middle;
            if (column < middle + 0.5) j = middle;
        }
        const auto at = [&](int k, int l) {
            k = std::min(std::max(k, 0), last), l = std::min(std::max(l, 0), last);
            return Vec3(of.segment<3>(3 * vertex_at_[std::size_t(side_ * k + l)]));
        };
        return 2 * at(i, j) - at(2 * i - r, 2 * j - c);
    };
    const int r = int(std::floor(row)), c = int(std::floor(column));
    Vec3 rows[4];
    for (int i = 0; i < 4; ++i) {
        const Vec3 p[4] = {value(r - 1 + i, c - 1), value(r - 1 + i, c), value(r - 1 + i, c + 1),
                           value(r - 1 + i, c + 2)};
        rows[i] = catmull_rom(p, column - c);
    }
    return catmull_rom(rows, row - r);
}

void BenchSheet::continue_from(const BenchSheet& coarse)
{
    const VecX displacement = coarse.x_ - coarse.x_rest_;
    for (int i = 0; i < vertices(); ++i) {
        const double column = (x_rest_[3 * i] + 0.5) * (coarse.side_ - 1);
        const double row = (0.5 - x_rest_[3 * i + 2]) * (coarse.side_ - 1);
        x_.segment<3>(3 * i) = x_rest_.segment<3>(3 * i) + coarse.sample(displacement, row, column);
        v_.segment<3>(3 * i) = coarse.sample(coarse.v_, row, column);
        if (filter_.kind(i) == VertexFilter::Kind::fixed) {
            x_.segment<3>(3 * i) = x_rest_.segment<3>(3 * i);
            v_.segment<3>(3 * i).setZero();
        }
    }
}

void BenchSheet::make_system(double h)
{
    begin_step(h);
    potential_->assemble(x_, gradient_, hessian_, contact_matrix_, Psd::clamp);
    filter_.apply(gradient_);
}

} // namespace selvage
