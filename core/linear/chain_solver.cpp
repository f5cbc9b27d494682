#include "core/linear/chain_solver.h"

#include "core/base/parallel.h"

#include <algorithm>
#include <atomic>

namespace selvage
{
namespace
{

constexpr std::size_t chain_grain = 4; // batches per task

} // namespace

void ChainSolver::arrange(const std::vector<Chain>& chains, int rows)
{
    chains_ = &chains;
    place_.assign(3 * std::size_t(rows), {});
    covers_.assign(std::size_t(rows), 0);
    std::vector<const Chain*> all;
    for (std::size_t c = 0; c < chains.size(); ++c) {
        all.push_back(&chains[c]);
        for (std::size_t k = 0; k < chains[c].size(); ++k)
            if (const int u = chains[c][k]; u >= 0) {
                place_[std::size_t(u)] = {int(c), int(k)};
                covers_[std::size_t(u / 3)] = 1;
            }
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Chain* a, const Chain* b) { return a->size() > b->size(); });
    batches_.clear();
    for (std::size_t i = 0; i < all.size(); i += 4) {
        Batch b;
        b.size = int(all[i]->size());
        for (std::size_t lane = 0; lane < 4 && i + lane < all.size(); ++lane)
            b.chain[lane] = all[i + lane];
        b.vector.resize(std::size_t(b.size) + chain_band);
        batches_.push_back(std::move(b));
    }
}

void ChainSolver::fill(Batch& b, const FilteredMatrix& matrix, bool contact_between_points) const
{
    b.matrix.set_zero(b.size);
    for (int k = 0; k < b.size; ++k) b.matrix(k, k) = Real4(1.0);
    for (std::size_t lane = 0; lane < 4; ++lane) {
        if (!b.chain[lane]) continue;
        const Chain& chain = *b.chain[lane];
        const int number = int(b.chain[lane] - chains_->data());
        for (int row = 0; row < int(chain.size()); ++row) {
            const int u = chain[std::size_t(row)];
            if (u < 0) continue;
            b.matrix(row, row)[lane] = 0;
            // Blocks are stored column by column.
            const auto add = [&](int reach) {
                return [&, reach](std::int32_t column, const double* block) {
                    for (int c = 0; c < 3; ++c) {
                        const Place& p = place_[3 * std::size_t(column) + std::size_t(c)];
                        if (p.chain != number || p.at > row || row / 4 - p.at / 4 > reach ||
                            row - p.at > chain_band)
                            continue;
                        b.matrix(row, p.at)[lane] += block[3 * c + u % 3];
                    }
                };
            };
            matrix.visit_fixed(std::size_t(u / 3), add(chain_band));
            if (contact_between_points) matrix.visit_contact(std::size_t(u / 3), add(1));
        }
    }
}

bool ChainSolver::prepare(const std::vector<Chain>* chains, const FilteredMatrix& matrix)
{
    if (!chains || chains->empty()) {
        batches_.clear();
        return true;
    }
    if (chains_ != chains || place_.size() != 3 * std::size_t(matrix.rows()))
        arrange(*chains, matrix.rows());
    constexpr double least_pivot = 1e-14;
    std::atomic<bool> definite = true;
    parallel_for(batches_.size(), chain_grain, [&](std::size_t i) {
        Batch& b = batches_[i];
        const auto factorised = [&](bool contact) {
            fill(b, matrix, contact);
            return all_lanes(factor(b.matrix).least > Real4(least_pivot));
        };
        // A contact of a strand with itself may lose its definiteness where its ends are cut off.
        if (!factorised(true) && !factorised(false)) definite = false;
    });
    return definite;
}

void ChainSolver::apply(const VecX& r, VecX& z)
{
    parallel_for(batches_.size(), chain_grain, [&](std::size_t i) {
        Batch& b = batches_[i];
        std::fill(b.vector.begin(), b.vector.end(), Real4(0.0));
        const auto each = [&](auto&& visit) {
            for (std::size_t lane = 0; lane < 4; ++lane)
                for (std::size_t k = 0; b.chain[lane] && k < b.chain[lane]->size(); ++k)
                    if (const int u = (*b.chain[lane])[k]; u >= 0) visit(k, lane, u);
        };
        each([&](std::size_t k, std::size_t lane, int u) { b.vector[k][lane] = r[u]; });
        solve(b.matrix, b.vector.data());
        each([&](std::size_t k, std::size_t lane, int u) { z[u] = b.vector[k][lane]; });
    });
}

} // namespace selvage
