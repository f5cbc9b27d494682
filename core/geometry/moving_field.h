#pragma once

#include "core/geometry/distance_field.h"

namespace selvage
{

/// A signed distance over time, linear between samples, constant before the first and after the
/// last: φ(x, t) = (1 − λ) φ_k(x) + λ φ_{k+1}(x). While a body moves by less than its narrow band
/// between samples, that is its surface on its way; farther apart, it fades from one place to the
/// other.
class MovingField
{
public:
    struct Sample {
        double time; ///< in frames, ascending
        std::shared_ptr<const DistanceField> field;
    };
    struct Value : DistanceField::Value {
        double rate = 0;                   ///< ∂φ/∂t [m per frame], of what follows t
        Vec3 rate_gradient = Vec3::Zero(); ///< ∂∇φ/∂t
    };

    explicit MovingField(std::vector<Sample> samples);

    double value(const Vec3& x, double time) const;
    /// Value and rate, and no more.
    Value slope(const Vec3& x, double time) const;
    Value at(const Vec3& x, double time) const;
    /// The next sample after a time, where the rate changes; infinity where there is none.
    double next_change(double time) const;
    /// The smallest value at x in a span of time.
    double lowest(const Vec3& x, double first, double last) const;

    /// Of |φ(x, t) − φ(y, t)| over |x − y|, at any time.
    double lipschitz() const { return lipschitz_; }
    /// [1/frame] Likewise of the rate, until the next change.
    double rate_lipschitz(double time) const;
    /// [1/m] As DistanceField has it, at any time.
    double curvature() const { return curvature_; }
    /// [m per frame] At most |∂φ/∂t|, anywhere and at any time.
    double fastest() const { return fastest_; }
    /// [m per frame] At most |∂φ/∂t| at the lattice points next to the surface: how fast it moves.
    double surface_speed() const { return surface_speed_; }
    /// [m] The smallest of the samples'.
    double background() const { return background_; }
    double voxel_size() const { return voxel_size_; }
    const std::vector<Sample>& samples() const { return samples_; }

private:
    /// The sample before a time, and how far it is on the way to the next.
    std::pair<std::size_t, double> place(double time) const;

    std::vector<Sample> samples_;
    double lipschitz_ = 1, curvature_ = 0, fastest_ = 0, surface_speed_ = 0, background_ = infinity,
           voxel_size_ = infinity;
};

} // namespace selvage
