#pragma once

#include <UT/UT_Vector3.h>

#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace selvage::houdini
{

/// Finds near points by cells of one search radius.
class PointGrid
{
public:
    PointGrid(const std::vector<UT_Vector3>& points, float cell) : points_(&points), cell_(cell)
    {
        for (std::size_t i = 0; i < points.size(); ++i) cells_[key(points[i])].push_back(int(i));
    }

    /// The nearest point within `radius` (at most a cell) that `allow(i)` lets pass; −1: none. The
    /// lower number wins a tie.
    template <class Allow> int nearest(const UT_Vector3& x, float radius, Allow&& allow) const
    {
        int best = -1;
        float best_distance = radius;
        for_each_near(x, [&](int i) {
            const float d = (*points_)[std::size_t(i)].distance(x);
            const bool nearer = d < best_distance || (d == best_distance && (best < 0 || i < best));
            if (!nearer || !allow(i)) return;
            best = i;
            best_distance = d;
        });
        return best;
    }

    /// All points in the cell of x and its neighbours.
    template <class Visit> void for_each_near(const UT_Vector3& x, Visit&& visit) const
    {
        for (int dx = -1; dx <= 1; ++dx)
            for (int dy = -1; dy <= 1; ++dy)
                for (int dz = -1; dz <= 1; ++dz) {
                    const auto it = cells_.find(key(
                        x + UT_Vector3(float(dx) * cell_, float(dy) * cell_, float(dz) * cell_)));
                    if (it == cells_.end()) continue;
                    for (const int i : it->second) visit(i);
                }
    }

private:
    std::int64_t key(const UT_Vector3& x) const
    {
        constexpr std::int64_t span = 1 << 20;
        std::int64_t k = 0;
        for (unsigned a = 0; a < 3; ++a)
            k = k * (2 * span) + (std::int64_t(std::floor(x[a] / cell_)) & (2 * span - 1));
        return k;
    }
    const std::vector<UT_Vector3>* points_;
    float cell_;
    std::unordered_map<std::int64_t, std::vector<int>> cells_;
};

} // namespace selvage::houdini
