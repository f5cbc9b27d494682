#pragma once

#include "core/base/types.h"
#include "core/energy/rod_chain.h"

#include <array>

namespace selvage
{

/// What forces on some points of one rod do to these points: the blocks of K⁻¹ between them, the
/// lower half in single precision. One such matrix serves all contacts of the rod.
class RodCompliance
{
public:
    /// Slot i is rod point points[i]; ascending.
    explicit RodCompliance(std::vector<int> points = {});

    int slots() const { return int(points_.size()); }
    const std::vector<int>& points() const { return points_; }
    /// The slot of a rod point, −1 where it has none.
    int slot(int point) const;

    Mat3 block(int row, int column) const;
    /// v += K⁻¹ f for a force at one slot; v has four per slot, the last of which means nothing.
    void add_response(int slot, const Vec3& force, double* v) const;
    /// Likewise for forces at this slot and the next: what an edge does, at half the cost.
    void add_response(int slot, const Vec3& force, const Vec3& next_force, double* v) const;

    float* entries(int row, int column) { return blocks_.data() + offset(row, column); }
    std::size_t bytes() const
    {
        return blocks_.capacity() * sizeof(float) + points_.capacity() * sizeof(int);
    }

private:
    /// Of the block's nine entries, row after row; row >= column.
    static std::size_t offset(int row, int column)
    {
        return 9 * (std::size_t(row) * std::size_t(row + 1) / 2 + std::size_t(column));
    }
    std::vector<int> points_;
    std::vector<float> blocks_; ///< and three more, so that rows can be read four at a time
};

/// Fills the matrices of the given lanes of a group from its factored stiffness K; null: not
/// wanted.
void compute_compliance(const RodMatrix& K, const std::array<RodCompliance*, 4>& lanes);

} // namespace selvage
