#include "core/linear/chain_solver.h"
#include "core/linear/linear_solver.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include <random>

using namespace selvage;

namespace
{

/// Rods of several lengths whose points couple with the next two, as stiffly as rods do, and a few
/// vertices beside them; contacts between all.
struct Rods {
    std::vector<Chain> chains;
    BlockMatrix fixed, contact;
    VertexFilter filter;
    VecX b;

    Rods()
    {
        std::mt19937 random(2);
        std::normal_distribution<double> noise(0, 1);
        std::vector<std::int32_t> triples, pairs;
        int next = 0;
        for (const int n : {3, 9, 4, 12, 7}) {
            Chain chain;
            for (int i = 0; i < n; ++i) {
                for (int k = 0; k < 3; ++k) chain.push_back(3 * (next + i) + k);
                chain.push_back(-1);
                if (i >= 2) triples.insert(triples.end(), {next + i - 2, next + i - 1, next + i});
            }
            next += n;
            chains.push_back(chain);
        }
        const int on_chains = next, count = next + 6;
        for (int i = 0; i < 20; ++i) {
            const int a = int(random() % unsigned(on_chains)), c = int(random() % unsigned(count));
            if (a != c) pairs.insert(pairs.end(), {a, c});
        }
        fixed = BlockMatrix(std::make_shared<BlockPattern>(
            count, std::vector<BlockPattern::Tuples>{{triples.data(), triples.size() / 3, 3}}));
        contact = BlockMatrix(std::make_shared<BlockPattern>(
            count, std::vector<BlockPattern::Tuples>{{pairs.data(), pairs.size() / 2, 2}}));
        const auto add = [&](BlockMatrix& A, const std::vector<std::int32_t>& v, int arity,
                             double stiffness) {
            for (std::size_t e = 0; e < v.size(); e += std::size_t(arity)) {
                VecX u(3 * arity);
                for (double& c : u) c = noise(random);
                for (int i = 0; i < arity; ++i)
                    for (int j = i; j < arity; ++j) {
                        const int r = v[e + std::size_t(i)], c = v[e + std::size_t(j)];
                        const Mat3 B =
                            stiffness * u.segment<3>(3 * i) * u.segment<3>(3 * j).transpose();
                        auto block = A.block(A.pattern->find(std::min(r, c), std::max(r, c)));
                        block += r <= c ? B : Mat3(B.transpose());
                    }
            }
        };
        add(fixed, triples, 3, 1e6);
        add(contact, pairs, 2, 1e2);
        fixed.add_diagonal(VecX::Ones(count));
        filter = VertexFilter(count);
        for (const int v : {0, 1, 3, 4}) filter.fix(v);
        b = VecX::NullaryExpr(3 * count, [&] { return noise(random); });
    }

    VecX exact(bool with_contact) const
    {
        MatX A = fixed.dense();
        if (with_contact) A += contact.dense();
        VecX rhs = b;
        filter.apply(rhs);
        for (int v = 0; v < filter.size(); ++v)
            if (filter.kind(v) == VertexFilter::Kind::fixed) {
                A.middleRows<3>(3 * v).setZero(), A.middleCols<3>(3 * v).setZero();
                A.block<3, 3>(3 * v, 3 * v).setIdentity();
            }
        return A.ldlt().solve(rhs);
    }

    LinearReport solve(const char* name, bool with_contact, bool with_chains, VecX& x) const
    {
        LinearSystem system{&fixed, with_contact ? &contact : nullptr, &filter, nullptr,
                            with_chains ? &chains : nullptr};
        const auto solver = make_linear_solver(name);
        LinearReport report = solver->prepare(system);
        EXPECT_TRUE(report.ok()) << report.message;
        return solver->solve(b, nullptr, x, {1e-10, 3000});
    }
};

} // namespace

/// What lies on chains is solved at once; what couples them takes a few rounds, however stiff the
/// chains are.
TEST(ChainSolver, PreconditionsRodsExactly)
{
    const Rods rods;
    for (const char* name : {"pcg", "multigrid"}) {
        VecX x;
        LinearReport r = rods.solve(name, false, true, x);
        EXPECT_TRUE(r.ok()) << r.message;
        EXPECT_LE(r.iterations, 2) << name;
        EXPECT_LT((x - rods.exact(false)).norm(), 1e-7 * x.norm()) << name;
        r = rods.solve(name, true, true, x);
        EXPECT_TRUE(r.ok()) << r.message;
        VecX plain;
        EXPECT_LT(3 * r.iterations, rods.solve("pcg", true, false, plain).iterations) << name;
        EXPECT_LT((x - rods.exact(true)).norm(), 1e-6 * x.norm()) << name;
    }
    VecX x;
    EXPECT_GT(rods.solve("pcg", false, false, x).iterations, 60);
}
