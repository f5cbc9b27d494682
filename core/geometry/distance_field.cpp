#include "core/geometry/distance_field.h"

#include "core/base/error.h"
#include "core/base/parallel.h"

#include <Eigen/LU>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace selvage
{
namespace
{

constexpr int side = DistanceSamples::side;

/// Beyond this many metres per metre, values are no distances.
constexpr double steepest = 6;

int within(int i) { return i & (side - 1); }
int block_of(int i) { return i >> 3; }

/// Position of a block in the list, or -1 beyond it.
std::ptrdiff_t block_position(const DistanceSamples& s, const Vec3i& block)
{
    const Vec3i b = block - s.first_block;
    for (int k = 0; k < 3; ++k)
        if (b[k] < 0 || b[k] >= s.block_count[k]) return -1;
    return (std::ptrdiff_t(b[0]) * s.block_count[1] + b[1]) * s.block_count[2] + b[2];
}

/// The value at a lattice point, out of the samples' or others in their place.
float lookup(const DistanceSamples& s, const std::vector<float>& values, const Vec3i& i)
{
    const std::ptrdiff_t at = block_position(s, {block_of(i[0]), block_of(i[1]), block_of(i[2])});
    const std::int32_t block = at < 0 ? DistanceSamples::outside : s.block[std::size_t(at)];
    if (block == DistanceSamples::outside) return float(s.background);
    if (block == DistanceSamples::inside) return -float(s.background);
    return values[std::size_t(block) * DistanceSamples::size +
                  std::size_t((within(i[0]) * side + within(i[1])) * side + within(i[2]))];
}

/// Calls visit(lattice point, index of its value) for all points of the blocks of a layer.
template <class Visit> void visit_layer(const DistanceSamples& s, std::size_t layer, Visit&& visit)
{
    for (int y = 0; y < s.block_count[1]; ++y)
        for (int z = 0; z < s.block_count[2]; ++z) {
            const Vec3i position = Vec3i(int(layer), y, z) + s.first_block;
            const std::int32_t block = s.block[std::size_t(block_position(s, position))];
            if (block < 0) continue;
            for (int k = 0; k < DistanceSamples::size; ++k) {
                const Vec3i in = {k / (side * side), k / side % side, k % side};
                visit(Vec3i(side * position + in),
                      std::size_t(block) * DistanceSamples::size + std::size_t(k));
            }
        }
}

} // namespace

/// The 27 coefficients around a place, and the weights of value, slope and curvature per axis.
struct DistanceField::Stencil {
    double c[3][3][3];
    double w[3][3], d[3][3];
};

DistanceField::DistanceField(DistanceSamples samples) : samples_(std::move(samples))
{
    voxel_size_ = samples_.axes.col(0).norm();
    const Mat3 gram = samples_.axes.transpose() * samples_.axes;
    const double h2 = voxel_size_ * voxel_size_;
    if (!(h2 > 0) || !((gram - h2 * Mat3::Identity()).cwiseAbs().maxCoeff() <= 1e-4 * h2))
        throw InputError("its voxels are not cubes. Resample it with a uniform voxel size.");
    if (!(samples_.background > 0))
        throw InputError("its background value is not positive: it is no signed distance.");
    to_lattice_ = samples_.axes.inverse();
    samples_.background = float(samples_.background); // as beside all other values
    for (const float v : samples_.values)
        if (!std::isfinite(v)) throw InputError("it has values that are not finite.");
    coefficients_.resize(samples_.values.size());
    parallel_for(std::size_t(samples_.block_count[0]), 1, [&](std::size_t layer) {
        visit_layer(samples_, layer, [&](const Vec3i& i, std::size_t at) {
            const float v = samples_.values[at];
            double bend = 0;
            for (int k = 0; k < 3; ++k)
                bend += double(lookup(samples_, samples_.values, i + Vec3i::Unit(k))) - 2.0 * v +
                        double(lookup(samples_, samples_.values, i - Vec3i::Unit(k)));
            coefficients_[at] = float(v - bend / 8);
        });
    });
    measure();
    if (!(lipschitz_ < steepest))
        throw InputError(fmt::format("its values change by {:.3g} m per metre, which no distance "
                                     "does. Rebuild it as a level set.",
                                     lipschitz_));
}

float DistanceField::coefficient(const Vec3i& i) const
{
    return lookup(samples_, coefficients_, i);
}

/// The parts of gradients and second derivatives are means of differences within the stencil, so
/// that the largest of each bound them. Stencils are around all points of blocks and next to them.
void DistanceField::measure()
{
    struct Steepest {
        double slope = 0, bend = 0;
    };
    std::vector<Steepest> layers(std::size_t(std::max(samples_.block_count[0], 0)));
    const auto measure_stencil = [&](const Vec3i& i, Steepest& most) {
        float c[3][3][3], highest = -1;
        for (int x = 0; x < 3; ++x)
            for (int y = 0; y < 3; ++y)
                for (int z = 0; z < 3; ++z) {
                    c[x][y][z] = coefficient(i + Vec3i(x - 1, y - 1, z - 1));
                    highest = std::max(highest, c[x][y][z]);
                }
        // Differences along axis a, at j along it and (k, l) along the others.
        const auto along = [&](int a, int j, int k, int l) {
            return a == 0   ? c[j + 1][k][l] - c[j][k][l]
                   : a == 1 ? c[l][j + 1][k] - c[l][j][k]
                            : c[k][l][j + 1] - c[k][l][j];
        };
        double slope = 0, bend = 0;
        for (int a = 0; a < 3; ++a) {
            float first = 0, second = 0, mixed = 0;
            for (int k = 0; k < 3; ++k)
                for (int l = 0; l < 3; ++l) {
                    const float d[2] = {along(a, 0, k, l), along(a, 1, k, l)};
                    first = std::max({first, std::abs(d[0]), std::abs(d[1])});
                    second = std::max(second, std::abs(d[1] - d[0]));
                    if (k == 2) continue;
                    for (int j = 0; j < 2; ++j)
                        mixed = std::max(mixed, std::abs(along(a, j, k + 1, l) - d[j]));
                }
            slope += double(first) * first;
            bend += double(second) * second + 2 * double(mixed) * mixed;
        }
        most.slope = std::max(most.slope, slope);
        if (highest > 0) most.bend = std::max(most.bend, bend);
    };
    parallel_for(layers.size(), 1, [&](std::size_t layer) {
        for (int y = 0; y < samples_.block_count[1]; ++y)
            for (int z = 0; z < samples_.block_count[2]; ++z) {
                const Vec3i position = Vec3i(int(layer), y, z) + samples_.first_block;
                if (samples_.block[std::size_t(block_position(samples_, position))] < 0) continue;
                for (int a = -1; a <= side; ++a)
                    for (int b = -1; b <= side; ++b)
                        for (int d = -1; d <= side; ++d)
                            measure_stencil(side * position + Vec3i(a, b, d), layers[layer]);
            }
    });
    Steepest most;
    for (const Steepest& l : layers) {
        most.slope = std::max(most.slope, l.slope);
        most.bend = std::max(most.bend, l.bend);
    }
    lipschitz_ = std::max(1.0, (1 + 1e-6) * std::sqrt(most.slope) / voxel_size_);
    curvature_ = (1 + 1e-6) * std::sqrt(most.bend) / (voxel_size_ * voxel_size_);
}

/// False where all coefficients are outside.
bool DistanceField::gather(const Vec3& u, Stencil& s) const
{
    Vec3i centre;
    for (int k = 0; k < 3; ++k) {
        // Far away, integers would overflow; the comparison also catches NaN.
        const double first = side * samples_.first_block[k] - 2.0;
        if (!(u[k] > first && u[k] < first + side * samples_.block_count[k] + 3.0)) return false;
        centre[k] = int(std::floor(u[k] + 0.5));
        const double t = u[k] - centre[k];
        s.w[k][0] = 0.5 * (0.5 - t) * (0.5 - t);
        s.w[k][1] = 0.75 - t * t;
        s.w[k][2] = 0.5 * (0.5 + t) * (0.5 + t);
        s.d[k][0] = t - 0.5;
        s.d[k][1] = -2 * t;
        s.d[k][2] = t + 0.5;
    }
    for (int x = 0; x < 3; ++x)
        for (int y = 0; y < 3; ++y)
            for (int z = 0; z < 3; ++z)
                s.c[x][y][z] = coefficient(centre + Vec3i(x - 1, y - 1, z - 1));
    return true;
}

double DistanceField::value(const Vec3& x) const
{
    Stencil s;
    if (!gather(to_lattice_ * (x - samples_.origin), s)) return samples_.background;
    double sum = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 3; ++k) sum += s.w[0][i] * s.w[1][j] * s.w[2][k] * s.c[i][j][k];
    return sum;
}

DistanceField::Value DistanceField::at(const Vec3& x) const
{
    Stencil s;
    Value out;
    out.value = samples_.background;
    if (!gather(to_lattice_ * (x - samples_.origin), s)) return out;
    constexpr double e[3] = {1, -2, 1}; // second derivatives of the weights
    out.value = 0;
    Vec3 g = Vec3::Zero();
    Mat3 H = Mat3::Zero();
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 3; ++k) {
                const double c = s.c[i][j][k];
                const double wx = s.w[0][i], wy = s.w[1][j], wz = s.w[2][k];
                const double dx = s.d[0][i], dy = s.d[1][j], dz = s.d[2][k];
                out.value += wx * wy * wz * c;
                g += c * Vec3(dx * wy * wz, wx * dy * wz, wx * wy * dz);
                H(0, 0) += e[i] * wy * wz * c;
                H(1, 1) += wx * e[j] * wz * c;
                H(2, 2) += wx * wy * e[k] * c;
                H(0, 1) += dx * dy * wz * c;
                H(0, 2) += dx * wy * dz * c;
                H(1, 2) += wx * dy * dz * c;
            }
    H(1, 0) = H(0, 1), H(2, 0) = H(0, 2), H(2, 1) = H(1, 2);
    out.gradient = to_lattice_.transpose() * g;
    out.hessian = to_lattice_.transpose() * H * to_lattice_;
    return out;
}

void DistanceField::for_each_point(const std::function<void(const Vec3&, double)>& visit) const
{
    for (std::size_t layer = 0; layer < std::size_t(samples_.block_count[0]); ++layer)
        visit_layer(samples_, layer, [&](const Vec3i& i, std::size_t at) {
            visit(samples_.axes * i.cast<double>() + samples_.origin, samples_.values[at]);
        });
}

std::array<Vec3, 2> DistanceField::box() const
{
    const Vec3 first = side * samples_.first_block.cast<double>();
    const Vec3 size = side * samples_.block_count.cast<double>();
    std::array<Vec3, 2> out = {Vec3::Constant(infinity), Vec3::Constant(-infinity)};
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3 u = first + size.cwiseProduct(Vec3(corner & 1, corner >> 1 & 1, corner >> 2));
        const Vec3 x = samples_.axes * u + samples_.origin;
        out[0] = out[0].cwiseMin(x), out[1] = out[1].cwiseMax(x);
    }
    return out;
}

std::size_t DistanceField::bytes() const
{
    return sizeof(float) * (samples_.values.capacity() + coefficients_.capacity()) +
           sizeof(std::int32_t) * samples_.block.capacity();
}

DistanceSamples sample_distance(const std::function<double(const Vec3&)>& distance,
                                const Vec3& lower, const Vec3& upper, double voxel_size,
                                double background)
{
    DistanceSamples s;
    s.axes = voxel_size * Mat3::Identity();
    s.background = background;
    for (int k = 0; k < 3; ++k) {
        s.first_block[k] = block_of(int(std::floor((lower[k] - background) / voxel_size)));
        s.block_count[k] =
            block_of(int(std::ceil((upper[k] + background) / voxel_size))) + 1 - s.first_block[k];
    }
    s.block.assign(std::size_t(s.block_count.prod()), DistanceSamples::outside);
    std::array<float, DistanceSamples::size> values;
    for (std::size_t b = 0; b < s.block.size(); ++b) {
        const Vec3i position = s.first_block + Vec3i(int(b) / (s.block_count[1] * s.block_count[2]),
                                                     int(b) / s.block_count[2] % s.block_count[1],
                                                     int(b) % s.block_count[2]);
        bool band = false;
        for (int k = 0; k < DistanceSamples::size; ++k) {
            const Vec3i i = side * position + Vec3i(k / (side * side), k / side % side, k % side);
            const double d = distance(voxel_size * i.cast<double>());
            band = band || std::abs(d) < background;
            values[std::size_t(k)] = float(std::clamp(d, -background, background));
        }
        if (!band) {
            s.block[b] = values[0] < 0 ? DistanceSamples::inside : DistanceSamples::outside;
            continue;
        }
        s.block[b] = std::int32_t(s.values.size() / DistanceSamples::size);
        s.values.insert(s.values.end(), values.begin(), values.end());
    }
    return s;
}

DistanceSamples scaled(DistanceSamples samples, double factor)
{
    samples.axes *= factor;
    samples.origin *= factor;
    samples.background *= factor;
    for (float& v : samples.values) v = float(factor * v);
    return samples;
}

} // namespace selvage
