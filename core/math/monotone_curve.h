#pragma once

#include "core/base/types.h"

#include <vector>

namespace selvage
{

/// A C¹ piecewise cubic y(x) through given points that does not overshoot: it rises and falls
/// only where the data do [Fritsch & Carlson 1980; slopes by the harmonic mean of Brodlie]. Beyond
/// the ends it goes on straight. Its integral is exact.
class MonotoneCurve
{
public:
    /// The straight line y = slope · x.
    explicit MonotoneCurve(double slope = 0);
    /// At least two points, x strictly increasing (else InputError).
    explicit MonotoneCurve(const std::vector<Vec2>& points);

    struct Value {
        double integral = 0; ///< from the first point
        double y = 0, slope = 0;
    };
    Value operator()(double x) const;

private:
    struct Knot {
        double x = 0, y = 0, slope = 0, integral = 0;
    };
    std::vector<Knot> knots_;
};

} // namespace selvage
