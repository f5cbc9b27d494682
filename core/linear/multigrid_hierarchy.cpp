#include "core/linear/multigrid_hierarchy.h"

#include "core/base/parallel.h"

#include <Eigen/Cholesky>

#include <optional>

namespace selvage
{

namespace
{

constexpr std::size_t most_levels = 16; // coarse ones

/// A prolongator of this damping minimises the bound on the coarse energy [Vaněk et al. 1996].
constexpr double prolongator_damping = 4.0 / 3;
/// Coarse levels from this one on are visited twice (a W-cycle): they are small, and what they
/// leave over costs iterations, the more the longer the step.
constexpr std::size_t first_twice = 1;
/// Aggregation that leaves more than this part of the nodes has nothing to aggregate.
constexpr double least_coarsening = 0.7;

/// LLᵀ of the coarsest matrix, in doubles.
class CoarsestSolve
{
public:
    template <class S, int B> bool factorise(const BlockRows<S, B, B>& A)
    {
        using Block = Eigen::Map<const Eigen::Matrix<S, B, B, Eigen::RowMajor>>;
        const RowPattern& p = *A.pattern;
        llt_.reset();
        if (p.rows() == 0) return true;
        MatX dense = MatX::Zero(Eigen::Index(B * p.rows()), Eigen::Index(B * p.rows()));
        for (std::size_t i = 0; i < p.rows(); ++i)
            for (auto k = p.begin[i]; k < p.begin[i + 1]; ++k)
                dense.block<B, B>(B * Eigen::Index(i), B * p.columns[std::size_t(k)]) =
                    Block(A.block(k)).template cast<double>();
        // Rounding of the finer levels may have taken away the little that mass adds.
        const double largest = dense.diagonal().maxCoeff();
        for (double shift = 0; shift < 1e-3; shift = std::max(1e-9, 10 * shift)) {
            dense.diagonal().array() += shift * largest;
            llt_.emplace(dense);
            if (llt_->info() == Eigen::Success) return true;
        }
        return false;
    }

    template <class S> void solve(const S* f, S* x)
    {
        if (!llt_) return;
        y_ = Eigen::Map<const Eigen::Matrix<S, Eigen::Dynamic, 1>>(f, llt_->rows())
                 .template cast<double>();
        llt_->solveInPlace(y_);
        Eigen::Map<Eigen::Matrix<S, Eigen::Dynamic, 1>>(x, llt_->rows()) = y_.template cast<S>();
    }

private:
    std::optional<Eigen::LLT<MatX>> llt_; // none for an empty matrix
    VecX y_;
};

template <class S, int K> class Hierarchy final : public Multigrid
{
public:
    explicit Hierarchy(const MultigridOptions& options) : options_(options)
    {
        coarse_.resize(most_levels);
    }

    bool build(const FilteredMatrix& matrix, const LinearSystem& system) override
    {
        matrix.copy_to(fine_.A, fine_.inverse);
        fine_.prepare();
        count_ = 0;
        direct_ = false;
        vertex_kernel<K>(system.positions, system.filter, matrix.rows(), kernels_[0]);
        bool coarser = false;
        if (!set_up(fine_, down_, coarser)) return false;
        while (coarser) {
            Coarse& c = coarse_[count_++];
            c.level.prepare();
            if (!c.level.invert_diagonal() || !set_up(c.level, c.down, coarser)) return false;
        }
        if (lean) free_scratch();
        return true;
    }

    bool update(const FilteredMatrix& matrix) override
    {
        matrix.copy_to(fine_.A, fine_.inverse);
        return count_ > 0 || !direct_ || direct_solve_.factorise(fine_.A);
    }

    void apply(const VecX& r, VecX& z) override
    {
        const std::size_t n = fine_.rows() * 3;
        parallel_chunks(n, grain, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) fine_.f[i] = S(r[Eigen::Index(i)]);
        });
        cycle(fine_, down_, 0);
        parallel_chunks(n, grain, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) z[Eigen::Index(i)] = double(fine_.x[i]);
        });
    }

    double operator_complexity() const override
    {
        const auto fine = double(9 * fine_.A.pattern->block_count());
        double all = fine;
        for (std::size_t l = 0; l < count_; ++l)
            all += double(K * K * coarse_[l].level.A.pattern->block_count());
        return all / fine;
    }

    int levels() const override { return int(count_) + 1; }

    std::size_t bytes() const override
    {
        std::size_t sum = fine_.bytes() + down_.bytes() + tentative_.bytes() + strength_.bytes() +
                          kernels_[0].bytes() + kernels_[1].bytes();
        for (const Coarse& c : coarse_)
            sum += c.level.bytes() + c.down.bytes() +
                   (c.level.A.pattern ? c.level.A.pattern->bytes() : 0);
        return sum;
    }

private:
    struct Coarse {
        MultigridLevel<S, K> level;
        Transfer<S, K, K> down;
    };
    static constexpr std::size_t grain = 8192; // numbers per task
    /// Translations alone are taken to save memory, and are a worse guess of what bends: smoothing
    /// makes up for it.
    static constexpr bool lean = K == 3;

    /// Readies a level for cycles: factorises it where it is small enough, else builds the next one
    /// into coarse_[count_]. False where the level is not positive definite.
    template <int B>
    bool set_up(MultigridLevel<S, B>& level, Transfer<S, B, K>& down, bool& coarser)
    {
        const NearKernel& kernel = kernels_[count_ % 2];
        NearKernel& coarse_kernel = kernels_[(count_ + 1) % 2];
        coarser = false;
        if (level.rows() * B <= std::size_t(options_.coarsest)) {
            direct_ = true;
            return direct_solve_.factorise(level.A);
        }
        level.set_spectrum(level.estimate_spectrum(options_.lanczos_steps), lean ? 3 : 2);
        level.strengths(strength_);
        Aggregates aggregates = aggregate(*level.A.pattern, strength_, options_.threshold);
        if (aggregates.count == 0 || count_ == most_levels ||
            aggregates.count > least_coarsening * double(level.rows()))
            return true;
        split_kernel<S, B, K>(kernel, aggregates, tentative_, coarse_kernel); // Q
        down.analyse(level.A.pattern, std::move(aggregates), strength_, options_.threshold);
        down.smooth(level.A, level.inverse, tentative_, kernel, coarse_kernel,
                    S(prolongator_damping / level.spectrum()));
        down.galerkin(level.A, coarse_[count_].level.A);
        if (lean) down.end_setup();
        coarser = true;
        return true;
    }

    void free_scratch()
    {
        strength_ = {};
        tentative_ = {};
        for (NearKernel& kernel : kernels_) kernel = {};
    }

    template <int B>
    void cycle(MultigridLevel<S, B>& level, const Transfer<S, B, K>& down, std::size_t next)
    {
        if (next == count_ && direct_) return direct_solve_.solve(level.f.data(), level.x.data());
        level.smooth_from_zero();
        if (next < count_) {
            Coarse& coarse = coarse_[next];
            down.restrict_to(level.residual(), coarse.level.f.data());
            cycle(coarse.level, coarse.down, next + 1);
            if (next >= first_twice && next + 1 < count_) {
                coarse.level.begin_again();
                cycle(coarse.level, coarse.down, next + 1);
                coarse.level.add_first();
            }
            down.prolong_add(coarse.level.x.data(), level.x.data());
        }
        level.smooth_again();
    }

    MultigridOptions options_;
    MultigridLevel<S, 3> fine_;
    Transfer<S, 3, K> down_;
    std::vector<Coarse> coarse_;
    std::size_t count_ = 0; ///< of coarse levels in use
    bool direct_ = false;   ///< whether the coarsest level is solved exactly
    CoarsestSolve direct_solve_;

    // Of the level being set up. Kept, but for the lean: to be given fresh pages by the system
    // takes longer than to compute what goes there.
    Buffer<float> strength_;
    Buffer<S> tentative_;   ///< Q
    NearKernel kernels_[2]; ///< of even and of odd levels
};

} // namespace

std::unique_ptr<Multigrid> make_multigrid(const MultigridOptions& options)
{
    if (options.double_precision) {
        if (options.rotations) return std::make_unique<Hierarchy<double, 6>>(options);
        return std::make_unique<Hierarchy<double, 3>>(options);
    }
    if (options.rotations) return std::make_unique<Hierarchy<float, 6>>(options);
    return std::make_unique<Hierarchy<float, 3>>(options);
}

} // namespace selvage
