#include "core/linear/vertex_filter.h"

#include <cassert>
#include <cmath>

namespace selvage
{

bool VertexFilter::any_constraint() const
{
    return std::any_of(kind_.begin(), kind_.end(), [](Kind k) { return k != Kind::free; });
}

Mat3 VertexFilter::projector(int vertex) const
{
    switch (kind(vertex)) {
    case Kind::free: return Mat3::Identity();
    case Kind::fixed: return Mat3::Zero();
    case Kind::partial: break;
    }
    return projectors_[std::size_t(partial_index_[std::size_t(vertex)])];
}

void VertexFilter::release(int vertex) { kind_[std::size_t(vertex)] = Kind::free; }

void VertexFilter::fix(int vertex) { kind_[std::size_t(vertex)] = Kind::fixed; }

void VertexFilter::block_direction(int vertex, const Vec3& p)
{
    assert(std::abs(p.squaredNorm() - 1) < 1e-9);
    set_projector(vertex, Mat3::Identity() - p * p.transpose());
}

void VertexFilter::block_directions(int vertex, const Vec3& p, const Vec3& q)
{
    assert(std::abs(p.squaredNorm() - 1) < 1e-9 && std::abs(q.squaredNorm() - 1) < 1e-9);
    assert(std::abs(p.dot(q)) < 1e-9);
    set_projector(vertex, Mat3::Identity() - p * p.transpose() - q * q.transpose());
}

void VertexFilter::set_projector(int vertex, const Mat3& S)
{
    if (partial_index_.empty()) partial_index_.assign(kind_.size(), -1);
    // A vertex keeps its place when it is released and constrained again.
    std::int32_t& place = partial_index_[std::size_t(vertex)];
    if (place < 0) {
        place = std::int32_t(projectors_.size());
        projectors_.emplace_back();
    }
    projectors_[std::size_t(place)] = S;
    kind_[std::size_t(vertex)] = Kind::partial;
}

void VertexFilter::apply(VecX& v) const
{
    assert(v.size() == 3 * size());
    for (int i = 0; i < size(); ++i) {
        if (kind(i) == Kind::free) continue;
        v.segment<3>(3 * i) = (projector(i) * v.segment<3>(3 * i)).eval();
    }
}

} // namespace selvage
