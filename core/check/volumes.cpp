#include "core/check/volumes.h"

#include "core/base/parallel.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace selvage
{
namespace
{

/// Places per voxel along an edge.
constexpr double places_per_voxel = 4;
constexpr int most_places = 400;

double sample(const DistanceSamples& s, int i, int j, int k)
{
    const auto block = [](int a) { return int(std::floor(a / double(DistanceSamples::side))); };
    const int at[3] = {i, j, k};
    std::size_t position = 0, inside = 0;
    for (int a = 0; a < 3; ++a) {
        const int b = block(at[a]) - s.first_block[a];
        if (b < 0 || b >= s.block_count[a]) return s.background;
        position = position * std::size_t(s.block_count[a]) + std::size_t(b);
        inside = inside * DistanceSamples::side +
                 std::size_t(at[a] - DistanceSamples::side * block(at[a]));
    }
    const std::int32_t number = s.block[position];
    if (number < 0) return number == DistanceSamples::inside ? -s.background : s.background;
    return s.values[std::size_t(number) * DistanceSamples::size + inside];
}

/// Weights of five samples around the nearest one: the spline's (of three), and what is added to
/// make up for its smoothing along this axis.
struct AxisWeights {
    int centre;
    double spline[5], correction[5];

    explicit AxisWeights(double u) : centre(int(std::lround(u)))
    {
        const double t = u - centre;
        const double b[3] = {(1 - 2 * t) * (1 - 2 * t) / 8, 0.75 - t * t,
                             (1 + 2 * t) * (1 + 2 * t) / 8};
        for (int i = 0; i < 5; ++i) spline[i] = correction[i] = 0;
        for (int i = 0; i < 3; ++i) {
            spline[i + 1] = b[i];
            correction[i] -= b[i] / 8;
            correction[i + 1] += b[i] / 4;
            correction[i + 2] -= b[i] / 8;
        }
    }
};

/// Whether the box of an element meets that of the blocks.
bool near_band(const DistanceSamples& s, const Vec3 (&x)[3], int corners)
{
    const Mat3 to_lattice = s.axes.inverse();
    Vec3 lower = Vec3::Constant(infinity), upper = -lower;
    for (int c = 0; c < corners; ++c) {
        const Vec3 u = to_lattice * (x[c] - s.origin);
        lower = lower.cwiseMin(u), upper = upper.cwiseMax(u);
    }
    for (int a = 0; a < 3; ++a) {
        const double first = DistanceSamples::side * double(s.first_block[a]);
        if (upper[a] < first - 3 ||
            lower[a] > first + DistanceSamples::side * double(s.block_count[a]) + 3)
            return false;
    }
    return true;
}

/// The deepest place of an element with corners x, `parts` along each side.
double deepest(const DistanceSamples& s, const Vec3 (&x)[3], int corners)
{
    double longest = 0;
    for (int i = 0; i < corners; ++i)
        longest = std::max(longest, (x[(i + 1) % corners] - x[i]).norm());
    const double voxel = s.axes.col(0).norm();
    const double first = volume_distance(s, x[0]);
    if (!near_band(s, x, corners)) return first;
    const int n = corners == 1 ? 1
                               : std::clamp(int(std::ceil(places_per_voxel * longest / voxel)), 1,
                                            most_places);
    double lowest = first;
    for (int i = 0; i <= (corners > 1 ? n : 0); ++i)
        for (int j = 0; j <= (corners > 2 ? n - i : 0); ++j) {
            const double a = double(i) / n, b = double(j) / n;
            Vec3 y = (1 - a - b) * x[0];
            if (corners > 1) y += a * x[1];
            if (corners > 2) y += b * x[2];
            lowest = std::min(lowest, volume_distance(s, y));
        }
    return lowest;
}

} // namespace

double volume_distance(const DistanceSamples& s, const Vec3& x)
{
    const Vec3 u = s.axes.inverse() * (x - s.origin);
    for (int a = 0; a < 3; ++a) {
        const double lower = DistanceSamples::side * double(s.first_block[a]);
        if (!(u[a] > lower - 3 &&
              u[a] < lower + DistanceSamples::side * double(s.block_count[a]) + 3))
            return s.background;
    }
    const AxisWeights w[3] = {AxisWeights(u[0]), AxisWeights(u[1]), AxisWeights(u[2])};
    double sum = 0;
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 5; ++j)
            for (int k = 0; k < 5; ++k) {
                const double bx = w[0].spline[i], by = w[1].spline[j], bz = w[2].spline[k];
                const double weight = w[0].correction[i] * by * bz + bx * w[1].correction[j] * bz +
                                      bx * by * w[2].correction[k] + bx * by * bz;
                if (weight != 0)
                    sum += weight *
                           sample(s, w[0].centre + i - 2, w[1].centre + j - 2, w[2].centre + k - 2);
            }
    return sum;
}

std::vector<PlaceInVolume> places_in_volumes(const Elements& e,
                                             const std::vector<NamedGeometry>& objects,
                                             double least, bool allow_released)
{
    std::vector<PlaceInVolume> found;
    for (std::size_t o = 0; o < objects.size(); ++o)
        for (const Volume& v : objects[o].geometry.volumes) {
            if (!v.field) continue;
            const DistanceSamples& s = v.field->samples();
            const auto judge = [&](std::size_t count, const auto& corners_of) {
                std::vector<PlaceInVolume> places(count);
                parallel_for(count, 256, [&](std::size_t i) {
                    std::int32_t p[3];
                    PlaceInVolume& place = places[i];
                    place.distance = infinity;
                    const int n = corners_of(i, p, place.element);
                    Vec3 x[3];
                    for (int c = 0; c < n; ++c) {
                        if (!e.x[std::size_t(p[c])].allFinite()) return;
                        if (allow_released && e.released[std::size_t(p[c])]) return;
                        x[c] = e.x[std::size_t(p[c])];
                    }
                    place.volume = std::int32_t(o);
                    if (place.element.object != place.volume) place.distance = deepest(s, x, n);
                });
                for (const PlaceInVolume& p : places)
                    if (p.distance < least) found.push_back(p);
            };
            judge(e.x.size(), [&](std::size_t i, std::int32_t(&p)[3], ElementId& id) {
                p[0] = std::int32_t(i);
                id = e.point_id(p[0]);
                return 1;
            });
            judge(e.edges.size(), [&](std::size_t i, std::int32_t(&p)[3], ElementId& id) {
                for (int c = 0; c < 2; ++c) p[c] = e.edges[i].points[c];
                id = e.id(e.edges[i]);
                return 2;
            });
            judge(e.triangles.size(), [&](std::size_t i, std::int32_t(&p)[3], ElementId& id) {
                for (int c = 0; c < 3; ++c) p[c] = e.triangles[i].points[c];
                id = e.id(e.triangles[i]);
                return 3;
            });
        }
    std::stable_sort(
        found.begin(), found.end(),
        [](const PlaceInVolume& a, const PlaceInVolume& b) { return a.distance < b.distance; });
    return found;
}

} // namespace selvage
