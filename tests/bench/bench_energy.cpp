// Cost of energies and of their assembly. Run on one core: taskset -c 0 bench_energy.
#include "core/base/parallel.h"
#include "core/energy/batch_loop.h"
#include "core/energy/hinge_bending.h"
#include "core/energy/stvk_membrane.h"
#include "tests/support/meshes.h"

#include <benchmark/benchmark.h>

#include <numeric>

using namespace selvage;
using namespace selvage::test;

namespace
{

/// A wrinkled cloth of n × n vertices with membrane, hinges and their matrix.
struct Cloth {
    Mesh mesh;
    VecX x, gradient;
    std::vector<std::int32_t> hinges;
    std::unique_ptr<StvkMembrane> membrane;
    std::unique_ptr<HingeBending> bending;
    std::shared_ptr<const BlockPattern> pattern;
    BlockMatrix matrix;
    ScatterMap membrane_map, bending_map;

    Cloth(int n, BendingForm form)
    {
        mesh = grid_cloth(n - 1, n - 1, 1, 1);
        const VecX rest = mesh.stacked();
        x = rest;
        Random random(1);
        for (Eigen::Index i = 0; i < x.size(); i += 3) {
            x[i + 1] = 0.05 * std::sin(9 * x[i]) * std::sin(7 * x[i + 2]) + 0.1 / n * random();
            x[i] *= 0.97;
        }
        const OrthotropicConstants k = orthotropic_constants({1000, 800, 300, 0.3});
        std::vector<StvkTriangle> triangles;
        for (std::size_t t = 0; t < mesh.triangles.size(); t += 3)
            triangles.push_back(stvk_triangle(mesh.points[std::size_t(mesh.triangles[t])],
                                              mesh.points[std::size_t(mesh.triangles[t + 1])],
                                              mesh.points[std::size_t(mesh.triangles[t + 2])],
                                              {1, 0, 0}, k));
        hinges = hinges_of(mesh);
        std::vector<HingeElement> elements;
        for (std::size_t h = 0; h < hinges.size() / 4; ++h)
            elements.push_back(hinge_element(element_positions<4>(rest, hinges, h), 1e-5));
        membrane = std::make_unique<StvkMembrane>(mesh.triangles, triangles,
                                                  std::vector<double>{0.01}, mesh.vertex_count());
        bending = std::make_unique<HingeBending>(hinges, elements, form, std::vector<double>{0.01},
                                                 mesh.vertex_count());
        StepContext step;
        step.h = step.h_eff = 0.01;
        step.x_star = &rest;
        membrane->begin_step(step);
        bending->begin_step(step);
        pattern = make_pattern(mesh.vertex_count(), {&membrane->stencils(), &bending->stencils()});
        matrix = BlockMatrix(pattern);
        membrane_map = ScatterMap(membrane->stencils(), *pattern);
        bending_map = ScatterMap(bending->stencils(), *pattern);
        gradient = VecX::Zero(x.size());
    }

    Sink sink()
    {
        Sink s;
        s.gradient = &gradient;
        s.hessian = &matrix;
        return s;
    }
    double membrane_pass(Want want, Sink& s)
    {
        s.scatter = &membrane_map;
        membrane->evaluate(x, want, s);
        return s.energy;
    }
    double bending_pass(Want want, Sink& s)
    {
        s.scatter = &bending_map;
        bending->evaluate(x, want, s);
        return s.energy;
    }
};

constexpr Want energy_only{true, false, false, Psd::clamp};
constexpr Want gradient_only{false, true, false, Psd::clamp};
constexpr Want everything{true, true, true, Psd::clamp};

Want want_of(const benchmark::State& state)
{
    const Want wants[] = {energy_only, gradient_only, everything};
    return wants[state.range(1)];
}

void per_element(benchmark::State& state, std::size_t elements)
{
    state.counters["per_element"] =
        benchmark::Counter(double(elements), benchmark::Counter::kIsIterationInvariantRate |
                                                 benchmark::Counter::kInvert);
}

/// Arguments: vertices per side, what is wanted (0 energy, 1 gradient, 2 all, clamped).
void membrane(benchmark::State& state)
{
    Cloth cloth(int(state.range(0)), BendingForm::tangent);
    Sink sink = cloth.sink();
    for (auto _ : state) benchmark::DoNotOptimize(cloth.membrane_pass(want_of(state), sink));
    per_element(state, cloth.mesh.triangles.size() / 3);
}

/// A third argument: 0 angle, 1 tangent.
void bending(benchmark::State& state)
{
    Cloth cloth(int(state.range(0)), BendingForm(state.range(2)));
    Sink sink = cloth.sink();
    for (auto _ : state) benchmark::DoNotOptimize(cloth.bending_pass(want_of(state), sink));
    per_element(state, cloth.hinges.size() / 4);
}

void assembly(benchmark::State& state)
{
    Cloth cloth(int(state.range(0)), BendingForm::tangent);
    Sink sink = cloth.sink();
    const ThreadLimit limit(int(state.range(1)));
    for (auto _ : state) {
        cloth.matrix.set_zero();
        cloth.gradient.setZero();
        cloth.membrane_pass(everything, sink);
        benchmark::DoNotOptimize(cloth.bending_pass(everything, sink));
    }
    per_element(state, std::size_t(cloth.mesh.vertex_count()));
}

template <int N> void scatter_pass(const Batches& batches, const VecX& x, Sink& sink)
{
    for_each_batch<N>(
        batches, x, {false, false, true, Psd::clamp}, sink,
        [](std::size_t, const Vec3T<Real4>(&)[N], Want, ElementResult<Real4, N>& result) {
            benchmark::DoNotOptimize(result.hessian[0].m[0]);
        });
}

/// The assembly without its kernels.
void scatter(benchmark::State& state)
{
    Cloth cloth(int(state.range(0)), BendingForm::tangent);
    Sink sink = cloth.sink();
    for (auto _ : state) {
        cloth.matrix.set_zero();
        sink.scatter = &cloth.membrane_map;
        scatter_pass<3>(cloth.membrane->stencils(), cloth.x, sink);
        sink.scatter = &cloth.bending_map;
        scatter_pass<4>(cloth.bending->stencils(), cloth.x, sink);
    }
    per_element(state, std::size_t(cloth.mesh.vertex_count()));
}

/// One read and write of every number of the matrix: the unit in which scatter is judged.
void memory_pass(benchmark::State& state)
{
    Cloth cloth(int(state.range(0)), BendingForm::tangent);
    for (auto _ : state) {
        Eigen::Map<VecX>(cloth.matrix.values.data(), Eigen::Index(cloth.matrix.values.size())) *=
            1.0000001;
        benchmark::ClobberMemory();
    }
    per_element(state, std::size_t(cloth.mesh.vertex_count()));
}

void set_up(benchmark::State& state)
{
    const Cloth cloth(int(state.range(0)), BendingForm::tangent);
    for (auto _ : state) {
        const Batches b = make_batches(4, cloth.hinges, cloth.mesh.vertex_count());
        benchmark::DoNotOptimize(ScatterMap(b, *cloth.pattern).block.data());
    }
}

} // namespace

BENCHMARK(membrane)->ArgsProduct({{24, 316}, {0, 1, 2}});
BENCHMARK(bending)->ArgsProduct({{24, 316}, {0, 1, 2}, {0, 1}});
BENCHMARK(assembly)->ArgsProduct({{24, 316}, {1, 2}})->UseRealTime();
BENCHMARK(scatter)->Arg(24)->Arg(316);
BENCHMARK(memory_pass)->Arg(24)->Arg(316);
BENCHMARK(set_up)->Arg(316)->Unit(benchmark::kMillisecond);
BENCHMARK_MAIN();
