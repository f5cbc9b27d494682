#include "core/energy/chamber_pressure.h"

#include "core/base/parallel.h"
#include "core/energy/sink.h"

#include <Eigen/Geometry>

#include <cassert>
#include <cmath>

namespace selvage
{
namespace
{

/// Part of V_0 below which the gas law is continued.
constexpr double least_volume = 0.05;

/// Derivatives of order 0, 1, 2 of E with respect to V.
struct GasResponse {
    double energy, first, second;
};

GasResponse sealed_gas(const GasLaw& law, double V)
{
    const double c = (law.ambient + law.pressure) * law.volume;
    const double U = std::max(V, least_volume * law.volume), d = V - U;
    const GasResponse at{-c * std::log(U / law.volume) + law.ambient * (U - law.volume),
                         law.ambient - c / U, c / (U * U)};
    return {at.energy + d * (at.first + 0.5 * d * at.second), at.first + d * at.second, at.second};
}

GasResponse respond(const GasLaw& law, double V)
{
    switch (law.model) {
    case GasLaw::Model::gas: return sealed_gas(law, V);
    case GasLaw::Model::volume: {
        const double d = V - law.volume, k = law.stiffness / law.volume;
        return {0.5 * k * d * d, k * d, k};
    }
    case GasLaw::Model::constant: break;
    }
    return {-law.pressure * V, -law.pressure, 0};
}

Vec3 at(const VecX& x, int vertex) { return x.segment<3>(3 * vertex); }

/// The volume of a closed surface does not depend on the origin; one nearby costs no digits.
Vec3 origin_of(const Chamber& c, const VecX& x) { return at(x, c.triangles.front()[0]); }

Vec3 middle_of(const std::vector<int>& rim, const VecX& x)
{
    Vec3 sum = Vec3::Zero();
    for (const int v : rim) sum += at(x, v);
    return sum / double(rim.size());
}

} // namespace

double gas_energy(const GasLaw& law, double volume) { return respond(law, volume).energy; }
double gas_pressure(const GasLaw& law, double volume) { return -respond(law, volume).first; }
double gas_stiffness(const GasLaw& law, double volume) { return respond(law, volume).second; }

double chamber_volume(const Chamber& chamber, const VecX& x)
{
    const Vec3 o = origin_of(chamber, x);
    double six =
        parallel_sum(chamber.triangles.size(), 4096, [&](std::size_t begin, std::size_t end) {
            double sum = 0;
            for (std::size_t k = begin; k < end; ++k) {
                const Vec3i& t = chamber.triangles[k];
                sum += (at(x, t[0]) - o).dot((at(x, t[1]) - o).cross(at(x, t[2]) - o));
            }
            return sum;
        });
    for (const std::vector<int>& rim : chamber.holes) {
        const Vec3 m = middle_of(rim, x) - o;
        for (std::size_t k = 0; k < rim.size(); ++k) // the fan runs against its neighbours
            six += m.dot((at(x, rim[(k + 1) % rim.size()]) - o).cross(at(x, rim[k]) - o));
    }
    return chamber.sign * six / 6;
}

void add_volume_gradient(const Chamber& chamber, const VecX& x, double factor, VecX& gradient)
{
    const Vec3 o = origin_of(chamber, x);
    const double s = factor * chamber.sign / 6;
    const auto add = [&](int vertex, const Vec3& g) { gradient.segment<3>(3 * vertex) += s * g; };
    for (const Vec3i& t : chamber.triangles) {
        const Vec3 a = at(x, t[0]) - o, b = at(x, t[1]) - o, c = at(x, t[2]) - o;
        add(t[0], b.cross(c));
        add(t[1], c.cross(a));
        add(t[2], a.cross(b));
    }
    for (const std::vector<int>& rim : chamber.holes) {
        const Vec3 m = middle_of(rim, x) - o;
        Vec3 middle = Vec3::Zero(); // with respect to the mean, which all share
        for (std::size_t k = 0; k < rim.size(); ++k) {
            const int i = rim[k], j = rim[(k + 1) % rim.size()];
            const Vec3 a = at(x, i) - o, b = at(x, j) - o;
            add(j, a.cross(m));
            add(i, m.cross(b));
            middle += b.cross(a);
        }
        for (const int v : rim) add(v, middle / double(rim.size()));
    }
}

ChamberPressure::ChamberPressure(std::vector<Chamber> chambers)
    : chambers_(std::move(chambers)), laws_(chambers_.size()), nothing_(make_batches(1, {}, 0))
{
}

void ChamberPressure::set_laws(std::vector<GasLaw> laws)
{
    assert(laws.size() == chambers_.size());
    laws_ = std::move(laws);
}

void ChamberPressure::evaluate(const VecX& x, Want want, Sink& out) const
{
    for (std::size_t i = 0; i < chambers_.size(); ++i) {
        const GasResponse r = respond(laws_[i], chamber_volume(chambers_[i], x));
        if (want.energy) out.energy += out.scale * r.energy;
        if (want.gradient) add_volume_gradient(chambers_[i], x, out.scale * r.first, *out.gradient);
        if (want.hessian && out.rank_one && r.second > 0) {
            out.rank_one->push_back({out.scale * r.second, VecX::Zero(x.size())});
            add_volume_gradient(chambers_[i], x, 1, out.rank_one->back().vector);
        }
    }
}

} // namespace selvage
