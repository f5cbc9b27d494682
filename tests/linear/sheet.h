#pragma once

#include "tests/linear/systems.h"

namespace selvage::test
{

enum class Held {
    all_sides,
    two_sides,
    normals ///< along the surface normal outside a disc of 0.3 m, as if lying on something
};

/// The calibration system of multigrid: 1 m² of cloth, n × n vertices, Y 1000 N/m, ν 0.3, bending
/// 1e-5 N·m, 0.2 kg/m², deformed to y = 0.05 sin 3πx sin 2πz + 0.01 sin 9π(x+z), a step of h
/// seconds under gravity.
struct Sheet : Problem {
    VecX x;
    LinearSystem system() const
    {
        LinearSystem s = Problem::system();
        s.positions = &x;
        return s;
    }
};

/// `amplitude` scales the deformation.
Sheet calibration_sheet(int n, Held held, double h = 0.002, double amplitude = 1);

} // namespace selvage::test
