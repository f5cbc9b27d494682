// MKL PARDISO, LLᵀ of a symmetric positive definite matrix. The only door to MKL.
//
// Threads. mkl_rt picks its threading layer at the first call into MKL: we ask for GNU OpenMP,
// since Debian ships no shared TBB layer and the Intel one needs a library that may be absent. The
// thread count follows thread_count() at each call, on the calling thread only; with one thread no
// OpenMP team is made. With several, libgomp's workers spin for some milliseconds after a call
// before they sleep; OMP_WAIT_POLICY=passive in the environment makes them sleep at once.
//
// Bits. MKL promises equal results for equal thread counts (conditional numerical reproducibility,
// set below); not for different ones. Hence bit-exact runs use "ldlt", "cholmod" or "pcg".
#include "core/base/parallel.h"
#include "core/linear/backends.h"
#include "core/linear/direct_solver.h"

#include <mkl_pardiso.h>
#include <mkl_service.h>

namespace selvage
{

namespace
{

static_assert(sizeof(MKL_INT) == sizeof(int), "the LP64 interface of MKL is expected");

/// Must run before any other call into MKL, including BLAS calls made by CHOLMOD.
void set_up_mkl()
{
    static const bool once = [] {
        mkl_set_threading_layer(MKL_THREADING_GNU);
        // AVX2 is what every machine we support has; on other makers' processors MKL refuses to be
        // pinned to it and only AUTO is offered.
        if (mkl_cbwr_set(MKL_CBWR_AVX2) != MKL_CBWR_SUCCESS) mkl_cbwr_set(MKL_CBWR_AUTO);
        mkl_set_dynamic(0);
        return true;
    }();
    (void)once;
}

/// While alive, MKL calls of this thread use `threads` threads.
class MklThreads
{
public:
    explicit MklThreads(int threads) : before_(mkl_set_num_threads_local(threads)) {}
    ~MklThreads() { mkl_set_num_threads_local(before_); }
    MklThreads(const MklThreads&) = delete;
    MklThreads& operator=(const MklThreads&) = delete;

private:
    int before_;
};

/// Small systems finish before a team of threads has gathered.
int useful_threads(const ScalarSystem& matrix) { return matrix.size() < 3000 ? 1 : thread_count(); }

enum Phase : MKL_INT { analysis = 11, factorisation = 22, substitution = 33, release = -1 };

class PardisoSolver final : public DirectSolver
{
public:
    PardisoSolver() { set_up_mkl(); }
    ~PardisoSolver() override { free_memory(); }
    std::string_view name() const override { return "pardiso"; }

protected:
    LinearReport analyse(const ScalarSystem& matrix) override
    {
        free_memory();
        threads_ = useful_threads(matrix);
        std::fill(std::begin(settings_), std::end(settings_), 0);
        settings_[0] = 1;         // no defaults: all that is not set here is 0
        settings_[1] = 2;         // METIS; its parallel version is not reproducible
        settings_[33] = threads_; // reproducible for this many threads (wants settings_[23] = 0)
        settings_[34] = 1;        // indices from 0
        if (const MKL_INT error = order_vertices(matrix)) return outcome(error, "ordering");
        settings_[4] = 1; // the order is given
        return outcome(call(analysis, matrix, nullptr, nullptr), "analysis");
    }

    LinearReport factorise(const ScalarSystem& matrix) override
    {
        if (threads_ !=
            useful_threads(matrix)) { // the analysis schedules for a fixed number of threads
            const LinearReport report = analyse(matrix);
            if (!report.ok()) return report;
        }
        return outcome(call(factorisation, matrix, nullptr, nullptr), "factorisation");
    }

    LinearReport substitute(const ScalarSystem& matrix, const VecX& rhs, VecX& y) override
    {
        // PARDISO overwrites the right-hand side only where asked to.
        return outcome(call(substitution, matrix, const_cast<double*>(rhs.data()), y.data()),
                       "substitution");
    }

private:
    /// METIS on the graph of vertices, expanded: a ninth of the scalar graph and no worse, since
    /// the three rows of a vertex belong together. A quarter less time for the whole analysis.
    MKL_INT order_vertices(const ScalarSystem& matrix)
    {
        const std::size_t n = matrix.block_begin().size() - 1;
        std::vector<MKL_INT> order(n);
        const std::vector<double> ones(matrix.block_columns().size(), 1.0); // read, but not used
        void* handle[64] = {};
        settings_[4] = 2; // hand back the order
        const MKL_INT error =
            call(handle, analysis, MKL_INT(n), ones.data(), matrix.block_begin().data(),
                 matrix.block_columns().data(), order.data(), nullptr, nullptr);
        call(handle, release, 0, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
        order_.resize(3 * n);
        for (std::size_t k = 0; k < order_.size(); ++k)
            order_[k] = 3 * order[k / 3] + MKL_INT(k % 3);
        return error;
    }

    MKL_INT call(Phase phase, const ScalarSystem& matrix, double* rhs, double* y)
    {
        holds_memory_ = true;
        const auto& A = matrix.lower(); // by columns: the upper triangle by rows
        return call(handle_, phase, matrix.size(), A.valuePtr(), A.outerIndexPtr(),
                    A.innerIndexPtr(), order_.data(), rhs, y);
    }

    MKL_INT call(void** handle, Phase phase, MKL_INT n, const double* values, const MKL_INT* begin,
                 const MKL_INT* columns, MKL_INT* order, double* rhs, double* y)
    {
        const MklThreads threads(threads_);
        const MKL_INT one = 1, positive_definite = 2, silent = 0, number = phase;
        MKL_INT error = 0;
        pardiso(handle, &one, &one, &positive_definite, &number, &n, values, begin, columns, order,
                &one, settings_, &silent, rhs, y, &error);
        return error;
    }

    LinearReport outcome(MKL_INT error, const char* phase) const
    {
        if (error == 0) return {};
        if (error == -4)
            return linear_failure(LinearStatus::indefinite,
                                  "PARDISO met a pivot that is not positive in row " +
                                      std::to_string(settings_[29] - 1));
        return linear_failure(LinearStatus::failed, std::string("PARDISO ") + phase +
                                                        " failed with error " +
                                                        std::to_string(error));
    }

    void free_memory()
    {
        if (!holds_memory_) return;
        call(handle_, release, 0, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
        std::fill(std::begin(handle_), std::end(handle_), nullptr);
        holds_memory_ = false;
    }

    void* handle_[64] = {};
    MKL_INT settings_[64] = {};
    std::vector<MKL_INT> order_;
    int threads_ = 1;
    bool holds_memory_ = false;
};

} // namespace

std::unique_ptr<LinearSolver> make_pardiso_solver() { return std::make_unique<PardisoSolver>(); }

SequentialBlas::SequentialBlas()
{
    set_up_mkl();
    before_ = mkl_set_num_threads_local(1);
}

SequentialBlas::~SequentialBlas() { mkl_set_num_threads_local(before_); }

} // namespace selvage
