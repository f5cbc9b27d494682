#include "tests/linear/systems.h"

#include <Eigen/Dense>

namespace selvage::test
{

MatX Problem::dense() const
{
    MatX A = fixed.dense();
    if (contact.pattern) A += contact.dense();
    return A;
}

MatX Problem::S() const
{
    MatX result = MatX::Identity(3 * rows(), 3 * rows());
    for (int i = 0; i < filter.size(); ++i) result.block<3, 3>(3 * i, 3 * i) = filter.projector(i);
    return result;
}

MatX Problem::filtered() const
{
    const MatX A = dense(), P = S();
    const MatX I = MatX::Identity(A.rows(), A.cols());
    return P * A * P + A.diagonal().mean() * (I - P);
}

VecX Problem::eliminated() const
{
    // Q: orthonormal basis of the range of S.
    const MatX A = dense(), P = S();
    const Eigen::SelfAdjointEigenSolver<MatX> eigen(P);
    const auto free = int((eigen.eigenvalues().array() > 0.5).count());
    const MatX Q = eigen.eigenvectors().rightCols(free);
    if (free == 0) return z;
    const MatX reduced = Q.transpose() * A * Q;
    return Q * reduced.ldlt().solve(Q.transpose() * (b - A * z)) + z;
}

VecX random_vector(int size, unsigned seed)
{
    std::mt19937 rng(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    VecX v(size);
    for (double& x : v) x = uniform(rng);
    return v;
}

Vec3 random_unit(std::mt19937& rng)
{
    std::normal_distribution<double> normal;
    Vec3 v;
    for (double& x : v) x = normal(rng);
    return v.normalized();
}

BlockMatrix pair_matrix(int vertices, const std::vector<std::int32_t>& pairs)
{
    return BlockMatrix(std::make_shared<BlockPattern>(
        vertices, std::vector<BlockPattern::Tuples>{
                      BlockPattern::Tuples{pairs.data(), pairs.size() / 2, 2}}));
}

void add_spring(BlockMatrix& A, int i, int j, const Mat3& K)
{
    A.block(A.pattern->find(i, i)) += K;
    A.block(A.pattern->find(j, j)) += K;
    A.block(A.pattern->find(std::min(i, j), std::max(i, j))) -= K;
}

Problem cloth_grid(int n, double stiffness)
{
    std::vector<std::int32_t> pairs;
    const auto each_spring = [&](auto&& visit) {
        const int steps[][3] = {{1, 0, 0}, {0, 1, 0}, {1, 1, 1}, {1, -1, 1}, {2, 0, 2}, {0, 2, 2}};
        for (int row = 0; row < n; ++row)
            for (int column = 0; column < n; ++column)
                for (const auto& s : steps) {
                    const int r = row + s[0], c = column + s[1];
                    if (r < 0 || c < 0 || r >= n || c >= n) continue;
                    visit(n * row + column, n * r + c, Vec3(s[0], s[1], 0).normalized(), s[2]);
                }
    };
    each_spring([&](int i, int j, const Vec3&, int) { pairs.insert(pairs.end(), {i, j}); });

    Problem problem;
    problem.fixed = pair_matrix(n * n, pairs);
    problem.fixed.add_diagonal(VecX::Ones(n * n));
    const double share[] = {1, 0.3, 0.01}; // stretch, shear, bending
    each_spring([&](int i, int j, const Vec3& d, int kind) {
        const Mat3 K =
            kind == 2 ? Mat3(Mat3::Identity()) : Mat3(d * d.transpose() + 0.02 * Mat3::Identity());
        add_spring(problem.fixed, i, j, stiffness * share[kind] * K);
    });
    problem.b = random_vector(3 * n * n, 7);
    problem.z = VecX::Zero(3 * n * n);
    return problem;
}

BlockMatrix random_contacts(int vertices, int count, unsigned seed)
{
    std::mt19937 rng(seed);
    std::uniform_int_distribution<int> vertex(0, vertices - 1);
    std::vector<std::int32_t> pairs;
    while (int(pairs.size()) < 2 * count) {
        const int i = vertex(rng), j = vertex(rng);
        if (i != j) pairs.insert(pairs.end(), {i, j});
    }
    BlockMatrix A = pair_matrix(vertices, pairs);
    for (std::size_t k = 0; k < pairs.size(); k += 2) {
        const Vec3 n = random_unit(rng);
        add_spring(A, pairs[k], pairs[k + 1], 50 * n * n.transpose());
    }
    return A;
}

Problem random_problem(int vertices, unsigned seed)
{
    std::mt19937 rng(seed);
    std::normal_distribution<double> normal;
    std::vector<std::int32_t> pairs;
    for (int i = 0; i < vertices; ++i)
        for (int j = i + 1; j < vertices; ++j)
            if (rng() % 2) pairs.insert(pairs.end(), {i, j});
    Problem problem;
    problem.fixed = pair_matrix(vertices, pairs);
    // A sum of [G −G]ᵀ-like terms with unlike blocks: positive semidefinite, blocks not symmetric.
    for (std::size_t k = 0; k < pairs.size(); k += 2) {
        Eigen::Matrix<double, 3, 6> G;
        for (int i = 0; i < 18; ++i) G.data()[i] = normal(rng);
        const Mat6 K = G.transpose() * G;
        BlockMatrix& A = problem.fixed;
        A.block(A.pattern->find(pairs[k], pairs[k])) += K.topLeftCorner<3, 3>();
        A.block(A.pattern->find(pairs[k + 1], pairs[k + 1])) += K.bottomRightCorner<3, 3>();
        A.block(A.pattern->find(pairs[k], pairs[k + 1])) += K.topRightCorner<3, 3>();
    }
    problem.fixed.add_diagonal(VecX::Constant(vertices, 0.5));
    problem.b = random_vector(3 * vertices, seed + 1);
    problem.z = VecX::Zero(3 * vertices);
    return problem;
}

void add_mixed_filters(Problem& problem, unsigned seed)
{
    std::mt19937 rng(seed);
    const int n = problem.rows();
    problem.filter = VertexFilter(n);
    for (int i = 0; i < n; ++i) {
        const Vec3 p = random_unit(rng);
        switch (rng() % 6) {
        case 0: problem.filter.fix(i); break;
        case 1: problem.filter.block_direction(i, p); break;
        case 2:
            problem.filter.block_directions(i, p, p.cross(random_unit(rng)).normalized());
            break;
        default: break;
        }
    }
    VecX along = random_vector(3 * n, seed + 2);
    problem.z = along;
    problem.filter.apply(along);
    problem.z -= along;
}

} // namespace selvage::test
