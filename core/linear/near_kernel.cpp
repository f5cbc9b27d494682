#include "core/linear/near_kernel.h"

#include "core/base/parallel.h"

#include <cmath>

namespace selvage
{

namespace
{

constexpr std::size_t kernel_grain = 1024; // nodes or aggregates per task

/// A column whose square falls below this part of what it was before the others were taken out
/// counts as dependent on them.
constexpr double dependent = 1e-13;

/// Members of each aggregate, ascending.
struct Members {
    std::vector<std::int32_t> begin, nodes;

    explicit Members(const Aggregates& a) : begin(std::size_t(a.count) + 1, 0)
    {
        for (const std::int32_t id : a.of)
            if (id >= 0) ++begin[std::size_t(id) + 1];
        for (std::size_t i = 0; i + 1 < begin.size(); ++i) begin[i + 1] += begin[i];
        nodes.resize(std::size_t(begin.back()));
        std::vector<std::int32_t> cursor(begin.begin(), begin.end() - 1);
        for (std::size_t i = 0; i < a.of.size(); ++i)
            if (a.of[i] >= 0) nodes[std::size_t(cursor[std::size_t(a.of[i])]++)] = std::int32_t(i);
    }
};

/// R of Q R = K, upper triangular, from the products of K's columns, and R⁻¹. Their length is known
/// to half of a double's digits only, which is ample: columns are never closer to dependent than
/// the size of an aggregate is to that of the cloth. Rows of dependent columns are zero in both.
template <int K>
void triangular_factor(const Eigen::Matrix<double, K, K>& products, Eigen::Matrix<double, K, K>& R,
                       Eigen::Matrix<double, K, K>& inverse)
{
    R.setZero();
    inverse.setZero();
    for (int c = 0; c < K; ++c) {
        double square = products(c, c);
        for (int p = 0; p < c; ++p) {
            if (R(p, p) == 0) continue;
            double s = products(p, c);
            for (int k = 0; k < p; ++k) s -= R(k, p) * R(k, c);
            R(p, c) = s / R(p, p);
            square -= R(p, c) * R(p, c);
        }
        if (!(square > dependent * products(c, c))) continue;
        R(c, c) = std::sqrt(square);
        inverse(c, c) = 1 / R(c, c);
        for (int p = 0; p < c; ++p) {
            double s = 0;
            for (int k = p; k < c; ++k) s += inverse(p, k) * R(k, c);
            inverse(p, c) = -s * inverse(c, c);
        }
    }
}

} // namespace

template <int K>
void vertex_kernel(const VecX* positions, const VertexFilter* filter, int n, NearKernel& kernel)
{
    kernel.resize(std::size_t(n) * 3 * K);
    Vec3 centre = Vec3::Zero();
    if (K == 6)
        for (int i = 0; i < n; ++i) centre += positions->segment<3>(3 * i) / n;
    parallel_for(std::size_t(n), kernel_grain, [&](std::size_t i) {
        using Block = Eigen::Matrix<double, 3, K, Eigen::RowMajor>;
        Block block = Block::Zero();
        block.template leftCols<3>().setIdentity();
        if constexpr (K == 6) {
            const Vec3 r = positions->segment<3>(3 * Eigen::Index(i)) - centre;
            block.template rightCols<3>() << 0, r.z(), -r.y(), -r.z(), 0, r.x(), r.y(), -r.x(), 0;
        }
        if (filter && filter->kind(int(i)) != VertexFilter::Kind::free)
            block = (filter->projector(int(i)) * block).eval();
        Eigen::Map<Block>(kernel.data() + i * 3 * K) = block;
    });
}

template <class S, int B, int K>
void split_kernel(const NearKernel& kernel, const Aggregates& aggregates, Buffer<S>& Q,
                  NearKernel& coarse)
{
    using Block = Eigen::Matrix<double, B, K, Eigen::RowMajor>;
    Q.resize(aggregates.of.size() * B * K);
    coarse.resize(std::size_t(aggregates.count) * K * K);
    const Members members(aggregates);
    parallel_chunks(
        std::size_t(aggregates.count), kernel_grain, [&](std::size_t begin, std::size_t end) {
            Eigen::Matrix<double, K, K> products, R, inverse;
            for (std::size_t a = begin; a < end; ++a) {
                const std::int32_t* nodes = members.nodes.data() + members.begin[a];
                const int count = members.begin[a + 1] - members.begin[a];
                const auto part = [&](int m) {
                    return Eigen::Map<const Block>(kernel.data() + std::size_t(nodes[m]) * B * K);
                };
                products.setZero();
                for (int m = 0; m < count; ++m)
                    products += part(m).transpose().lazyProduct(part(m));
                triangular_factor<K>(products, R, inverse);
                for (int m = 0; m < count; ++m)
                    Eigen::Map<Eigen::Matrix<S, B, K, Eigen::RowMajor>>(
                        Q.data() + std::size_t(nodes[m]) * B * K) =
                        part(m).lazyProduct(inverse).template cast<S>();
                Eigen::Map<Eigen::Matrix<double, K, K, Eigen::RowMajor>>(coarse.data() +
                                                                         a * K * K) = R;
            }
        });
    for (std::size_t i = 0; i < aggregates.of.size(); ++i)
        if (aggregates.of[i] < 0) std::fill_n(Q.data() + i * B * K, B * K, S(0));
}

template void vertex_kernel<3>(const VecX*, const VertexFilter*, int, NearKernel&);
template void vertex_kernel<6>(const VecX*, const VertexFilter*, int, NearKernel&);

#define SELVAGE_INSTANTIATE(S)                                                                     \
    template void split_kernel<S, 3, 3>(const NearKernel&, const Aggregates&, Buffer<S>&,          \
                                        NearKernel&);                                              \
    template void split_kernel<S, 3, 6>(const NearKernel&, const Aggregates&, Buffer<S>&,          \
                                        NearKernel&);                                              \
    template void split_kernel<S, 6, 6>(const NearKernel&, const Aggregates&, Buffer<S>&,          \
                                        NearKernel&);
SELVAGE_INSTANTIATE(float)
SELVAGE_INSTANTIATE(double)
#undef SELVAGE_INSTANTIATE

} // namespace selvage
