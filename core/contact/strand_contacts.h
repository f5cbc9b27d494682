#pragma once

#include "core/contact/broad_phase.h"

namespace selvage
{

/// A place where a strand touches another one or a surface, or will within a step. The relative
/// displacement of its two points is Σ weight_i δ_i over its vertices; sides a and b have weights
/// that sum to 1 and −1. It may close by `slack` along the normal and then pushes.
struct StrandContact {
    std::uint32_t feature_a = 0; ///< a strand's vertex or edge, see contact_feature
    std::uint32_t feature_b = 0; ///< of another strand (then > feature_a) or a surface
    std::array<std::int32_t, 4> vertex = {-1, -1, -1, -1}; ///< of the contact mesh
    std::array<double, 4> weight = {0, 0, 0, 0};
    Vec3 normal = Vec3::UnitY(); ///< from b to a
    double slack = 0;            ///< [m]
    double thickness = 0;        ///< [m] the distance kept
    double friction = 0;         ///< Coulomb's μ

    std::uint64_t key() const { return std::uint64_t(feature_a) << 32 | feature_b; }
};

/// What a contact is remembered by: kind and number in one. Fields are counted after planes.
enum class FeatureKind : std::uint32_t { vertex, edge, triangle, plane };
constexpr std::uint32_t contact_feature(FeatureKind kind, std::int32_t number)
{
    return std::uint32_t(kind) << 30 | std::uint32_t(number);
}

/// What to look for.
struct StrandContactQuery {
    VecX x_0, x_1; ///< [m] all vertices of the contact mesh at start and end of the step
    /// Per vertex: whether a force would move it. Contacts without such a vertex are left out, and
    /// so are those of surfaces with edges whose other end is held (roots grow out of a skin), and
    /// places so near to held points that they hardly move.
    std::vector<char> movable;
    double reach = 0.5;       ///< nearer than (1 + reach) × thickness at the start: a contact
    double correction = 1e-3; ///< [m] most by which overlapping strands are put apart in the step
};

/// Contacts of strands with each other and with surfaces: pairs that are near each other when the
/// step begins, and pairs that meet on the straight way from x_0 to x_1 (continuous collision
/// detection), with weights and normal at the time they meet. Strands are edges of the mesh with
/// `simulated` vertices and their thickness; pairs of a point or edge with several neighbours of
/// one feature are one contact. What is behind a plane or a one-sided surface, or inside a
/// field, is pushed to the front. Sorted by key.
class StrandContactSearch
{
public:
    /// The mesh must outlive it.
    explicit StrandContactSearch(const ContactMesh& mesh) : mesh_(mesh), broad_phase_(mesh) {}

    void set_filter(PairFilter filter) { broad_phase_.set_filter(std::move(filter)); }
    void find(const StrandContactQuery& query, std::vector<StrandContact>& out);

private:
    const ContactMesh& mesh_;
    BroadPhase broad_phase_;
    Candidates candidates_;
};

} // namespace selvage
