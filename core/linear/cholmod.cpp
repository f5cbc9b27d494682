// CHOLMOD, supernodal LLᵀ. Its supernodal part is GPL: an option, off in plugin builds.
//
// The dense work is done by the process's BLAS: MKL's where MKL is linked, otherwise what the
// system's libblas.so.3 stands for. Debian's default there is the reference BLAS, correct but
// several times slower; libopenblas0-pthread is a drop-in. We run on one thread, so that the bits
// do not depend on the thread count: MKL by SequentialBlas, CHOLMOD's own loops by
// SequentialOpenMp; OpenBLAS wants OPENBLAS_NUM_THREADS=1.
#include "core/linear/backends.h"
#include "core/linear/direct_solver.h"

#include <cholmod.h>
#include <dlfcn.h>

namespace selvage
{

namespace
{

/// While alive, OpenMP loops started by this thread run on it alone. CHOLMOD asks for four threads
/// in each of many short loops, whatever the machine has: on two cores that takes most of the time.
/// The functions are looked up in whichever runtime CHOLMOD brought along, if any.
class SequentialOpenMp
{
public:
    SequentialOpenMp()
    {
        const auto get =
            reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "omp_get_max_active_levels"));
        set_ = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "omp_set_max_active_levels"));
        if (!get || !set_) return;
        before_ = get();
        set_(0);
    }
    ~SequentialOpenMp()
    {
        if (before_ >= 0) set_(before_);
    }
    SequentialOpenMp(const SequentialOpenMp&) = delete;
    SequentialOpenMp& operator=(const SequentialOpenMp&) = delete;

private:
    void (*set_)(int) = nullptr;
    int before_ = -1;
};

struct OneThread {
    SequentialBlas blas;
    SequentialOpenMp loops;
};

/// Views of our arrays; CHOLMOD does not write through them.
cholmod_sparse sparse_view(std::size_t n, const int* begin, const int* indices,
                           const double* values)
{
    cholmod_sparse A = {};
    A.nrow = A.ncol = n;
    A.nzmax = std::size_t(begin[n]);
    A.p = const_cast<int*>(begin);
    A.i = const_cast<int*>(indices);
    A.x = const_cast<double*>(values);
    A.stype = -1; // lower triangle
    A.itype = CHOLMOD_INT;
    A.xtype = values ? CHOLMOD_REAL : CHOLMOD_PATTERN;
    A.dtype = CHOLMOD_DOUBLE;
    A.sorted = A.packed = 1;
    return A;
}

cholmod_dense dense_view(const VecX& v)
{
    cholmod_dense d = {};
    d.nrow = d.nzmax = d.d = std::size_t(v.size());
    d.ncol = 1;
    d.x = const_cast<double*>(v.data());
    d.xtype = CHOLMOD_REAL;
    d.dtype = CHOLMOD_DOUBLE;
    return d;
}

class CholmodSolver final : public DirectSolver
{
public:
    CholmodSolver()
    {
        cholmod_start(&common_);
        common_.print = 0; // core never prints
        common_.quick_return_if_not_posdef = 1;
    }

    ~CholmodSolver() override
    {
        cholmod_free_factor(&factor_, &common_);
        cholmod_free_dense(&solution_, &common_);
        cholmod_free_dense(&work_y_, &common_);
        cholmod_free_dense(&work_e_, &common_);
        cholmod_finish(&common_);
    }

    std::string_view name() const override { return "cholmod"; }

protected:
    LinearReport analyse(const ScalarSystem& matrix) override
    {
        cholmod_free_factor(&factor_, &common_);
        std::vector<int> order = vertex_order(matrix);
        if (order.empty()) return outcome("ordering");
        std::vector<int> scalar_order(3 * order.size());
        for (std::size_t k = 0; k < scalar_order.size(); ++k)
            scalar_order[k] = 3 * order[k / 3] + int(k % 3);

        common_.supernodal = CHOLMOD_SUPERNODAL;
        common_.nmethods = 1;
        common_.method[0].ordering = CHOLMOD_GIVEN;
        cholmod_sparse A = view(matrix);
        factor_ = cholmod_analyze_p(&A, scalar_order.data(), nullptr, 0, &common_);
        return outcome("analysis");
    }

    LinearReport factorise(const ScalarSystem& matrix) override
    {
        const OneThread one_thread;
        cholmod_sparse A = view(matrix);
        cholmod_factorize(&A, factor_, &common_);
        if (common_.status == CHOLMOD_NOT_POSDEF || factor_->minor < factor_->n)
            return linear_failure(LinearStatus::indefinite,
                                  "CHOLMOD met a pivot that is not positive");
        return outcome("factorisation");
    }

    LinearReport substitute(const ScalarSystem&, const VecX& rhs, VecX& y) override
    {
        const OneThread one_thread;
        cholmod_dense b = dense_view(rhs);
        if (!cholmod_solve2(CHOLMOD_A, factor_, &b, nullptr, &solution_, nullptr, &work_y_,
                            &work_e_, &common_))
            return outcome("substitution");
        y = Eigen::Map<const VecX>(static_cast<const double*>(solution_->x), rhs.size());
        return {};
    }

private:
    static cholmod_sparse view(const ScalarSystem& matrix)
    {
        const auto& A = matrix.lower();
        return sparse_view(std::size_t(A.cols()), A.outerIndexPtr(), A.innerIndexPtr(),
                           A.valuePtr());
    }

    /// The best of minimum degree and, where the library has it, METIS, on the graph of vertices:
    /// a ninth of the scalar graph and no worse, since the three rows of a vertex belong together.
    std::vector<int> vertex_order(const ScalarSystem& matrix)
    {
        common_.supernodal = CHOLMOD_SIMPLICIAL;
        common_.nmethods = 2;
        common_.method[0].ordering = CHOLMOD_AMD;
        common_.method[1].ordering = CHOLMOD_METIS;
        const std::size_t n = matrix.block_begin().size() - 1;
        cholmod_sparse graph =
            sparse_view(n, matrix.block_begin().data(), matrix.block_columns().data(), nullptr);
        cholmod_factor* symbolic = cholmod_analyze(&graph, &common_);
        if (!symbolic) return {};
        const int* order = static_cast<const int*>(symbolic->Perm);
        std::vector<int> result(order, order + n);
        cholmod_free_factor(&symbolic, &common_);
        return result;
    }

    LinearReport outcome(const char* phase) const
    {
        if (common_.status >= CHOLMOD_OK) return {};
        return linear_failure(LinearStatus::failed, std::string("CHOLMOD ") + phase +
                                                        " failed with status " +
                                                        std::to_string(common_.status));
    }

    cholmod_common common_ = {};
    cholmod_factor* factor_ = nullptr;
    cholmod_dense *solution_ = nullptr, *work_y_ = nullptr, *work_e_ = nullptr; ///< kept for reuse
};

} // namespace

std::unique_ptr<LinearSolver> make_cholmod_solver() { return std::make_unique<CholmodSolver>(); }

} // namespace selvage
