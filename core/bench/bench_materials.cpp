#include "core/base/parallel.h"
#include "core/bench/autodiff.h"
#include "core/bench/bench.h"
#include "core/bench/bench_cloth.h"
#include "core/bench/plain_forces.h"
#include "core/bench/plain_solids.h"
#include "core/energy/arap_membrane.h"
#include "core/energy/arap_solid.h"
#include "core/energy/chamber_pressure.h"
#include "core/energy/neo_hookean.h"
#include "core/energy/stable_neo_hookean.h"
#include "core/example/cloth_grid.h"
#include "core/geometry/tet_boundary.h"
#include "core/model/cloth_builder.h"

#include <fmt/format.h>

namespace selvage
{
namespace
{

constexpr Want everything{true, true, true, Psd::clamp};

double nanoseconds(std::size_t elements, const std::function<void()>& pass)
{
    return 1e9 * median_seconds(pass, 0.2, 20000, BenchClock::thread) / double(elements);
}

/// Energy, gradient and clamped Hessian of a term, scattered into gradient and matrix.
double term_nanoseconds(const Term& term, const VecX& x, std::size_t elements)
{
    BlockMatrix matrix(make_pattern(int(x.size() / 3), {&term.stencils()}));
    const ScatterMap map(term.stencils(), *matrix.pattern);
    VecX gradient = VecX::Zero(x.size());
    Sink sink;
    sink.gradient = &gradient;
    sink.hessian = &matrix;
    sink.scatter = &map;
    return nanoseconds(elements, [&] { term.evaluate(x, everything, sink); });
}

/// The same by automatic differentiation of formula(e, variables), without clamp or scatter.
template <int N, class Formula>
double autodiff_nanoseconds(const VecX& x, const std::vector<std::int32_t>& vertices,
                            const Formula& formula)
{
    const std::size_t elements = std::min<std::size_t>(200, vertices.size() / (N / 3));
    volatile double keep = 0;
    return nanoseconds(elements, [&] {
        double sum = 0;
        for (std::size_t e = 0; e < elements; ++e) {
            Eigen::Matrix<double, N, 1> p;
            for (int i = 0; i < N / 3; ++i)
                p.template segment<3>(3 * i) =
                    x.segment<3>(3 * vertices[e * (N / 3) + std::size_t(i)]);
            const Dual2<N> d = formula(e, variables<N>(p));
            sum += d.value + d.gradient[0] + d.hessian(0, 1);
        }
        keep = keep + sum;
    });
}

void add(BenchReport& report, const std::string& what, double ns, double autodiff = 0,
         const char* goal = "")
{
    const std::string name = what + ": energy + gradient + clamped Hessian";
    if (autodiff > 0)
        report.add({name, ns, "ns/element", "automatic differentiation", ns / autodiff, goal});
    else
        report.add({name, ns, "ns/element", "", 0, goal});
}

constexpr const char* membrane_goal = "<= 0.33 ×";
constexpr const char* hinge_goal = "<= 0.25 ×";
constexpr const char *hot_membrane_goal = "<= 0.33 × and <= 300 ns",
                     *hot_hinge_goal = "<= 0.25 × and <= 300 ns";

struct Membranes {
    BenchCloth cloth{24, BendingForm::tangent};
    std::vector<MembraneTriangle> rest;

    Membranes()
    {
        const auto at = [&](std::size_t i) {
            return Vec3(cloth.x_rest.segment<3>(3 * cloth.triangle_vertices[i]));
        };
        for (std::size_t i = 0; i < cloth.triangle_vertices.size(); i += 3)
            rest.push_back(membrane_triangle(at(i), at(i + 1), at(i + 2), {1, 0, 0}));
    }

    template <class Law> double law(const typename Law::Moduli& moduli, const Law& law = {}) const
    {
        const MembraneTerm<Law> term(cloth.triangle_vertices, rest, {moduli}, cloth.vertices, law);
        return term_nanoseconds(term, cloth.x, rest.size());
    }
    template <class Formula> double autodiff(const Formula& formula) const
    {
        return autodiff_nanoseconds<9>(cloth.x, cloth.triangle_vertices, formula);
    }
};

void bench_membranes(BenchReport& report)
{
    Membranes m;
    const double Y = 1000, nu = 0.3, mu = Y / (2 * (1 + nu)), lambda = Y * nu / (1 - nu * nu);
    const MembraneModuli woven{Y, 800, 300, nu};
    using X = std::array<Dual2<9>, 9>;
    add(report, "stvk membrane (with viscosity)",
        term_nanoseconds(*m.cloth.membrane, m.cloth.x, m.rest.size()),
        m.autodiff(
            [&](std::size_t e, const X& x) { return plain_stvk_membrane(x, m.rest[e], woven); }),
        hot_membrane_goal);
    const NeoHookeanMembrane::Moduli neo{lambda, mu};
    add(report, "neo-Hookean membrane", m.law<NeoHookeanMembrane>(neo),
        m.autodiff([&](std::size_t e, const X& x) {
            return plain_neo_hookean_membrane(x, m.rest[e], neo);
        }),
        membrane_goal);
    const BaraffWitkinModuli cloth{1000, 800, 300};
    add(report, "Baraff–Witkin membrane", m.law<BaraffWitkinMembrane>(cloth),
        m.autodiff(
            [&](std::size_t e, const X& x) { return plain_baraff_witkin(x, m.rest[e], cloth); }),
        membrane_goal);
    add(report, "ARAP membrane", m.law<ArapMembrane>({Y}),
        m.autodiff([&](std::size_t e, const X& x) { return plain_arap_membrane(x, m.rest[e], Y); }),
        membrane_goal);
    const FabricCurve curve = FabricCurve::from_pull({{0.02, 10}, {0.05, 60}}, "bench");
    const PlainFabric fabric{curve, curve, FabricCurve(300), 0.2};
    add(report, "spline membrane",
        m.law<SplineMembrane>(
            {}, SplineMembrane(fabric.warp, fabric.weft, fabric.shear, fabric.poisson)),
        m.autodiff(
            [&](std::size_t e, const X& x) { return plain_spline_membrane(x, m.rest[e], fabric); }),
        membrane_goal);
    const StrainLimitLaw::Moduli any{Y, 3};
    add(report, "limit of stretch", m.law<StrainLimitLaw>(any),
        m.autodiff(
            [&](std::size_t e, const X& x) { return plain_strain_limit(x, m.rest[e], any); }));
    const DirectionalLimitLaw::Moduli each = directional_limit(woven, 2, 2, 3);
    add(report, "limits of warp, weft and shear", m.law<DirectionalLimitLaw>(each),
        m.autodiff([&](std::size_t e, const X& x) {
            return plain_directional_limit(x, m.rest[e], each);
        }));
}

void bench_bending(BenchReport& report)
{
    for (const BendingForm form : {BendingForm::tangent, BendingForm::angle}) {
        const BenchCloth cloth(24, form);
        const HingeElement h{1e-5, 0, 0.01};
        add(report, form == BendingForm::tangent ? "hinge (tangent)" : "hinge (angle)",
            term_nanoseconds(*cloth.bending, cloth.x, cloth.hinges()),
            autodiff_nanoseconds<12>(cloth.x, cloth.hinge_vertices,
                                     [&](std::size_t, const std::array<Dual2<12>, 12>& x) {
                                         return plain_hinge_bending(x, h, form);
                                     }),
            form == BendingForm::tangent ? hot_hinge_goal : hinge_goal);
    }
    const BenchCloth bent(24, BendingForm::angle);
    NullLog log;
    ClothMaterial material;
    material.bend_poisson = 0.3;
    const Cloth cloth =
        make_cloth("plate", cloth_grid(23, 23, 1, 1, GridCells::alternating_triangles), nullptr,
                   material, log);
    const std::vector<std::int32_t> vertices = plate_vertices(cloth);
    const std::vector<ShapeTriangle> rest = plate_rest(cloth, cloth.rest);
    const ShapeOperatorBending term(vertices, rest, BendingForm::angle, {}, bent.vertices);
    add(report, "shape operator", term_nanoseconds(term, bent.x, rest.size()),
        autodiff_nanoseconds<18>(bent.x, vertices,
                                 [&](std::size_t e, const std::array<Dual2<18>, 18>& x) {
                                     return plain_shape_operator(x, rest[e]);
                                 }));
}

/// Tetrahedra of a wavy block.
struct Solids {
    std::vector<std::int32_t> tets;
    std::vector<TetRest> rest;
    VecX x;

    explicit Solids(int n)
    {
        std::vector<Vec3> p;
        for (int k = 0; k <= n; ++k)
            for (int j = 0; j <= n; ++j)
                for (int i = 0; i <= n; ++i) p.emplace_back(i, j, k);
        const auto id = [&](const Vec3i& c) {
            return std::int32_t((c[2] * (n + 1) + c[1]) * (n + 1) + c[0]);
        };
        // Paths along the axes from corner to corner of each cube, even orders of the axes first.
        constexpr int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                     {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
        for (int cell = 0; cell < n * n * n; ++cell)
            for (int t = 0; t < 6; ++t) {
                Vec3i c(cell % n, cell / n % n, cell / (n * n));
                std::int32_t v[4];
                for (int s = 0; s < 4; ++s) {
                    v[s] = id(c);
                    if (s < 3) ++c[order[t][s]];
                }
                if (t >= 3) std::swap(v[2], v[3]);
                tets.insert(tets.end(), v, v + 4);
                const auto at = [&](int s) { return p[std::size_t(v[s])]; };
                rest.push_back(tet_rest(at(0), at(1), at(2), at(3)));
            }
        x.resize(3 * Eigen::Index(p.size()));
        for (std::size_t i = 0; i < p.size(); ++i)
            x.segment<3>(3 * Eigen::Index(i)) =
                p[i] +
                0.1 * Vec3(std::sin(5 * p[i][1]), std::sin(4 * p[i][2]), std::sin(3 * p[i][0]));
    }
    template <class Law> double law(const typename Law::Moduli& moduli) const
    {
        const TetTerm<Law> term(tets, rest, {moduli}, int(x.size() / 3));
        return term_nanoseconds(term, x, rest.size());
    }
    template <class Formula> double autodiff(const Formula& formula) const
    {
        return autodiff_nanoseconds<12>(x, tets, formula);
    }
    /// In the middle of a step of h that began elsewhere.
    double viscosity(const SolidViscosities& k, double h) const
    {
        SolidViscosity term(tets, rest, {k}, int(x.size() / 3));
        const VecX before = 1.01 * x;
        StepContext step;
        step.h = step.h_eff = h;
        step.x_star = &before;
        term.begin_step(step);
        return term_nanoseconds(term, x, rest.size());
    }
};

void bench_solids(BenchReport& report)
{
    const Solids s(6);
    const Lame k = lame(1e5, 0.4);
    using X = std::array<Dual2<12>, 12>;
    const auto compare = [&](const char* what, double ns, const auto& formula) {
        add(report, what, ns,
            s.autodiff([&](std::size_t e, const X& x) { return formula(x, s.rest[e]); }));
    };
    compare("stable neo-Hookean solid", s.law<StableNeoHookean>({k.lambda + k.mu, k.mu}),
            [&](const X& x, const TetRest& t) {
                return plain_stable_neo_hookean(x, t, k.lambda + k.mu, k.mu);
            });
    compare("neo-Hookean solid", s.law<NeoHookean>({k.lambda, k.mu}),
            [&](const X& x, const TetRest& t) { return plain_neo_hookean(x, t, k.lambda, k.mu); });
    const FixedCorotational::Moduli corotational{k.lambda, k.mu};
    compare(
        "fixed-corotational solid", s.law<FixedCorotational>(corotational),
        [&](const X& x, const TetRest& t) { return plain_fixed_corotational(x, t, corotational); });
    compare("ARAP solid", s.law<ArapSolid>({k.mu}),
            [&](const X& x, const TetRest& t) { return plain_arap_solid(x, t, k.mu); });
    const StvkSolid::Moduli stvk{k.lambda, k.mu};
    compare("stvk solid", s.law<StvkSolid>(stvk),
            [&](const X& x, const TetRest& t) { return plain_stvk_solid(x, t, stvk); });
    const StableMooneyRivlin::Moduli rubber{k.mu, k.mu, k.lambda};
    compare("Mooney–Rivlin solid", s.law<StableMooneyRivlin>(rubber),
            [&](const X& x, const TetRest& t) { return plain_mooney_rivlin(x, t, rubber); });
    const StableArrudaBoyce::Moduli chains{k.mu, 0.1, 0.01, k.lambda};
    compare("Arruda–Boyce solid", s.law<StableArrudaBoyce>(chains),
            [&](const X& x, const TetRest& t) { return plain_arruda_boyce(x, t, chains); });
    const StableFung::Moduli skin{k.mu, k.mu, 0.5, k.lambda};
    compare("Fung solid", s.law<StableFung>(skin),
            [&](const X& x, const TetRest& t) { return plain_fung(x, t, skin); });
    const FiberModuli fiber{Vec3(1, 2, 3), k.mu};
    compare("fibres", s.law<FiberArap>(fiber),
            [&](const X& x, const TetRest& t) { return plain_fiber(x, t, fiber); });
    const SolidViscosities viscous{30, 20};
    const double h = 0.01;
    const SolidLag lag{1 / h, Vec3(0.01, 0.02, -0.01).asDiagonal()};
    compare("viscosity of solids", s.viscosity(viscous, h), [&](const X& x, const TetRest& t) {
        return plain_solid_viscosity(x, t, viscous, lag);
    });
}

/// Drag of a sheet, links along its edges, the air inside a block's skin.
void bench_forces(BenchReport& report)
{
    const BenchCloth cloth(24, BendingForm::tangent);
    const VecX before = 1.01 * cloth.x, velocity = VecX::Ones(cloth.x.size());
    StepContext step;
    step.h = step.h_eff = 0.01;
    step.x_0 = step.x_star = &before;
    step.v_0 = &velocity;
    AirProperties air;
    air.wind = {1, 2, -3};
    AirDrag drag(cloth.triangle_vertices, air, cloth.vertices);
    drag.begin_step(step);
    const Mat3 D = 0.1 * Mat3::Identity();
    const Vec9 star = Vec9::Constant(0.1);
    add(report, "air drag (per triangle)", term_nanoseconds(drag, cloth.x, cloth.triangles()),
        autodiff_nanoseconds<9>(cloth.x, cloth.triangle_vertices,
                                [&](std::size_t, const std::array<Dual2<9>, 9>& x) {
                                    return plain_air_drag(x, star, step.h_eff, D, air.wind);
                                }));

    std::vector<std::int32_t> ends;
    for (std::size_t h = 0; h < cloth.hinge_vertices.size(); h += 4)
        ends.insert(ends.end(), {cloth.hinge_vertices[h + 1], cloth.hinge_vertices[h + 2]});
    const std::size_t count = ends.size() / 2;
    std::vector<double> weights;
    for (std::size_t k = 0; k < count; ++k) weights.insert(weights.end(), {1, -1});
    const LinkLaw law{100, 100, 0.03};
    LinkSpring<2> links("links", ends, weights, cloth.vertices);
    links.set_values(
        std::vector<LinkSpring<2>::Values>(count, {law, 0, Vec3::Zero(), Vec3::Zero()}));
    add(report, "links", term_nanoseconds(links, cloth.x, count),
        autodiff_nanoseconds<6>(cloth.x, ends, [&](std::size_t, const std::array<Dual2<6>, 6>& x) {
            return plain_link(x, law);
        }));

    const Solids s(6);
    Chamber chamber;
    std::vector<Vec4i> tets;
    for (std::size_t t = 0; t < s.tets.size(); t += 4)
        tets.push_back(Eigen::Map<const Vec4i>(&s.tets[t]));
    chamber.triangles = tet_boundary(tets);
    std::vector<std::int32_t> skin;
    for (const Vec3i& t : chamber.triangles) skin.insert(skin.end(), t.data(), t.data() + 3);
    ChamberPressure pressure({chamber}, int(s.x.size() / 3));
    pressure.set_laws({{GasLaw::Model::constant, 300, 1, 101325, 0}});
    add(report, "pressure (per triangle)", term_nanoseconds(pressure, s.x, skin.size() / 3),
        autodiff_nanoseconds<9>(s.x, skin, [&](std::size_t, const std::array<Dual2<9>, 9>& x) {
            return plain_pressure(x, 300);
        }));
}

} // namespace

/// In cache, on one core. The scatter into gradient and matrix is part of our time; automatic
/// differentiation (second-order forward mode) is spared clamp and scatter.
void bench_materials(BenchReport& report)
{
    const ThreadLimit one(1);
    bench_membranes(report);
    bench_bending(report);
    bench_solids(report);
    bench_forces(report);
}

} // namespace selvage
