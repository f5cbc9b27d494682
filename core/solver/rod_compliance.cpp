#include "core/solver/rod_compliance.h"

#include <algorithm>

namespace selvage
{
namespace
{

/// Four floats as doubles.
SELVAGE_INLINE Real4 widened(const float* p)
{
#ifdef __AVX__
    return Real4(_mm256_cvtps_pd(_mm_loadu_ps(p)));
#else
    return Real4([p](auto lane) { return double(p[lane]); });
#endif
}

} // namespace

RodCompliance::RodCompliance(std::vector<int> points)
    : points_(std::move(points)), blocks_(offset(slots(), 0) + 3)
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
    const float* b = blocks_.data() + offset(slot, 0);
    const Real4 x(force[0]), y(force[1]), z(force[2]);
    for (int j = 0; j < slot; ++j, b += 9, v += 4) // transposed: rows are columns
        store4(v, load4(v) + widened(b) * x + widened(b + 3) * y + widened(b + 6) * z);
    const double xyz[4] = {force[0], force[1], force[2], 0};
    const Real4 f = load4(xyz);
    for (int j = slot; j < slots(); ++j, v += 4) {
        Real4 r0 = widened(b) * f, r1 = widened(b + 3) * f, r2 = widened(b + 6) * f, r3(0.0);
        transpose4(r0, r1, r2, r3);
        store4(v, load4(v) + (r0 + r1 + r2));
        b += 9 * (j + 1); // one row further
    }
}

void RodCompliance::add_response(int slot, const Vec3& force, const Vec3& next_force,
                                 double* v) const
{
    const float *a = blocks_.data() + offset(slot, 0), *b = blocks_.data() + offset(slot + 1, 0);
    const Real4 x(force[0]), y(force[1]), z(force[2]);
    const Real4 p(next_force[0]), q(next_force[1]), r(next_force[2]);
    for (int j = 0; j < slot; ++j, a += 9, b += 9, v += 4) // transposed: rows are columns
        store4(v, load4(v) + widened(a) * x + widened(a + 3) * y + widened(a + 6) * z +
                      widened(b) * p + widened(b + 3) * q + widened(b + 6) * r);
    const double own[4] = {force[0], force[1], force[2], 0};
    const double other[4] = {next_force[0], next_force[1], next_force[2], 0};
    const Real4 f = load4(own), g = load4(other);
    const auto add_rows = [](double* at, Real4 r0, Real4 r1, Real4 r2) {
        Real4 r3(0.0);
        transpose4(r0, r1, r2, r3);
        store4(at, load4(at) + (r0 + r1 + r2));
    };
    add_rows(v, widened(a) * f, widened(a + 3) * f, widened(a + 6) * f);
    store4(v, load4(v) + widened(b) * p + widened(b + 3) * q + widened(b + 6) * r);
    v += 4; // from here on the two blocks lie side by side
    for (int j = slot + 1; j < slots(); ++j, v += 4) {
        add_rows(v, widened(b) * f + widened(b + 9) * g, widened(b + 3) * f + widened(b + 12) * g,
                 widened(b + 6) * f + widened(b + 15) * g);
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
