#pragma once

#include "core/base/types.h"

namespace selvage
{

/// Signs of small determinants of coordinates, exact for all finite doubles (NaN and infinity are
/// the caller's to exclude).
///
/// Three stages, each taken only where the one before cannot decide:
/// 1. the determinant in doubles against a bound of its rounding error;
/// 2. the determinant as a floating-point expansion: a sum of doubles without overlapping digits,
///    built from exact sums and exact products (product and its remainder by fused multiply-add)
///    [Dekker 1971; Priest 1991; Shewchuk 1997];
/// 3. integers of any length.
///
/// Expansions are exact as long as no remainder falls below the smallest normal double and nothing
/// overflows. A coordinate in [2^-280, 2^280] has no digit below 2^-332, so the smallest digit of a
/// product of three is 2^-996: normal, thus safe also where a host flushes subnormals to zero. Any
/// other coordinate, except 0, sends the whole determinant to stage 3, which has no such limit (but
/// needs a host that does not flush subnormal inputs). Scaling all coordinates by a common power of
/// two could move that window but not widen it.
///
/// The source is compiled with -ffp-contract=off: a compiler that fuses "a·b + c" on its own would
/// make the remainders wrong.

/// Sign of the area of a, b, c in the plane: 1 if they turn counterclockwise, 0 if collinear.
int orient2d(const Vec2& a, const Vec2& b, const Vec2& c);

/// Sign of (a−d) · ((b−d) × (c−d)): 1 if a, b, c turn counterclockwise seen from the side where d
/// is not, −1 if clockwise, 0 if all four lie in a plane.
int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// Stages 2 and 3 alone, for coordinates in their range: the tests hold them against each other.
namespace predicate_stage
{
bool fits_expansion(double coordinate);
int orient2d_expansion(const Vec2& a, const Vec2& b, const Vec2& c);
int orient2d_integer(const Vec2& a, const Vec2& b, const Vec2& c);
int orient3d_expansion(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);
int orient3d_integer(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);
} // namespace predicate_stage

} // namespace selvage
