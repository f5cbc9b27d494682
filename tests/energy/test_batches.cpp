// Batches, scatter maps and the batch loop: against sums of the per-element functions.
#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/energy/air_drag.h"
#include "core/energy/hinge_bending.h"
#include "core/energy/link_spring.h"
#include "core/energy/sink.h"
#include "core/energy/stvk_membrane.h"
#include "tests/support/finite_difference.h"
#include "tests/support/meshes.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <set>

using namespace selvage;
using namespace selvage::test;

namespace
{

constexpr Want all_clamped{true, true, true, Psd::clamp};
constexpr Want all_exact{true, true, true, Psd::exact};

/// Energy, gradient and matrix of one term.
struct Evaluation {
    double energy = 0;
    VecX gradient;
    BlockMatrix matrix;
};

Evaluation evaluated(const Term& term, const VecX& x, Want want, double scale = 1)
{
    Evaluation e;
    const int vertices = int(x.size() / 3);
    e.matrix = BlockMatrix(make_pattern(vertices, {&term.stencils()}));
    const ScatterMap map(term.stencils(), *e.matrix.pattern);
    e.gradient = VecX::Zero(x.size());
    Sink sink;
    sink.scale = scale;
    sink.gradient = &e.gradient;
    sink.hessian = &e.matrix;
    sink.scatter = &map;
    term.evaluate(x, want, sink);
    e.energy = sink.energy;
    return e;
}

/// Dense sums of per-element functions of stacked positions.
template <int N, class Energy, class Gradient, class Hessian>
void expect_equal_to_sum(const Term& term, const std::vector<std::int32_t>& elements, const VecX& x,
                         Want want, Energy&& energy, Gradient&& gradient, Hessian&& hessian)
{
    const double scale = 0.37;
    double E = 0;
    VecX g = VecX::Zero(x.size());
    MatX H = MatX::Zero(x.size(), x.size());
    for (std::size_t e = 0; e < elements.size() / N; ++e) {
        const auto p = element_positions<N>(x, elements, e);
        E += scale * energy(e, p);
        const auto ge = gradient(e, p);
        const auto He = hessian(e, p);
        for (int i = 0; i < N; ++i) {
            const int v = elements[e * N + std::size_t(i)];
            g.segment<3>(3 * v) += scale * ge.template segment<3>(3 * i);
            for (int j = 0; j < N; ++j)
                H.block<3, 3>(3 * v, 3 * elements[e * N + std::size_t(j)]) +=
                    scale * He.template block<3, 3>(3 * i, 3 * j);
        }
    }
    const Evaluation batch = evaluated(term, x, want, scale);
    EXPECT_NEAR(batch.energy, E, 1e-13 * E);
    EXPECT_LT(relative_error(batch.gradient, g), 1e-13);
    EXPECT_LT(relative_error(batch.matrix.dense(), H), 1e-13);
}

/// A wrinkled cloth whose vertices are numbered at random, so that blocks of both orientations and
/// ragged chunks occur.
struct Cloth {
    Mesh mesh;
    VecX rest, x, x_star;
    std::vector<std::int32_t> hinges;
    std::vector<StvkTriangle> triangles;
    std::vector<HingeElement> elements;

    explicit Cloth(int n, bool shuffled = true)
    {
        mesh = grid_cloth(n, n - 1, 1, 0.8);
        Random random(1);
        if (shuffled) {
            std::vector<std::int32_t> name(mesh.points.size());
            std::iota(name.begin(), name.end(), 0);
            std::shuffle(name.begin(), name.end(), std::mt19937(2));
            const auto points = mesh.points;
            for (std::size_t v = 0; v < name.size(); ++v)
                mesh.points[std::size_t(name[v])] = points[v];
            for (std::int32_t& v : mesh.triangles) v = name[std::size_t(v)];
        }
        rest = mesh.stacked();
        x = rest + 0.2 / n * random.vector(rest.size());
        x_star = rest + 0.2 / n * random.vector(rest.size());
        hinges = hinges_of(mesh);
        const OrthotropicConstants k = orthotropic_constants({1000, 700, 300, 0.3});
        for (std::size_t t = 0; t < mesh.triangles.size() / 3; ++t) {
            const Vec9 p = element_positions<3>(rest, mesh.triangles, t);
            triangles.push_back(
                stvk_triangle(p.segment<3>(0), p.segment<3>(3), p.segment<3>(6), {1, 0, 0.2}, k));
        }
        for (std::size_t h = 0; h < hinges.size() / 4; ++h)
            elements.push_back(hinge_element(element_positions<4>(rest, hinges, h), 1e-3));
    }
    StepContext step() const
    {
        StepContext s;
        s.h = s.h_eff = 0.01;
        s.x_0 = s.x_star = &x_star;
        s.v_0 = &rest;
        return s;
    }
};

bool same_bits(const double* a, const double* b, std::size_t n)
{
    return std::memcmp(a, b, n * sizeof(double)) == 0;
}

} // namespace

TEST(Batches, HoldEveryElementOnceAndColoursShareNoVertex)
{
    const Cloth cloth(40);
    for (const auto& [arity, elements] :
         {std::pair{3, cloth.mesh.triangles}, std::pair{4, cloth.hinges}}) {
        const Batches b = make_batches(arity, elements, cloth.mesh.vertex_count());
        std::set<int> seen;
        for (std::size_t slot = 0; slot < b.element.size(); ++slot) {
            const int e = b.element[slot];
            if (e < 0) continue;
            EXPECT_TRUE(seen.insert(e).second);
            for (int i = 0; i < arity; ++i)
                EXPECT_EQ(
                    b.vertices[(slot / 4 * std::size_t(arity) + std::size_t(i)) * 4 + slot % 4],
                    elements[std::size_t(e * arity + i)]);
        }
        EXPECT_EQ(seen.size(), elements.size() / std::size_t(arity));
        EXPECT_EQ(std::size_t(b.color_begin.back()), b.chunk_count());
        EXPECT_EQ(std::size_t(b.chunk_begin.back()), b.batch_count());
        EXPECT_GT(b.chunk_count(), 4u);
        for (std::size_t c = 0; c + 1 < b.color_begin.size(); ++c) {
            std::map<int, int> owner;
            for (int chunk = b.color_begin[c]; chunk < b.color_begin[c + 1]; ++chunk)
                for (int k = b.chunk_begin[std::size_t(chunk)] * arity * 4;
                     k < b.chunk_begin[std::size_t(chunk) + 1] * arity * 4; ++k)
                    EXPECT_EQ(owner.emplace(b.vertices[std::size_t(k)], chunk).first->second,
                              chunk);
        }
    }
}

TEST(Batches, NoElementsNoBatches)
{
    const StvkMembrane none({}, {}, {}, 3);
    EXPECT_EQ(none.stencils().batch_count(), 0u);
    EXPECT_EQ(evaluated(none, VecX::Zero(9), all_clamped).energy, 0);
}

TEST(Batches, ScatterMapRefusesAForeignPattern)
{
    const Batches b = make_batches(3, {0, 1, 2}, 4);
    EXPECT_THROW(ScatterMap(b, BlockPattern(4, {})), InputError);
}

TEST(BatchLoop, MembraneEqualsTheSumOfItsElements)
{
    const Cloth cloth(13);
    StvkMembrane term(cloth.mesh.triangles, cloth.triangles, {0.02}, cloth.mesh.vertex_count());
    term.begin_step(cloth.step());
    const auto damping = [&](std::size_t e) {
        return StvkDamping{
            2.0, stvk_membrane_strain(element_positions<3>(cloth.x_star, cloth.mesh.triangles, e),
                                      cloth.triangles[e])};
    };
    for (const Want want : {all_clamped, all_exact})
        expect_equal_to_sum<3>(
            term, cloth.mesh.triangles, cloth.x, want,
            [&](std::size_t e, const Vec9& p) {
                return stvk_membrane_energy(p, cloth.triangles[e], damping(e));
            },
            [&](std::size_t e, const Vec9& p) {
                return stvk_membrane_gradient(p, cloth.triangles[e], damping(e));
            },
            [&](std::size_t e, const Vec9& p) {
                return stvk_membrane_hessian(p, cloth.triangles[e], want.psd, damping(e));
            });
}

TEST(BatchLoop, BendingEqualsTheSumOfItsElements)
{
    const Cloth cloth(13);
    for (const BendingForm form : {BendingForm::angle, BendingForm::tangent}) {
        HingeBending term(cloth.hinges, cloth.elements, form, {0.005}, cloth.mesh.vertex_count());
        term.begin_step(cloth.step());
        const auto damping = [&](std::size_t e) {
            return HingeDamping{0.5,
                                hinge_angle(element_positions<4>(cloth.x_star, cloth.hinges, e))};
        };
        for (const Want want : {all_clamped, all_exact})
            expect_equal_to_sum<4>(
                term, cloth.hinges, cloth.x, want,
                [&](std::size_t e, const Vec12& p) {
                    return hinge_bending_energy(p, cloth.elements[e], form, damping(e));
                },
                [&](std::size_t e, const Vec12& p) {
                    return hinge_bending_gradient(p, cloth.elements[e], form, damping(e));
                },
                [&](std::size_t e, const Vec12& p) {
                    return hinge_bending_hessian(p, cloth.elements[e], form, want.psd, damping(e));
                });
    }
}

TEST(BatchLoop, SoftPinsEqualTheSumOfTheirElements)
{
    const Cloth cloth(9);
    std::vector<std::int32_t> vertices;
    std::vector<LinkSpring<1>::Values> pins;
    Random random(3);
    for (int v = 0; v < cloth.mesh.vertex_count(); v += 3) {
        vertices.push_back(v);
        const double k = 10 + random();
        const Vec3 target = random.vector(3);
        pins.push_back({{k, k, 0}, 0, target, target});
    }
    LinkSpring<1> term("soft pins", vertices, std::vector<double>(vertices.size(), 1),
                       cloth.mesh.vertex_count());
    term.set_values(pins);
    expect_equal_to_sum<1>(
        term, vertices, cloth.x, all_clamped,
        [&](std::size_t e, const Vec3& p) { return link_energy(p - pins[e].place_1, pins[e].law); },
        [&](std::size_t e, const Vec3& p) {
            return link_gradient(p - pins[e].place_1, pins[e].law);
        },
        [&](std::size_t e, const Vec3& p) {
            return link_hessian(p - pins[e].place_1, pins[e].law, Psd::clamp);
        });
}

TEST(BatchLoop, DragEqualsTheSumOfItsElements)
{
    const Cloth cloth(9);
    AirProperties air;
    air.wind = {1, 2, -3};
    AirDrag term(cloth.mesh.triangles, air, cloth.mesh.vertex_count());
    const StepContext step = cloth.step();
    term.begin_step(step);
    const auto D = [&](std::size_t e) {
        const Vec9 v = element_positions<3>(*step.v_0, cloth.mesh.triangles, e);
        const Vec3 u = (v.segment<3>(0) + v.segment<3>(3) + v.segment<3>(6)) / 3 - air.wind;
        return air_drag_matrix(element_positions<3>(*step.x_0, cloth.mesh.triangles, e), u, air);
    };
    const auto star = [&](std::size_t e) {
        return Vec9(element_positions<3>(*step.x_star, cloth.mesh.triangles, e));
    };
    expect_equal_to_sum<3>(
        term, cloth.mesh.triangles, cloth.x, all_clamped,
        [&](std::size_t e, const Vec9& p) {
            return air_drag_energy(p, star(e), step.h_eff, D(e), air.wind);
        },
        [&](std::size_t e, const Vec9& p) {
            return air_drag_gradient(p, star(e), step.h_eff, D(e), air.wind);
        },
        [&](std::size_t e, const Vec9&) { return air_drag_hessian(step.h_eff, D(e)); });
}

TEST(BatchLoop, AssembledClothHasTheGradientOfItsEnergy)
{
    const Cloth cloth(3);
    const HingeBending bending(cloth.hinges, cloth.elements, BendingForm::tangent, {},
                               cloth.mesh.vertex_count());
    const Evaluation e = evaluated(bending, cloth.x, all_exact);
    const auto energy = [&](const VecX& x) {
        Sink sink;
        bending.evaluate(x, {true, false, false, Psd::exact}, sink);
        return sink.energy;
    };
    EXPECT_LT(relative_error(e.gradient, fd_gradient(energy, cloth.x, 1e-4)), 1e-8);
}

TEST(BatchLoop, SameBitsOnOneAndTwoThreads)
{
    const Cloth cloth(70);
    StvkMembrane membrane(cloth.mesh.triangles, cloth.triangles, {0.02}, cloth.mesh.vertex_count());
    HingeBending bending(cloth.hinges, cloth.elements, BendingForm::tangent, {0.02},
                         cloth.mesh.vertex_count());
    for (Term* term : {static_cast<Term*>(&membrane), static_cast<Term*>(&bending)}) {
        const auto run = [&](int threads) {
            const ThreadLimit limit(threads);
            term->begin_step(cloth.step());
            return evaluated(*term, cloth.x, all_clamped);
        };
        const Evaluation one = run(1);
        for (int i = 0; i < 3; ++i) {
            const Evaluation two = run(2);
            EXPECT_TRUE(same_bits(&one.energy, &two.energy, 1));
            EXPECT_TRUE(same_bits(one.gradient.data(), two.gradient.data(),
                                  std::size_t(one.gradient.size())));
            EXPECT_TRUE(same_bits(one.matrix.values.data(), two.matrix.values.data(),
                                  one.matrix.values.size()));
        }
    }
}

TEST(BatchLoop, DampingNeedsAStep)
{
    // Without begin_step there is no reference state and no damping.
    const Cloth cloth(5);
    const StvkMembrane damped(cloth.mesh.triangles, cloth.triangles, {0.02},
                              cloth.mesh.vertex_count());
    const StvkMembrane plain(cloth.mesh.triangles, cloth.triangles, {}, cloth.mesh.vertex_count());
    EXPECT_EQ(evaluated(damped, cloth.x, all_clamped).energy,
              evaluated(plain, cloth.x, all_clamped).energy);
}
