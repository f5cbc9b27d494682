#include "core/example/braids.h"

#include <algorithm>
#include <cmath>

namespace selvage
{

Geometry braided_rods(int per_cluster, int segments, double time)
{
    constexpr double length = 0.15, spacing = 3e-4, turn_rate = 1.5 * M_PI;
    const int rows = int(std::lround(std::sqrt(double(per_cluster))));
    const int columns = (per_cluster + rows - 1) / rows, points = segments + 1;
    Geometry g;
    g.set_point_count(std::size_t(2 * per_cluster * points));
    VecX x(6 * Eigen::Index(per_cluster) * points);
    int next = 0;
    for (int cluster = 0; cluster < 2; ++cluster)
        for (int r = 0; r < per_cluster; ++r) {
            const double side = spacing * (0.5 + r % columns) * (cluster ? 1 : -1);
            const double front = spacing * (r / columns - 0.5 * (rows - 1));
            std::vector<int> curve;
            for (int i = 0; i < points; ++i) {
                // Both points of a held segment turn alike.
                const int from_end = std::min(std::max(i, 1), points - 2);
                const double part = 1 - 2.0 * (from_end - 1) / (points - 3);
                const double a = turn_rate * time * part, c = std::cos(a), s = std::sin(a);
                x.segment<3>(3 * next) << c * side + s * front, -length * i / segments,
                    -s * side + c * front;
                curve.push_back(next++);
            }
            g.add_polygon(curve, /*closed*/ false);
        }
    g.set_vectors("P", x, "point", Storage::real64);
    g.set_scalars("stiffness_scale", VecX::Constant(x.size() / 3, 0.01));
    return g;
}

} // namespace selvage
