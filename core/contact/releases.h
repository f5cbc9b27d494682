#pragma once

#include "core/contact/broad_phase.h"
#include "core/geometry/surface_tree.h"

#include <map>
#include <string>
#include <vector>

namespace selvage
{

/// A simulated vertex that does not collide with one body for now: whatever contains the vertex
/// passes through all elements of that body.
struct ReleasedVertex {
    std::int32_t vertex, body;
    /// Where the vertex was and comes back to. Of a closed body: −1 inside (cloth in a box), else
    /// outside. Of an open one: 1 the side of the normals, −1 the other, 0 either. Always 1 of a
    /// one-sided body.
    std::int32_t side = 0;

    bool operator==(const ReleasedVertex& o) const
    {
        return vertex == o.vertex && body == o.body && side == o.side;
    }
};

/// What does not collide for now, since it started tangled or would hold up what is animated. Part
/// of the State; both lists are sorted.
struct Releases {
    std::vector<ReleasedVertex> vertices;
    std::vector<ContactPair> pairs;

    bool empty() const { return vertices.empty() && pairs.empty(); }
    bool operator==(const Releases& o) const { return vertices == o.vertices && pairs == o.pairs; }
    std::size_t bytes() const
    {
        return vertices.size() * sizeof(ReleasedVertex) + pairs.size() * sizeof(ContactPair);
    }
    /// Those already there are kept as they are; returns how many vertices are new.
    std::size_t add(std::vector<ReleasedVertex> more);
    void add(const std::vector<ContactPair>& more);
    void add(const Releases& more)
    {
        add(more.vertices);
        add(more.pairs);
    }
};

struct OffendingPair;

/// What must not collide for offending pairs to come apart: themselves, and points behind planes or
/// inside fields, which are drawn out.
Releases releases_for(const ContactMesh& mesh, const std::vector<OffendingPair>& pairs);

/// Keeps all pairs but the released ones; and of these only what `others` (may be empty) keeps.
PairFilter release_filter(const ContactMesh& mesh, const Releases& releases,
                          PairFilter others = {});

/// The surfaces of bodies as trees, each made when it is first asked for. All of one moment.
class BodySurfaces
{
public:
    /// x: all contact vertices; both must outlive it.
    BodySurfaces(const ContactMesh& mesh, const VecX& x) : mesh_(mesh), x_(x) {}
    const SurfaceTree& operator[](int body);

private:
    const ContactMesh& mesh_;
    const VecX& x_;
    std::map<int, SurfaceTree> trees_;
};

/// Which side of an open body's surface a point is on: 1, −1, or 0 where it cannot be told.
int side_of(const SurfaceTree& surface, const Vec3& p);

/// The vertices of simulated bodies that lie inside closed colliders they collide with, at x (all
/// contact vertices).
std::vector<ReleasedVertex> vertices_inside(const ContactMesh& mesh, const VecX& x);

/// The vertices of simulated bodies that are behind one-sided colliders at x: inside closed ones;
/// of open ones, against the normal of the nearest place, unless that is on their rim.
std::vector<ReleasedVertex> vertices_behind(const ContactMesh& mesh, const VecX& x);

/// What of the releases still stands at x (all contact vertices). A pair collides again once it is
/// apart: farther than its thickness and some of d_hat [m], and not part of anything that pierces.
/// A vertex does once it is outside of the body, or back on its side, and all that contains it is
/// apart from the body. Where a filter is given, what it drops is apart.
Releases still_released(const ContactMesh& mesh, const VecX& x, const Releases& releases,
                        double d_hat, const PairFilter& filter = {});

/// "'sleeve' from 'body': points 12-15, 20, 22-31 and 40 more", one line per pair of bodies.
std::string describe(const ContactMesh& mesh, const std::vector<ReleasedVertex>& vertices);

} // namespace selvage
