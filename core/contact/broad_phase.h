#pragma once

#include "core/contact/bvh.h"
#include "core/contact/contact_mesh.h"

#include <array>
#include <cstdint>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

namespace selvage
{

enum class PairKind : std::uint8_t {
    point_triangle,
    edge_edge,
    point_edge,
    point_plane,
    probe_field
};

inline constexpr std::array all_pair_kinds = {PairKind::point_triangle, PairKind::edge_edge,
                                              PairKind::point_edge, PairKind::point_plane,
                                              PairKind::probe_field};

/// Two elements: (vertex, triangle), (edge, edge) with a < b, (vertex, edge), (vertex, plane) or
/// (probe, field).
struct CandidatePair {
    std::int32_t a, b;
    bool operator==(const CandidatePair& o) const { return a == o.a && b == o.b; }
};

/// A pair with its kind.
struct ContactPair {
    PairKind kind;
    std::int32_t a, b;
    bool operator==(const ContactPair& o) const { return kind == o.kind && a == o.a && b == o.b; }
    bool operator<(const ContactPair& o) const
    {
        return std::tie(kind, a, b) < std::tie(o.kind, o.a, o.b);
    }
};

/// Pairs by kind, sorted by a, then b.
struct Candidates {
    std::array<std::vector<CandidatePair>, all_pair_kinds.size()> pairs;

    std::vector<CandidatePair>& operator[](PairKind k) { return pairs[std::size_t(k)]; }
    const std::vector<CandidatePair>& operator[](PairKind k) const { return pairs[std::size_t(k)]; }
    std::size_t size() const;
    std::size_t bytes() const;
};

/// A motion of all vertices with some freedom around it: every configuration x with
///   |x − (x_0 + t p)| <= margin per coordinate, for one t in [0, 1] common to all vertices.
/// A list of pairs found for a sweep is complete for all of them: for the whole line search along
/// p, and for small corrections after it.
struct Sweep {
    VecX x_0, p;
    double margin = 0; ///< [m]

    bool contains(const VecX& x) const;
    /// Largest α in [0, 1] such that all of x + [0, α] q is contained, or a little less; 0 where x
    /// is not contained.
    double exit_time(const VecX& x, const VecX& q) const;

private:
    /// The times t at which x lies within the margin; empty where first > second.
    std::pair<double, double> times(const VecX& x) const;
};

/// False drops a pair: how layers, groups and "ignore these pairs" reach the broad phase. Called
/// from several threads at once.
using PairFilter = std::function<bool(PairKind, std::int32_t a, std::int32_t b)>;

/// Vertices of a pair in the order of its distance function; returns their number.
int pair_vertices(const ContactMesh& mesh, PairKind kind, const CandidatePair& pair,
                  std::int32_t (&vertices)[4]);
/// How many of a pair's n vertices are of its first side.
int first_side(PairKind kind, int n);
/// [m] distance of a pair at x (all contact vertices); of a plane: the height over it, negative
/// behind it; of a field: negative inside.
double pair_distance(const ContactMesh& mesh, PairKind kind, const CandidatePair& pair,
                     const VecX& x);
/// [m] thickness of a pair: half of each side's largest; of neighbours on a fine surface (see
/// rest_neighbours.h) half of their distance at rest at most.
double pair_thickness(const ContactMesh& mesh, PairKind kind, const CandidatePair& pair);
/// [m] how far beyond its thickness a pair begins to push: d_hat, but of such neighbours half of
/// what they have left at rest at most.
double pair_activation(const ContactMesh& mesh, PairKind kind, const CandidatePair& pair,
                       double thickness, double d_hat);

/// Finds pairs of elements that may come near each other, with trees over simulated and prescribed
/// points, edges and triangles. Never reported: pairs that share a vertex, pairs of two prescribed
/// elements, bodies that do not collide, and what the filter drops.
class BroadPhase
{
public:
    /// The mesh must outlive it.
    explicit BroadPhase(const ContactMesh& mesh) : mesh_(mesh) {}

    void set_filter(PairFilter filter) { filter_ = std::move(filter); }
    /// All pairs that can come nearer than thickness + distance [m] in the sweep. Simulated pairs
    /// are sought in the frame of the mean motion, so that a falling garment costs no more than a
    /// hanging one, and pairs that stay apart by their relative motion are dropped. The result does
    /// not depend on the trees' past.
    void find(const Sweep& sweep, double distance, Candidates& out);

    std::size_t bytes() const;
    int builds() const; ///< of all trees together

private:
    /// A tree over some elements of one kind.
    struct Elements {
        std::vector<std::int32_t> ids;
        Bvh tree;
    };
    void collect();
    void find_unsorted(const Sweep& sweep, double distance, Candidates& out);
    void set_frame(const Sweep& sweep, const Vec3& drift);
    void fit_side(std::size_t side, double distance);
    template <class Vertices> void fit(Elements& elements, double distance, Vertices&& vertices);
    template <bool self>
    void query(PairKind kind, const Elements& a, const Elements& b, const Sweep& sweep,
               double distance, std::vector<CandidatePair>& out) const;
    void query_planes(const Sweep& sweep, double distance, std::vector<CandidatePair>& out) const;
    void query_fields(const Sweep& sweep, double distance, std::vector<CandidatePair>& out) const;
    bool wanted(PairKind kind, const CandidatePair& pair, const Sweep& sweep,
                double distance) const;

    const ContactMesh& mesh_;
    PairFilter filter_;
    bool collected_ = false;
    // [0] simulated, [1] prescribed.
    std::array<Elements, 2> points_, edges_, triangles_;
    Elements wire_points_, wire_edges_;
    VecX lower_, upper_; // vertex boxes in the present frame
    std::vector<FloatBox> scratch_;
};

} // namespace selvage
