#include "core/energy/spline_membrane.h"

#include "core/base/error.h"
#include "core/energy/membrane_evaluate.h"

#include <fmt/format.h>

namespace selvage
{
namespace
{

std::vector<Vec2> with_origin(const std::vector<Vec2>& samples, const std::string& test)
{
    std::vector<Vec2> points = {Vec2(0, 0)};
    for (const Vec2& s : samples) {
        if (!(s[0] > points.back()[0]) || !(s[1] > points.back()[1]))
            throw InputError(fmt::format("Fabric curve '{}': sample {} ({}, {}) does not increase "
                                         "in strain and force. Sort and smooth the data.",
                                         test, points.size(), s[0], s[1]));
        points.push_back(s);
    }
    if (points.size() < 2) throw InputError(fmt::format("Fabric curve '{}' has no samples.", test));
    return points;
}

} // namespace

FabricCurve FabricCurve::from_pull(const std::vector<Vec2>& strain_force, const std::string& test)
{
    const std::vector<Vec2> samples = with_origin(strain_force, test);
    const MonotoneCurve force(samples);
    // Green strain and second Piola–Kirchhoff stress, between the samples too.
    constexpr int pieces = 8;
    std::vector<Vec2> points = {Vec2(0, 0)};
    for (std::size_t i = 0; i + 1 < samples.size(); ++i)
        for (int k = 1; k <= pieces; ++k) {
            const double strain =
                samples[i][0] + (samples[i + 1][0] - samples[i][0]) * k / double(pieces);
            const Vec2 p(strain * (1 + strain / 2), force(strain).y / (1 + strain));
            if (!(p[1] > points.back()[1]))
                throw InputError(fmt::format(
                    "Fabric curve '{}': near strain {:.4g} the force grows more slowly than the "
                    "stretch; the fabric would give way. Smooth the data.",
                    test, strain));
            points.push_back(p);
        }
    FabricCurve curve;
    curve.curve_ = MonotoneCurve(points);
    return curve;
}

FabricCurve FabricCurve::from_shear(const std::vector<Vec2>& gamma_force, const std::string& test)
{
    FabricCurve curve;
    curve.curve_ = MonotoneCurve(with_origin(gamma_force, test));
    return curve;
}

SplineMembrane::SplineMembrane(const FabricCurve& warp, const FabricCurve& weft,
                               const FabricCurve& shear, double poisson)
{
    const double Y_u = warp.modulus(), Y_v = weft.modulus();
    if (!(Y_u > 0 && Y_v > 0 && shear.modulus() > 0))
        throw InputError(fmt::format("Fabric curves must rise at the origin (initial slopes: warp "
                                     "{} N/m, weft {} N/m, shear {} N/m). Add a first sample "
                                     "closer to it.",
                                     Y_u, Y_v, shear.modulus()));
    const double back = poisson * Y_v / Y_u, one = 1 - poisson * back;
    if (!(one > 0))
        throw InputError(fmt::format("Poisson's ratio {} is too large for these fabric curves: it "
                                     "must lie below {:.4g}.",
                                     poisson, std::sqrt(Y_u / Y_v)));
    curves_ = std::make_shared<const Curves>(Curves{warp, weft, shear, Y_u, Y_v, poisson});
}

StrainDerivatives<double> SplineMembrane::derivatives(double e_u, double e_v, double gamma,
                                                      const Moduli& m) const
{
    const Curves& c = *curves_;
    const double Y_u = m.warp * c.warp_modulus, Y_v = m.weft * c.weft_modulus;
    const double nu = c.poisson + m.further_poisson, back = nu * Y_v / Y_u; // ν, ν'
    const double one = 1 - nu * back, coupling = nu * Y_v / one;            // a
    const auto thread = [](const FabricCurve& curve, double scale, double pull, double compress,
                           double e) {
        if (e < 0) return MonotoneCurve::Value{0.5 * compress * e * e, compress * e, compress};
        const MonotoneCurve::Value v = curve(e);
        return MonotoneCurve::Value{scale * v.integral + 0.5 * pull * e * e, scale * v.y + pull * e,
                                    scale * v.slope + pull};
    };
    const MonotoneCurve::Value u = thread(c.warp, m.warp, coupling * nu, Y_u / one, e_u);
    const MonotoneCurve::Value v = thread(c.weft, m.weft, coupling * back, Y_v / one, e_v);
    const MonotoneCurve::Value s = c.shear(std::abs(gamma));
    return {u.integral + v.integral + coupling * e_u * e_v + m.shear * s.integral,
            u.y + coupling * e_v,
            v.y + coupling * e_u,
            m.shear * std::copysign(s.y, gamma),
            u.slope,
            coupling,
            v.slope,
            m.shear * s.slope};
}

StrainDerivatives<Real4> SplineMembrane::lanes(const Real4& e_u, const Real4& e_v,
                                               const Real4& gamma, const Real4* m) const
{
    StrainDerivatives<Real4> k{};
    for (int lane = 0; lane < batch_lanes; ++lane) {
        const std::size_t i = std::size_t(lane);
        const StrainDerivatives<double> d =
            derivatives(e_u[i], e_v[i], gamma[i], {m[0][i], m[1][i], m[2][i], m[3][i]});
        k.psi[i] = d.psi, k.s0[i] = d.s0, k.s1[i] = d.s1, k.s01[i] = d.s01;
        k.d00[i] = d.d00, k.d01[i] = d.d01, k.d11[i] = d.d11, k.shear[i] = d.shear;
    }
    return k;
}

SELVAGE_INSTANTIATE_MEMBRANE(SplineMembrane)

} // namespace selvage
