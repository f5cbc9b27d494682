#pragma once

#include "core/base/types.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace selvage::test
{

struct Mesh {
    std::vector<Vec3> points;
    std::vector<std::int32_t> triangles; ///< three per triangle, counter-clockwise

    int vertex_count() const { return int(points.size()); }
    VecX stacked() const
    {
        VecX x(3 * std::ptrdiff_t(points.size()));
        for (std::size_t i = 0; i < points.size(); ++i)
            x.segment<3>(3 * std::ptrdiff_t(i)) = points[i];
        return x;
    }
};

/// A flat rectangle in the plane y = 0, normals up, (nx + 1)(nz + 1) points, row by row along x;
/// every cell is cut along the same diagonal, or along alternating ones.
inline Mesh grid_cloth(int nx, int nz, double width, double depth, bool alternating = true)
{
    Mesh m;
    for (int j = 0; j <= nz; ++j)
        for (int i = 0; i <= nx; ++i) m.points.push_back({width * i / nx, 0, depth * j / nz});
    for (int j = 0; j < nz; ++j)
        for (int i = 0; i < nx; ++i) {
            const std::int32_t a = j * (nx + 1) + i, b = a + 1, c = a + nx + 1, d = c + 1;
            if (alternating && (i + j) % 2)
                m.triangles.insert(m.triangles.end(), {a, c, b, b, c, d});
            else
                m.triangles.insert(m.triangles.end(), {a, c, d, a, d, b});
        }
    return m;
}

/// Four vertices per interior edge: opposite, edge, edge, opposite, with the triangles (0, 1, 2)
/// and (3, 2, 1) counter-clockwise.
inline std::vector<std::int32_t> hinges_of(const Mesh& mesh)
{
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> opposite;
    for (std::size_t t = 0; t < mesh.triangles.size(); t += 3)
        for (std::size_t i = 0; i < 3; ++i)
            opposite[{mesh.triangles[t + (i + 1) % 3], mesh.triangles[t + (i + 2) % 3]}] =
                mesh.triangles[t + i];
    std::vector<std::int32_t> hinges;
    for (const auto& [edge, a] : opposite) {
        const auto twin = opposite.find({edge.second, edge.first});
        if (edge.first < edge.second && twin != opposite.end())
            hinges.insert(hinges.end(), {a, edge.first, edge.second, twin->second});
    }
    return hinges;
}

/// The given entries of a stacked vector, element by element.
template <int N>
Eigen::Matrix<double, 3 * N, 1>
element_positions(const VecX& x, const std::vector<std::int32_t>& elements, std::size_t e)
{
    Eigen::Matrix<double, 3 * N, 1> p;
    for (int i = 0; i < N; ++i)
        p.template segment<3>(3 * i) =
            x.segment<3>(3 * std::ptrdiff_t(elements[e * N + std::size_t(i)]));
    return p;
}

/// Uniform in [−1, 1], from a fixed seed.
class Random
{
public:
    explicit Random(unsigned seed) : engine_(seed) {}
    double operator()() { return std::uniform_real_distribution<double>(-1, 1)(engine_); }
    VecX vector(Eigen::Index n)
    {
        VecX v(n);
        for (double& a : v) a = (*this)();
        return v;
    }
    Mat3 rotation()
    {
        const VecX q = vector(4);
        return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
    }

private:
    std::mt19937 engine_;
};

/// R applied to every 3-vector of x, plus a translation.
template <class Vector> Vector moved(const Vector& x, const Mat3& R, const Vec3& t)
{
    Vector y = x;
    for (Eigen::Index i = 0; i < x.size(); i += 3)
        y.template segment<3>(i) = R * x.template segment<3>(i) + t;
    return y;
}

/// Σ f_i and Σ x_i × f_i.
template <class Vector> Vec6 force_and_torque(const Vector& x, const Vector& f)
{
    Vec6 sum = Vec6::Zero();
    for (Eigen::Index i = 0; i < x.size(); i += 3) {
        const Vec3 p = x.template segment<3>(i), g = f.template segment<3>(i);
        sum.head<3>() += g;
        sum.tail<3>() += p.cross(g);
    }
    return sum;
}

} // namespace selvage::test
