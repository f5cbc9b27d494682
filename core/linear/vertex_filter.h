#pragma once

#include "core/base/types.h"

#include <cstdint>
#include <vector>

namespace selvage
{

/// Exact constraints on a linear solve, one projector S_i per vertex: the solution moves only in
/// the range of S. Free: S = I. Fixed: S = 0. Partial: S = I − ppᵀ or I − ppᵀ − qqᵀ (p ⊥ q unit),
/// stored as the 3×3 projector.
class VertexFilter
{
public:
    VertexFilter() = default;
    explicit VertexFilter(int vertex_count) : kind_(std::size_t(vertex_count), Kind::free) {}

    enum class Kind : std::uint8_t { free, fixed, partial };

    int size() const { return int(kind_.size()); }
    Kind kind(int vertex) const { return kind_[std::size_t(vertex)]; }
    bool any_constraint() const;
    /// I, 0 or the stored projector.
    Mat3 projector(int vertex) const;

    void release(int vertex);
    void fix(int vertex);
    /// No motion along the unit vector p (and q, orthogonal to p); replaces what held before.
    void block_direction(int vertex, const Vec3& p);
    void block_directions(int vertex, const Vec3& p, const Vec3& q);

    /// v ← S v.
    void apply(VecX& v) const;

private:
    void set_projector(int vertex, const Mat3& S);

    std::vector<Kind> kind_;
    std::vector<std::int32_t> partial_index_; ///< per vertex, into projectors_; allocated on demand
    std::vector<Mat3> projectors_;
};

} // namespace selvage
