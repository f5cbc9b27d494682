#pragma once

#include "core/model/scene.h"
#include "core/model/scene_terms.h"
#include "core/solver/incremental_potential.h"
#include "core/solver/projected_newton.h"

#include <memory>
#include <vector>

namespace selvage::test
{

/// A rectangular plate in the plane z = 0 along x, its width along y. All diagonals run
/// alike. The wall stands at x = 0, in
/// the middle of the first column of cells, whose points are held: rotation is then zero exactly at
/// the wall. Free at x = length.
struct Plate {
    int cells = 64, across = 2; ///< columns and rows of cells
    double length = 1, width = 0.03;
    double density = 1; ///< [kg/m²]
    double stretch = 1; ///< [N/m] Young's modulus × thickness
    double poisson = 0;
    double rigidity = 1; ///< [N·m]
    BendingModel model = BendingModel::shape;

    bool planar = false; ///< points keep their y: nothing tips over

    double cell() const { return length / (cells - 0.5); }
    int point(int column, int row) const { return row * (cells + 1) + column; }
    int point_count() const { return (cells + 1) * (across + 1); }
    VecX flat() const;
    Scene scene() const;
};

/// Equilibria of a plate under dead loads and a moment at its free end, by Newton's method.
class StaticPlate
{
public:
    explicit StaticPlate(const Plate& plate);

    VecX x;
    /// Minimises the energy under `force` (three per point) and a total bending moment [N·m] about
    /// −y on the last column of cells; `steps` implicit steps of a heavily damped motion.
    void relax(const VecX& force, double moment = 0, int steps = 4);
    /// [N] the weight of every point.
    VecX weight(const Vec3& gravity) const;
    /// Mean displacement of the free end.
    Vec3 tip() const;
    double energy();
    /// Second derivatives of the energy with respect to the z of the points that are free, dense.
    MatX out_of_plane_stiffness();

private:
    class EndMoment;

    Plate plate_;
    Scene scene_;
    SceneTerms terms_;
    std::unique_ptr<EndMoment> end_moment_;
    std::unique_ptr<IncrementalPotential> potential_;
    VertexFilter filter_;
    NewtonScratch scratch_;

public:
    ~StaticPlate();
};

} // namespace selvage::test
