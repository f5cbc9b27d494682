// Conjugate gradients with the inverse of the 3×3 diagonal blocks as preconditioner. Three parallel
// passes per iteration: product, advance with preconditioner, next direction.
#include "core/linear/backends.h"
#include "core/linear/conjugate_gradients.h"

namespace selvage
{

namespace
{

class PcgSolver final : public ConjugateGradients
{
public:
    std::string_view name() const override { return "pcg"; }

private:
    LinearReport build_preconditioner(bool) override { return {}; } // the matrix has the inverses

    double precondition() override
    {
        auto pass = [&](std::size_t begin, std::size_t end) { precondition_rows(begin, end); };
        return sum(std::ref(pass));
    }
    double advance(double alpha) override
    {
        auto pass = [&](std::size_t begin, std::size_t end) {
            advance_rows(alpha, begin, end);
            precondition_rows(begin, end);
        };
        return sum(std::ref(pass));
    }
    void precondition_rows(std::size_t begin, std::size_t end)
    {
        partial(begin) = matrix_.precondition_rows(begin, end, r_.data(), z_.data());
    }
};

} // namespace

std::unique_ptr<LinearSolver> make_pcg_solver() { return std::make_unique<PcgSolver>(); }

} // namespace selvage
