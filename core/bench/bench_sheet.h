#pragma once

#include "core/energy/hinge_bending.h"
#include "core/energy/stvk_membrane.h"
#include "core/example/cloth_grid.h"
#include "core/linear/linear_solver.h"
#include "core/solver/projected_newton.h"

#include <memory>
#include <string>
#include <vector>

namespace selvage
{

/// How a sheet is held [Tamstorf 2016, §11.5].
enum class SheetCase {
    pinned,          ///< at all sides
    drooping,        ///< at two opposite sides
    reentrant,       ///< L-shaped, at the two edges of the inner corner
    drop_horizontal, ///< nowhere: falls flat onto a table with a hole, many contacts
    drop_vertical    ///< nowhere: falls on its edge and buckles onto itself
};

/// One square metre of cotton-like cloth (Y 1000 N/m, ν 0.3, bending 1e-5 N·m, 0.2 kg/m²) that
/// falls under gravity: where benchmarks of linear solvers get their systems.
class BenchSheet
{
public:
    /// About n² vertices.
    BenchSheet(SheetCase held, int n, GridCells cells);
    /// A dropped one with each triangle cut in four, where the other has got to: the surface stays
    /// as it is, creases and all, so that nothing that was apart touches.
    explicit BenchSheet(const BenchSheet& coarse);

    int vertices() const { return int(x_.size() / 3); }
    const VecX& positions() const { return x_; }
    /// Steps of h seconds; linear as in StepSettings. Returns the Newton iterations taken.
    int simulate(double h, int steps, const std::string& linear = "auto");
    /// Takes over the motion of a coarser sheet of the same case, smoothly interpolated.
    void continue_from(const BenchSheet& coarse);
    /// The first Newton system of the next step of h seconds.
    void make_system(double h);

    LinearSystem system() const
    {
        return {&hessian_, contact_ ? &contact_matrix_ : nullptr, &filter_, &x_};
    }
    std::size_t contacts() const { return contact_ ? contact_->contacts().pair_count : 0; }
    VecX right_hand_side() const { return -gradient_; }

private:
    void make_mesh(GridCells cells);
    void lift();
    void make_terms();
    void make_contact();
    void begin_step(double h);
    Vec3 sample(const VecX& of, double row, double column) const;

    SheetCase held_;
    int side_;                            ///< vertices along a side of the square
    std::vector<std::int32_t> vertex_at_; ///< per grid point; -1 in the part cut away
    std::vector<Vec3i> triangles_;
    VecX x_rest_, x_, v_, gradient_;
    VertexFilter filter_;
    std::unique_ptr<StvkMembrane> membrane_;
    std::unique_ptr<HingeBending> bending_;
    std::unique_ptr<IncrementalPotential> potential_;
    std::unique_ptr<ContactProblem> contact_; ///< of the drops alone
    VecX collider_;
    BlockMatrix hessian_, contact_matrix_;
};

} // namespace selvage
