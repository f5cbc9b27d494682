#pragma once

#include "core/base/types.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace selvage
{

/// Signed distances at the points of a sparse lattice, as volumes hold them: negative inside.
/// Blocks of 8³ points cover the narrow band; elsewhere the value is the background, of either
/// sign.
struct DistanceSamples {
    static constexpr int side = 8;
    static constexpr int size = side * side * side;
    static constexpr std::int32_t outside = -1, inside = -2;

    Mat3 axes = Mat3::Identity(); ///< [m] x = axes · i + origin: a rotation times the voxel size
    Vec3 origin = Vec3::Zero();   ///< [m] of lattice point (0, 0, 0)
    double background = 0;        ///< [m] > 0
    Vec3i first_block = Vec3i::Zero(), block_count = Vec3i::Zero();
    std::vector<std::int32_t> block; ///< x slowest: number of a block of values, outside or inside
    std::vector<float> values;       ///< [m] `size` per block, x slowest
};

/// A signed distance as a smooth function of space:
///   φ(x) = Σ_i c_i B(u − i),   u = axes⁻¹ (x − origin),   c = v − ⅛ Σ_axes δ²v
/// with B the quadratic B-spline of each axis and δ² second differences of the samples v, which
/// makes up for the smoothing: quadratic functions are reproduced. φ has continuous gradients, and
/// these are means of the coefficients' differences, so that a Lipschitz constant can be read off
/// them. Beyond the narrow band φ is constant.
class DistanceField
{
public:
    struct Value {
        double value = 0;             ///< [m]
        Vec3 gradient = Vec3::Zero(); ///< about a unit vector, outwards
        Mat3 hessian = Mat3::Zero();  ///< [1/m]
    };

    /// Throws InputError where values are not finite, the axes are not a rotation times one length,
    /// or values differ so much from neighbour to neighbour that they are no distances.
    explicit DistanceField(DistanceSamples samples);

    double value(const Vec3& x) const;
    Value at(const Vec3& x) const;

    /// |φ(x) − φ(y)| <= lipschitz() |x − y|, for any x and y.
    double lipschitz() const { return lipschitz_; }
    /// [1/m] Bound of all second derivatives in directions, in cells that are not wholly inside:
    /// φ(x + r) >= φ(x) + ∇φ·r − ½ curvature() |r|² on ways that stay outside.
    double curvature() const { return curvature_; }
    double background() const { return samples_.background; }
    double voxel_size() const { return voxel_size_; }
    /// The samples that were given.
    const DistanceSamples& samples() const { return samples_; }
    /// Calls visit(x, sample) for the lattice points of the narrow band.
    void for_each_point(const std::function<void(const Vec3&, double)>& visit) const;
    /// Corners of the box that holds the narrow band [m].
    std::array<Vec3, 2> box() const;
    std::size_t bytes() const;

private:
    struct Stencil;
    float coefficient(const Vec3i& i) const;
    bool gather(const Vec3& u, Stencil& s) const;
    void measure();

    DistanceSamples samples_;
    std::vector<float> coefficients_; // in the place of the samples' values
    Mat3 to_lattice_;
    double voxel_size_ = 0, lipschitz_ = 0, curvature_ = 0;
};

/// Samples of a function over a box [m], where it is nearer to zero than `background` [m].
DistanceSamples sample_distance(const std::function<double(const Vec3&)>& distance,
                                const Vec3& lower, const Vec3& upper, double voxel_size,
                                double background);

/// The same in other units: lengths times `factor`.
DistanceSamples scaled(DistanceSamples samples, double factor);

/// A grid of a volume file, or a volume primitive of a host.
struct Volume {
    enum class Kind { signed_distance, fog, other };
    std::string name;
    Kind kind = Kind::other;
    std::shared_ptr<const DistanceField> field; ///< null unless it is a signed distance
};

} // namespace selvage
