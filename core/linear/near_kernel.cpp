#include "core/linear/near_kernel.h"

#include "core/base/parallel.h"

namespace selvage
{

namespace
{

constexpr std::size_t grain = 1024; // nodes or aggregates per task

/// A column shorter than this part of what it was before the others were taken out counts as
/// dependent on them.
constexpr double dependent = 1e-7;

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

/// Gram and Schmidt, each column twice against those before: as good as Householder here, and zero
/// columns cause no trouble. Q is overwritten; R is upper triangular.
template <int K>
void orthonormalise(Eigen::Matrix<double, Eigen::Dynamic, K>& Q, Eigen::Matrix<double, K, K>& R)
{
    R.setZero();
    for (int c = 0; c < K; ++c) {
        const double before = Q.col(c).norm();
        for (int pass = 0; pass < 2; ++pass)
            for (int p = 0; p < c; ++p) {
                const double s = Q.col(p).dot(Q.col(c));
                R(p, c) += s;
                Q.col(c) -= s * Q.col(p);
            }
        const double length = Q.col(c).norm();
        if (!(length > dependent * before)) {
            Q.col(c).setZero();
            continue;
        }
        R(c, c) = length;
        Q.col(c) /= length;
    }
}

} // namespace

template <int K> NearKernel vertex_kernel(const VecX* positions, const VertexFilter* filter, int n)
{
    NearKernel kernel(std::size_t(n) * 3 * K);
    Vec3 centre = Vec3::Zero();
    if (K == 6)
        for (int i = 0; i < n; ++i) centre += positions->segment<3>(3 * i) / n;
    parallel_for(std::size_t(n), grain, [&](std::size_t i) {
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
    return kernel;
}

template <class S, int B, int K>
void split_kernel(const NearKernel& kernel, const Aggregates& aggregates, Buffer<S>& Q,
                  NearKernel& coarse)
{
    using Block = Eigen::Matrix<double, B, K, Eigen::RowMajor>;
    Q.resize(aggregates.of.size() * B * K);
    coarse.resize(std::size_t(aggregates.count) * K * K);
    const Members members(aggregates);
    parallel_chunks(std::size_t(aggregates.count), grain, [&](std::size_t begin, std::size_t end) {
        Eigen::Matrix<double, Eigen::Dynamic, K> q;
        Eigen::Matrix<double, K, K> R;
        for (std::size_t a = begin; a < end; ++a) {
            const std::int32_t* nodes = members.nodes.data() + members.begin[a];
            const int count = members.begin[a + 1] - members.begin[a];
            q.resize(B * count, K);
            for (int m = 0; m < count; ++m)
                q.template middleRows<B>(B * m) =
                    Eigen::Map<const Block>(kernel.data() + std::size_t(nodes[m]) * B * K);
            orthonormalise<K>(q, R);
            for (int m = 0; m < count; ++m) {
                S* to = Q.data() + std::size_t(nodes[m]) * B * K;
                for (int r = 0; r < B; ++r)
                    for (int c = 0; c < K; ++c) *to++ = S(q(B * m + r, c));
            }
            Eigen::Map<Eigen::Matrix<double, K, K, Eigen::RowMajor>>(coarse.data() + a * K * K) = R;
        }
    });
    for (std::size_t i = 0; i < aggregates.of.size(); ++i)
        if (aggregates.of[i] < 0) std::fill_n(Q.data() + i * B * K, B * K, S(0));
}

template NearKernel vertex_kernel<3>(const VecX*, const VertexFilter*, int);
template NearKernel vertex_kernel<6>(const VecX*, const VertexFilter*, int);

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
