#include "core/solver/rod_compliance.h"

#include <algorithm>

namespace selvage
{

RodCompliance::RodCompliance(std::vector<int> points)
    : points_(std::move(points)), blocks_(offset(slots(), 0))
{
}

int RodCompliance::slot(int point) const
{
    const auto at = std::lower_bound(points_.begin(), points_.end(), point);
    return at != points_.end() && *at == point ? int(at - points_.begin()) : -1;
}

Mat3 RodCompliance::block(int row, int column) const
{
    const float* b = blocks_.data() + offset(std::max(row, column), std::min(row, column));
    Mat3 B;
    B << b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8];
    if (row < column) B.transposeInPlace();
    return B;
}

void RodCompliance::add_response(int slot, const Vec3& force, double* v) const
{
    const double x = force[0], y = force[1], z = force[2];
    const float* b = blocks_.data() + offset(slot, 0);
    for (int j = 0; j < slot; ++j, b += 9, v += 3) { // transposed
        v[0] += b[0] * x + b[3] * y + b[6] * z;
        v[1] += b[1] * x + b[4] * y + b[7] * z;
        v[2] += b[2] * x + b[5] * y + b[8] * z;
    }
    for (int j = slot; j < slots(); ++j, v += 3) {
        v[0] += b[0] * x + b[1] * y + b[2] * z;
        v[1] += b[3] * x + b[4] * y + b[5] * z;
        v[2] += b[6] * x + b[7] * y + b[8] * z;
        b += 9 * (j + 1); // one row further
    }
}

void compute_compliance(const RodMatrix& K, const std::array<RodCompliance*, 4>& lanes)
{
    std::vector<int> points;
    for (const RodCompliance* c : lanes)
        if (c) points.insert(points.end(), c->points().begin(), c->points().end());
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());

    RodVector column(std::size_t(K.size() + rod_band));
    for (const int source : points)
        for (int k = 0; k < 3; ++k) {
            const int unknown = 4 * source + k;
            std::fill(column.begin() + 4 * source, column.end(), Real4(0.0));
            column[std::size_t(unknown)] = Real4(1.0);
            solve_from(K, 4 * source, column.data());
            for (std::size_t lane = 0; lane < 4; ++lane) {
                if (!lanes[lane]) continue;
                const int from = lanes[lane]->slot(source);
                if (from < 0) continue;
                for (int to = from; to < lanes[lane]->slots(); ++to) {
                    float* block = lanes[lane]->entries(to, from);
                    const Real4* at = column.data() + 4 * lanes[lane]->points()[std::size_t(to)];
                    for (int i = 0; i < 3; ++i) block[3 * i + k] = float(double(at[i][lane]));
                }
            }
        }
}

} // namespace selvage
