// Cost per element of membrane and solid laws, assembly included, and of the same formulas under
// automatic differentiation. Run on one core: taskset -c 0 bench_materials.
#include "core/energy/arap_membrane.h"
#include "core/energy/arap_solid.h"
#include "core/energy/baraff_witkin_membrane.h"
#include "core/energy/batch_loop.h"
#include "core/energy/fixed_corotational.h"
#include "core/energy/hinge_bending.h"
#include "core/energy/neo_hookean.h"
#include "core/energy/neo_hookean_membrane.h"
#include "core/energy/spline_membrane.h"
#include "core/energy/stable_neo_hookean.h"
#include "tests/energy/solid_checks.h"
#include "tests/support/autodiff.h"
#include "tests/support/plain_formulas.h"

#include <benchmark/benchmark.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

/// Argument: what is wanted (0 energy, 1 gradient, 2 all, clamped).
void run(benchmark::State& state, const Term& term, const VecX& x, std::size_t elements)
{
    const auto pattern = make_pattern(int(x.size() / 3), {&term.stencils()});
    BlockMatrix matrix(pattern);
    const ScatterMap map(term.stencils(), *pattern);
    VecX gradient = VecX::Zero(x.size());
    Sink sink;
    sink.gradient = &gradient;
    sink.hessian = &matrix;
    sink.scatter = &map;
    const Want wants[] = {{true, false, false, Psd::clamp},
                          {false, true, false, Psd::clamp},
                          {true, true, true, Psd::clamp}};
    for (auto _ : state) {
        term.evaluate(x, wants[state.range(0)], sink);
        benchmark::DoNotOptimize(sink.energy);
    }
    state.counters["per_element"] =
        benchmark::Counter(double(elements), benchmark::Counter::kIsIterationInvariantRate |
                                                 benchmark::Counter::kInvert);
}

/// A wrinkled cloth: half of its triangles compressed.
template <class Law>
void membrane(benchmark::State& state, const typename Law::Moduli& m, const Law& law = {})
{
    const Mesh mesh = grid_cloth(99, 99, 1, 1);
    VecX x = mesh.stacked();
    Random random(1);
    for (Eigen::Index i = 0; i < x.size(); i += 3) {
        x[i + 1] = 0.05 * std::sin(9 * x[i]) * std::sin(7 * x[i + 2]) + 0.001 * random();
        x[i] *= 0.97;
    }
    std::vector<MembraneTriangle> rest;
    for (std::size_t t = 0; t < mesh.triangles.size() / 3; ++t) {
        const Vec9 p = element_positions<3>(mesh.stacked(), mesh.triangles, t);
        rest.push_back(
            membrane_triangle(p.segment<3>(0), p.segment<3>(3), p.segment<3>(6), {1, 0, 0}));
    }
    run(state, MembraneTerm<Law>(mesh.triangles, rest, {m}, mesh.vertex_count(), law), x,
        rest.size());
}

template <class Law> void solid(benchmark::State& state, const typename Law::Moduli& m)
{
    const TetMesh mesh = tet_block(14, 14, 14, 1.0 / 14);
    Random random(1);
    const VecX x = 0.95 * mesh.stacked() + 0.005 * random.vector(mesh.stacked().size());
    run(state, TetTerm<Law>(mesh.tets, mesh.rest(), {m}, int(mesh.points.size())), x,
        mesh.tets.size() / 4);
}

/// Value, gradient and Hessian of one membrane by automatic differentiation.
void autodiff_neo_hookean_membrane(benchmark::State& state)
{
    Vec9 rest;
    rest << 0, 0, 0, 1, 0.1, 0, 0.2, 0.9, 0;
    const MembraneTriangle t =
        membrane_triangle(rest.segment<3>(0), rest.segment<3>(3), rest.segment<3>(6), {1, 0, 0});
    const Vec9 x = 1.1 * rest;
    for (auto _ : state)
        benchmark::DoNotOptimize(plain_neo_hookean_membrane(variables<9>(x), t, {300, 400}));
}

void autodiff_hinge_angle(benchmark::State& state)
{
    Vec12 x;
    x << 0, 1, 0.1, 0, 0, 0, 1, 0, 0, 0.5, -1, 0.2;
    for (auto _ : state) benchmark::DoNotOptimize(plain_hinge_angle(variables<12>(x)));
}

template <class Law>
void add_membrane(const char* name, const typename Law::Moduli& m, const Law& law = {})
{
    benchmark::RegisterBenchmark(name, membrane<Law>, m, law)->DenseRange(0, 2);
}
template <class Law> void add_solid(const char* name, const typename Law::Moduli& m)
{
    benchmark::RegisterBenchmark(name, solid<Law>, m)->DenseRange(0, 2);
}

BENCHMARK(autodiff_neo_hookean_membrane);
BENCHMARK(autodiff_hinge_angle);

} // namespace

int main(int argc, char** argv)
{
    benchmark::Initialize(&argc, argv);
    const SplineMembrane fabric(FabricCurve::from_pull({{0.05, 20}, {0.1, 60}, {0.2, 300}}, "warp"),
                                FabricCurve::from_pull({{0.05, 10}, {0.1, 30}, {0.2, 100}}, "weft"),
                                FabricCurve::from_shear({{0.1, 2}, {0.3, 9}}, "shear"), 0.2);
    const Lame flesh = lame(1e4, 0.45);
    add_membrane<NeoHookeanMembrane>("membrane/neo_hookean", {300, 400});
    add_membrane<ArapMembrane>("membrane/arap", {1000});
    add_membrane<BaraffWitkinMembrane>("membrane/baraff_witkin", {1000, 700, 300});
    add_membrane<BaraffWitkin1998Membrane>("membrane/baraff_witkin_1998", {1000, 700, 300});
    add_membrane<SplineMembrane>("membrane/spline", {1}, fabric);
    add_solid<StableNeoHookean>("solid/stable_neo_hookean", {flesh.lambda, flesh.mu});
    add_solid<NeoHookean>("solid/neo_hookean", {flesh.lambda, flesh.mu});
    add_solid<FixedCorotational>("solid/fixed_corotational", {flesh.lambda, flesh.mu});
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
