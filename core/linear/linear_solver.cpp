#include "core/linear/linear_solver.h"

#include "core/linear/backends.h"

namespace selvage
{

namespace
{

struct Maker {
    std::string_view name;
    std::unique_ptr<LinearSolver> (*make)();
};

/// Direct solvers first, the fastest at the head.
constexpr Maker makers[] = {
#ifdef SELVAGE_HAS_MKL
    {"pardiso", make_pardiso_solver},
#endif
#ifdef SELVAGE_HAS_CHOLMOD
    {"cholmod", make_cholmod_solver},
#endif
    {"multifrontal", make_multifrontal_solver},
    {"ldlt", make_ldlt_solver},
    {"pcg", make_pcg_solver},
    {"multigrid", make_multigrid_solver},
};

} // namespace

std::unique_ptr<LinearSolver> make_linear_solver(std::string_view name)
{
    for (const Maker& m : makers)
        if (m.name == name) return m.make();
    return nullptr;
}

std::vector<std::string> available_linear_solvers()
{
    std::vector<std::string> names;
    for (const Maker& m : makers) names.emplace_back(m.name);
    return names;
}

LinearReport linear_failure(LinearStatus status, std::string message)
{
    LinearReport report;
    report.status = status;
    report.message = std::move(message);
    return report;
}

#ifndef SELVAGE_HAS_MKL
SequentialBlas::SequentialBlas() = default;
SequentialBlas::~SequentialBlas() = default;
#endif

} // namespace selvage
