// Our own supernodal LLᵀ, multifrontal [Duff and Reid 1983]: each supernode gathers its part of the
// matrix and its children's updates in a dense front, eliminates its columns there, and hands the
// rest to its parent. Needs no library but Eigen, uses several threads, and gives the same bits for
// any number of them: every front is summed in the order of its children, and large fronts are cut
// into slabs of fixed size.
#include "core/base/parallel.h"
#include "core/linear/backends.h"
#include "core/linear/direct_solver.h"
#include "core/linear/supernodes.h"

#include <Eigen/Cholesky>

#include <atomic>

namespace selvage
{

namespace
{

using Front = Eigen::Map<MatX, 0, Eigen::OuterStride<>>;

constexpr Eigen::Index slab = 96; // rows or columns of a large front per task

class MultifrontalSolver final : public DirectSolver
{
public:
    std::string_view name() const override { return "multifrontal"; }

protected:
    LinearReport analyse(const ScalarSystem& matrix) override;
    LinearReport factorise(const ScalarSystem& matrix) override;
    LinearReport substitute(const ScalarSystem& matrix, const VecX& rhs, VecX& y) override;

private:
    /// One block of the matrix and where it goes: rows of scalar row `row`, block `block` of it.
    struct Source {
        std::int32_t row, block;              ///< in the scalar system's block rows
        std::int32_t front_row, front_column; ///< block indices in the front
        bool transposed;
    };

    void place_blocks(const ScalarSystem& matrix);
    void plan_tasks();
    void eliminate(const ScalarSystem& matrix, int s, bool in_slabs);
    void gather_matrix(const ScalarSystem& matrix, int s, Front panel) const;
    void gather_child(int child, int s, Front panel, Front update) const;

    /// Columns of supernode s in the factor: own rows on top, then the rows it updates.
    Front panel(int s)
    {
        const Eigen::Index rows = 3 * Eigen::Index(nodes_.width(s) + nodes_.height(s));
        return {factor_.data() + panel_begin_[std::size_t(s)], rows, 3 * nodes_.width(s),
                Eigen::OuterStride<>(rows)};
    }

    Supernodes nodes_;
    std::vector<std::vector<std::int32_t>> children_;
    std::vector<Source> sources_;
    std::vector<std::size_t> source_begin_; ///< per supernode
    std::vector<std::size_t> panel_begin_;
    std::vector<double> factor_;
    std::vector<std::int32_t> subtrees_;       ///< roots of subtrees that are one task each
    std::vector<std::int32_t> trunk_;          ///< all other supernodes, ascending
    std::vector<std::vector<double>> updates_; ///< per supernode, alive until its parent took it
    std::atomic<bool> indefinite_ = false;
    VecX work_;
};

LinearReport MultifrontalSolver::analyse(const ScalarSystem& matrix)
{
    nodes_ = find_supernodes(matrix.block_begin(), matrix.block_columns());
    const auto count = std::size_t(nodes_.count());
    children_.assign(count, {});
    updates_.assign(count, {});
    panel_begin_.assign(count + 1, 0);
    for (std::size_t s = 0; s < count; ++s) {
        const auto w = std::size_t(nodes_.width(int(s))), h = std::size_t(nodes_.height(int(s)));
        panel_begin_[s + 1] = panel_begin_[s] + 9 * w * (w + h);
        if (nodes_.parent[s] >= 0)
            children_[std::size_t(nodes_.parent[s])].push_back(std::int32_t(s));
    }
    factor_.resize(panel_begin_.back());
    place_blocks(matrix);
    plan_tasks();
    return {};
}

void MultifrontalSolver::place_blocks(const ScalarSystem& matrix)
{
    const auto& begin = matrix.block_begin();
    std::vector<std::int32_t> owner(nodes_.order.size());
    for (int s = 0; s < nodes_.count(); ++s)
        for (auto j = nodes_.first[std::size_t(s)]; j < nodes_.first[std::size_t(s) + 1]; ++j)
            owner[std::size_t(j)] = s;
    const auto each = [&](auto&& visit) {
        for (std::size_t r = 0; r + 1 < begin.size(); ++r)
            for (std::int32_t k = begin[r]; k < begin[r + 1]; ++k) {
                const auto a = nodes_.position[r];
                const auto b = nodes_.position[std::size_t(matrix.block_columns()[std::size_t(k)])];
                visit(std::int32_t(r), k - begin[r], a, b,
                      std::size_t(owner[std::size_t(std::min(a, b))]));
            }
    };
    source_begin_.assign(std::size_t(nodes_.count()) + 1, 0);
    each([&](auto, auto, auto, auto, std::size_t s) { ++source_begin_[s + 1]; });
    for (std::size_t s = 0; s + 1 < source_begin_.size(); ++s)
        source_begin_[s + 1] += source_begin_[s];
    sources_.resize(source_begin_.back());
    std::vector<std::size_t> cursor(source_begin_.begin(), source_begin_.end() - 1);
    each([&](std::int32_t r, std::int32_t q, std::int32_t a, std::int32_t b, std::size_t s) {
        // Block (r, c) lies at (position a, position b); below the diagonal if a > b.
        const std::int32_t low = std::max(a, b), first = nodes_.first[s];
        std::int32_t row = low - first;
        if (low >= nodes_.first[s + 1]) {
            const auto from = nodes_.rows.begin() + nodes_.row_begin[s];
            const auto to = nodes_.rows.begin() + nodes_.row_begin[s + 1];
            row = nodes_.width(int(s)) + std::int32_t(std::lower_bound(from, to, low) - from);
        }
        sources_[cursor[s]++] = {r, q, row, std::min(a, b) - first, a < b};
    });
}

/// Cuts the tree where subtrees fall below 1/64 of the work; what remains on top is done one after
/// the other, each front in slabs.
void MultifrontalSolver::plan_tasks()
{
    const auto count = std::size_t(nodes_.count());
    std::vector<double> work(count, 0);
    double total = 0;
    for (std::size_t s = 0; s < count; ++s) {
        const double w = nodes_.width(int(s)), m = w + nodes_.height(int(s));
        work[s] += w * m * m;
        total += w * m * m;
        if (nodes_.parent[s] >= 0) work[std::size_t(nodes_.parent[s])] += work[s];
    }
    subtrees_.clear();
    trunk_.clear();
    const double limit = total / 64;
    for (std::size_t s = 0; s < count; ++s) {
        const auto p = nodes_.parent[s];
        if (work[s] > limit)
            trunk_.push_back(std::int32_t(s));
        else if (p < 0 || work[std::size_t(p)] > limit)
            subtrees_.push_back(std::int32_t(s));
    }
}

LinearReport MultifrontalSolver::factorise(const ScalarSystem& matrix)
{
    indefinite_ = false;
    parallel_for(subtrees_.size(), 1, [&](std::size_t t) {
        const int root = subtrees_[t];
        for (int s = nodes_.first_descendant[std::size_t(root)]; s <= root; ++s)
            if (!indefinite_) eliminate(matrix, s, false);
    });
    for (const int s : trunk_)
        if (!indefinite_) eliminate(matrix, s, true);
    if (!indefinite_) return {};
    for (auto& update : updates_) std::vector<double>().swap(update);
    return linear_failure(LinearStatus::indefinite, "Cholesky met a pivot that is not positive");
}

/// [L11 0; L21 I] of the front [A11 ·; A21 A22]: L11 L11ᵀ = A11, L21 = A21 L11⁻ᵀ, and the update
/// A22 − L21 L21ᵀ for the parent. Lower triangles only.
void MultifrontalSolver::eliminate(const ScalarSystem& matrix, int s, bool in_slabs)
{
    const Eigen::Index w = 3 * nodes_.width(s), h = 3 * nodes_.height(s);
    Front columns = panel(s);
    columns.setZero();
    auto& storage = updates_[std::size_t(s)];
    storage.assign(std::size_t(h * h), 0.0);
    Front update(storage.data(), h, h, Eigen::OuterStride<>(h));

    gather_matrix(matrix, s, columns);
    for (const std::int32_t child : children_[std::size_t(s)]) {
        gather_child(child, s, columns, update);
        std::vector<double>().swap(updates_[std::size_t(child)]);
    }

    Eigen::Ref<MatX, 0, Eigen::OuterStride<>> top = columns.topRows(w);
    const Eigen::LLT<Eigen::Ref<MatX, 0, Eigen::OuterStride<>>> llt(top);
    if (llt.info() != Eigen::Success) {
        indefinite_ = true;
        return;
    }
    const auto L11 = columns.topRows(w);
    auto L21 = columns.bottomRows(h);
    const Eigen::Index step = in_slabs ? slab : std::max<Eigen::Index>(h, 1);
    parallel_chunks(std::size_t(h), std::size_t(step), [&](std::size_t begin, std::size_t end) {
        auto rows = L21.middleRows(Eigen::Index(begin), Eigen::Index(end - begin));
        L11.transpose().triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(rows);
    });
    parallel_chunks(std::size_t(h), std::size_t(step), [&](std::size_t b, std::size_t e) {
        const auto begin = Eigen::Index(b), width = Eigen::Index(e - b),
                   below = h - Eigen::Index(e);
        const auto rows = L21.middleRows(begin, width);
        update.block(begin, begin, width, width)
            .selfadjointView<Eigen::Lower>()
            .rankUpdate(rows, -1.0);
        if (below > 0)
            update.block(Eigen::Index(e), begin, below, width).noalias() -=
                L21.bottomRows(below) * rows.transpose();
    });
}

void MultifrontalSolver::gather_matrix(const ScalarSystem& matrix, int s, Front columns) const
{
    const int* outer = matrix.lower().outerIndexPtr();
    const double* values = matrix.lower().valuePtr();
    for (std::size_t k = source_begin_[std::size_t(s)]; k < source_begin_[std::size_t(s) + 1];
         ++k) {
        const Source& from = sources_[k];
        const Eigen::Index row = 3 * from.front_row, column = 3 * from.front_column;
        for (int i = 0; i < 3; ++i) {
            const double* B = values + outer[3 * from.row + i] + 3 * from.block - i;
            // Of a diagonal block, only the upper triangle exists.
            for (int j = from.block == 0 ? i : 0; j < 3; ++j)
                if (from.transposed || from.block == 0)
                    columns(row + j, column + i) += B[j];
                else
                    columns(row + i, column + j) += B[j];
        }
    }
}

void MultifrontalSolver::gather_child(int child, int s, Front columns, Front update) const
{
    const Eigen::Index n = nodes_.height(child), h = 3 * n, w = 3 * nodes_.width(s);
    const std::int32_t* place = nodes_.row_in_parent.data() + nodes_.row_begin[std::size_t(child)];
    const double* U = updates_[std::size_t(child)].data();
    for (Eigen::Index j = 0; j < h; ++j) {
        const Eigen::Index column = 3 * place[j / 3] + j % 3;
        const bool own = column < w;
        double* to = own ? columns.data() + column * columns.outerStride()
                         : update.data() + (column - w) * update.outerStride();
        const Eigen::Index above = own ? 0 : w; // rows of the front that `to` lacks
        const double* from = U + j * h;
        for (Eigen::Index i = j / 3; i < n; ++i) { // above the diagonal within its block: zeros
            double* t = to + (3 * place[i] - above);
            for (int k = 0; k < 3; ++k) t[k] += from[3 * i + k];
        }
    }
}

LinearReport MultifrontalSolver::substitute(const ScalarSystem&, const VecX& rhs, VecX& y)
{
    // L v = P b, forwards.
    VecX& v = work_;
    v.resize(rhs.size());
    for (std::size_t k = 0; k < nodes_.order.size(); ++k)
        v.segment<3>(3 * Eigen::Index(k)) = rhs.segment<3>(3 * nodes_.order[k]);
    VecX part;
    const auto each_row = [&](int s, auto&& visit) {
        const std::int64_t begin = nodes_.row_begin[std::size_t(s)];
        for (Eigen::Index i = 0; i < nodes_.height(s); ++i)
            visit(3 * i, 3 * Eigen::Index(nodes_.rows[std::size_t(begin + i)]));
    };
    for (int s = 0; s < nodes_.count(); ++s) {
        const Front L = panel(s);
        auto own = v.segment(3 * nodes_.first[std::size_t(s)], L.cols());
        L.topRows(L.cols()).triangularView<Eigen::Lower>().solveInPlace(own);
        part.noalias() = L.bottomRows(L.rows() - L.cols()) * own;
        each_row(
            s, [&](Eigen::Index i, Eigen::Index row) { v.segment<3>(row) -= part.segment<3>(i); });
    }
    // Lᵀ P y = v, backwards.
    for (int s = nodes_.count() - 1; s >= 0; --s) {
        const Front L = panel(s);
        auto own = v.segment(3 * nodes_.first[std::size_t(s)], L.cols());
        part.resize(L.rows() - L.cols());
        each_row(s,
                 [&](Eigen::Index i, Eigen::Index row) { part.segment<3>(i) = v.segment<3>(row); });
        own.noalias() -= L.bottomRows(L.rows() - L.cols()).transpose() * part;
        L.topRows(L.cols()).transpose().triangularView<Eigen::Upper>().solveInPlace(own);
    }
    for (std::size_t k = 0; k < nodes_.order.size(); ++k)
        y.segment<3>(3 * nodes_.order[k]) = v.segment<3>(3 * Eigen::Index(k));
    return {};
}

} // namespace

std::unique_ptr<LinearSolver> make_multifrontal_solver()
{
    return std::make_unique<MultifrontalSolver>();
}

} // namespace selvage
