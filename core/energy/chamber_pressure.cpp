#include "core/energy/chamber_pressure.h"

#include "core/base/parallel.h"
#include "core/energy/batch_loop.h"

#include <Eigen/Geometry>

#include <cassert>
#include <cmath>
#include <map>

namespace selvage
{
namespace
{

/// Part of V_0 below which the gas law is continued.
constexpr double least_volume = 0.05;

/// θ of the clamp. examples/cushion takes 2142 Newton steps with 6, 2026 without any curvature;
/// from frame 25 to 57, where it is blown up, 1299 with 6, 1458 with 20 and 1398 without.
constexpr double edge_balance = 6;

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

ChamberPressure::ChamberPressure(std::vector<Chamber> chambers, int vertex_count)
    : chambers_(std::move(chambers)), laws_(chambers_.size())
{
    std::vector<std::int32_t> vertices;
    for (std::size_t c = 0; c < chambers_.size(); ++c) add_edges(c, vertices);
    batches_ = make_batches(2, vertices, vertex_count);
}

void ChamberPressure::add_edges(std::size_t chamber, std::vector<std::int32_t>& vertices)
{
    const Chamber& c = chambers_[chamber];
    std::map<std::pair<int, int>, int> opposite; // of directed edges
    for (const Vec3i& t : c.triangles)
        for (int i = 0; i < 3; ++i) opposite[{t[i], t[(i + 1) % 3]}] = t[(i + 2) % 3];
    const auto add = [&](int i, int j, const Edge& edge) {
        vertices.insert(vertices.end(), {i, j});
        edges_.push_back(edge);
    };
    for (const auto& [edge, right] : opposite) {
        const auto twin = opposite.find({edge.second, edge.first});
        if (edge.first < edge.second && twin != opposite.end())
            add(edge.first, edge.second, {chamber, right, twin->second});
    }
    for (std::size_t h = 0; h < c.holes.size(); ++h) {
        const std::vector<int>& rim = c.holes[h];
        for (std::size_t k = 0; k < rim.size(); ++k) {
            const int i = rim[k], j = rim[(k + 1) % rim.size()];
            add(i, j, {chamber, opposite.at({i, j}), -1, int(rims_.size()), int(k)});
        }
        rims_.push_back({chamber, h});
    }
}

void ChamberPressure::set_laws(std::vector<GasLaw> laws)
{
    assert(laws.size() == chambers_.size());
    laws_ = std::move(laws);
}

namespace
{

/// √(W Wᵀ) of the cross product with w/6.
Mat3 magnitude(const Vec3& w)
{
    const double length = w.norm();
    if (length == 0) return Mat3::Zero();
    return (length * Mat3::Identity() - w * w.transpose() / length) / 6;
}

/// The middle of a rim, and what its edges to the vertices add to their diagonal blocks per
/// pressure: that of edge n, and by convexity the mean of all, as the middle is the mean.
struct Fan {
    Vec3 middle;
    std::vector<Mat3> diagonal;

    Fan(const std::vector<int>& rim, const VecX& x) : middle(middle_of(rim, x))
    {
        const std::size_t n = rim.size();
        Mat3 sum = Mat3::Zero();
        for (std::size_t k = 0; k < n; ++k) {
            diagonal.push_back(magnitude(at(x, rim[(k + 1) % n]) - at(x, rim[(k + n - 1) % n])));
            sum += diagonal.back();
        }
        for (Mat3& d : diagonal) d += sum / double(n);
    }
};

void set_lane(Mat3T<Real4>& out, std::size_t lane, const Mat3& value)
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) out.m[3 * i + j][lane] = value(i, j);
}

} // namespace

void ChamberPressure::add_curvature(const VecX& x, const std::vector<double>& slopes, Psd psd,
                                    Sink& out) const
{
    const bool clamp = psd == Psd::clamp;
    std::vector<Fan> fans;
    for (const Rim& r : rims_) fans.emplace_back(chambers_[r.chamber].holes[r.hole], x);
    for_each_batch<2>(
        batches_, x, {false, false, true, psd}, out,
        [&](std::size_t b, const Vec3T<Real4>(&)[2], Want, ElementResult<Real4, 2>& result) {
            for (std::size_t lane = 0; lane < batch_lanes; ++lane) {
                const int number = batches_.element[b * batch_lanes + lane];
                if (number < 0) break; // padding is ignored
                const Edge& e = edges_[std::size_t(number)];
                const Fan* fan = e.rim < 0 ? nullptr : &fans[std::size_t(e.rim)];
                const Vec3 w = (fan ? fan->middle : at(x, e.left)) - at(x, e.right);
                const double slope = slopes[e.chamber], size = std::abs(slope);
                Mat3 B;
                B << 0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0;
                // θ⁻¹ m mᵀ + θ g gᵀ in the blocks of the ends, halved.
                const Mat3 M = clamp ? Mat3(size * magnitude(w)) : Mat3(Mat3::Zero());
                const Mat3 D = 0.5 * (0.25 / edge_balance + edge_balance) * M;
                set_lane(result.block(0, 1), lane,
                         (clamp ? 0.5 : 1.0) * slope / 6 * B +
                             0.5 * (0.25 / edge_balance - edge_balance) * M);
                const Mat3 spokes = clamp && fan ? Mat3(size * fan->diagonal[std::size_t(e.place)])
                                                 : Mat3(Mat3::Zero());
                set_lane(result.block(0, 0), lane, D + spokes);
                set_lane(result.block(1, 1), lane, D);
            }
        });
}

void ChamberPressure::evaluate(const VecX& x, Want want, Sink& out) const
{
    std::vector<double> slopes; // E′ = −p, with the sign of the triangles
    for (std::size_t i = 0; i < chambers_.size(); ++i) {
        const GasResponse r = respond(laws_[i], chamber_volume(chambers_[i], x));
        slopes.push_back(r.first * chambers_[i].sign);
        if (want.energy) out.energy += out.scale * r.energy;
        if (want.gradient) add_volume_gradient(chambers_[i], x, out.scale * r.first, *out.gradient);
        if (want.hessian && out.rank_one && r.second > 0) {
            out.rank_one->push_back({out.scale * r.second, VecX::Zero(x.size())});
            add_volume_gradient(chambers_[i], x, 1, out.rank_one->back().vector);
        }
    }
    if (want.hessian && out.hessian) add_curvature(x, slopes, want.psd, out);
}

} // namespace selvage
