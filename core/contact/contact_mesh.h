#pragma once

#include "core/base/types.h"
#include "core/contact/rest_neighbours.h"
#include "core/geometry/mesh_topology.h"
#include "core/geometry/moving_field.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace selvage
{

/// Coulomb coefficients of a pair of surfaces.
struct Friction {
    double resting = 0; ///< what it takes to start sliding
    double sliding = 0; ///< what is left once it slides, <= resting
};

/// A place on a simulated element where it touches fields: a point, or a place within an edge or
/// triangle.
struct FieldProbe {
    std::array<std::int32_t, 3> vertices = {-1, -1, -1};
    std::array<double, 3> weights = {0, 0, 0};
    int count = 0; ///< of vertices
};

/// Everything that can touch: surfaces and wires of simulated objects and of colliders, on one
/// numbering of vertices. [0, simulated_count) are the scene's unknowns, in its own numbers;
/// prescribed ones (colliders) follow. Prescribed vertices are constants to the solver: they enter
/// distances, but get no rows in the gradient or the matrix.
class ContactMesh
{
public:
    explicit ContactMesh(int simulated_count = 0);

    /// Adds the surface of a simulated object whose points are [first_vertex, first_vertex + n) of
    /// the scene, n = x_rest.size() / 3. `thickness` [m] is the least distance kept between two
    /// such surfaces' midsurfaces (each brings one half). Returns its body number.
    int add_surface(std::string name, const MeshTopology& mesh, int first_vertex,
                    const VecX& x_rest, double thickness, double friction);
    /// Adds a collider; its points become the next prescribed vertices. `x` is its shape at the
    /// start: edge lengths are taken from it. Edges without triangles are wires; without edges, the
    /// points collide by themselves.
    int add_collider(std::string name, const MeshTopology& mesh, const VecX& x, double thickness,
                     double friction);
    /// Adds simulated strands: their points against their edges as well, since parallel edges
    /// alone would not see each other.
    int add_wires(std::string name, const std::vector<Vec2i>& edges, int first_vertex,
                  const VecX& x_rest, double thickness, double friction);

    /// Adds a half-space: what lies behind the plane through x = [a b c], against its normal
    /// (b − a) × (c − a), is solid. The three become prescribed vertices that carry the plane's
    /// motion; they may be anywhere on it, but not on one line.
    int add_plane(std::string name, const Vec9& x, double thickness, double friction);

    /// Adds a body given by its signed distance. It has one prescribed vertex, whose first
    /// coordinate is the time at which the field is taken: what moves prescribed vertices moves the
    /// body on. Simulated elements touch it at probes, at most one voxel apart at rest.
    int add_field(std::string name, std::shared_ptr<const MovingField> field, double thickness,
                  double friction);
    /// Replaces the field of a body, for another span of time.
    void set_field(int body, std::shared_ptr<const MovingField> field);

    /// Per-point thickness [m] of a body (`pscale`), one per point.
    void set_thickness(int body, const VecX& thickness);
    /// Per-point factors of the pair's resting and sliding friction; empty: 1.
    void set_friction_scale(int body, const VecX& resting, const VecX& sliding);
    /// Sliding coefficient of a body; the resting one until it is set.
    void set_sliding_friction(int body, double sliding);
    /// Switches contact between two bodies, or of a body with itself. On by default.
    void set_collide(int body_a, int body_b, bool collide);
    /// Friction of a pair of bodies; by default the geometric mean of the two.
    void set_friction(int body_a, int body_b, Friction friction);

    /// Points of a body may be divided into groups, which are switched on their own. Group 0 of a
    /// body has all its points at first; a new one takes over the switches of that. An element
    /// collides as long as all its points do.
    int add_group(int body);
    void set_group(int body, int point, int group);
    /// By the numbers of two groups, each within its body.
    void set_collide(int body_a, int group_a, int body_b, int group_b, bool collide);

    /// A collider whose surface pushes only outwards, along its normals: what is behind it is drawn
    /// out to the front.
    void set_one_sided(int body) { bodies_[std::size_t(body)].one_sided = true; }
    bool one_sided(int body) const { return bodies_[std::size_t(body)].one_sided; }

    /// Layers of a body's points, one per point: where surfaces are tangled, higher ones are drawn
    /// to the front of lower ones. 0 until it is set.
    void set_layer(int body, const std::vector<int>& layer);
    int layer(int vertex) const { return layer_.empty() ? 0 : layer_[std::size_t(vertex)]; }
    bool has_layers() const { return !layer_.empty(); }

    /// What find_rest_neighbours finds: points and triangles, edges and edges (the smaller first).
    void set_rest_neighbours(RestNeighbours points, RestNeighbours edges);
    /// [m] How far apart a point and a triangle, or two edges (a < b), of one fine surface are at
    /// rest; infinity for all that have enough room there.
    double rest_distance(std::int32_t point, std::int32_t triangle) const
    {
        return near_points_.distance(point, triangle);
    }
    double rest_distance_of_edges(std::int32_t a, std::int32_t b) const
    {
        return near_edges_.distance(a, b);
    }
    const VecX& rest() const { return rest_; } ///< of simulated vertices

    int simulated_count() const { return simulated_count_; }
    int prescribed_count() const { return vertex_count() - simulated_count_; }
    int vertex_count() const { return int(body_.size()); }
    int body_count() const { return int(bodies_.size()); }
    bool simulated(int vertex) const { return vertex < simulated_count_; }
    bool is_plane(int body) const;
    /// The number of a body's field, -1 where it is none.
    int field_of(int body) const;

    const std::string& name(int body) const { return bodies_[std::size_t(body)].name; }
    /// First vertex of a body, to turn vertex numbers back into the object's own points.
    int first_vertex(int body) const { return bodies_[std::size_t(body)].first_vertex; }
    int body(int vertex) const { return body_[std::size_t(vertex)]; }
    double thickness(int vertex) const { return thickness_[std::size_t(vertex)]; }
    /// Whether elements with these vertices may collide at all.
    bool collide(int vertex_a, int vertex_b) const
    {
        return collide_[std::size_t(group_[std::size_t(vertex_a)]) * group_count_ +
                        std::size_t(group_[std::size_t(vertex_b)])];
    }
    Friction friction(int body_a, int body_b) const { return friction_[pair(body_a, body_b)]; }
    /// Factors painted on a vertex: resting, sliding.
    Vec2 friction_scale(int vertex) const
    {
        return friction_scale_.empty() ? Vec2(1, 1) : friction_scale_[std::size_t(vertex)];
    }

    const std::vector<std::int32_t>& points() const { return points_; } ///< ascending
    const std::vector<Vec2i>& edges() const { return edges_; }
    const std::vector<Vec3i>& triangles() const { return triangles_; }
    const std::vector<std::int32_t>& wire_points() const { return wire_points_; }
    const std::vector<std::int32_t>& wire_edges() const { return wire_edges_; } ///< into edges()
    const std::vector<std::int32_t>& planes() const { return planes_; } ///< first vertex of each
    const std::vector<FieldProbe>& probes() const { return probes_; }
    int field_count() const { return int(fields_.size()); }
    const MovingField& field(int field) const { return *fields_[std::size_t(field)].field; }
    int field_vertex(int field) const { return fields_[std::size_t(field)].vertex; }
    double rest_length_squared(int edge) const { return rest_squared_[std::size_t(edge)]; }

private:
    struct Body {
        std::string name;
        int first_vertex, point_count;
        Friction friction;
        std::vector<std::int32_t> groups; // numbers in the table of switches
        bool one_sided = false;
    };

    struct Field {
        std::int32_t vertex; // carries the time
        std::shared_ptr<const MovingField> field;
    };

    void place_probes();
    int add_prescribed(std::string name, int point_count, double thickness, double friction);
    int add_body(std::string name, int first_vertex, int point_count, double thickness,
                 double friction);
    void add_elements(const std::vector<Vec2i>& edges, const std::vector<Vec3i>& triangles,
                      int first_vertex, const VecX& x);
    /// Enlarges the table of switches by a group like `like` (-1: colliding with all).
    std::int32_t new_group(std::int32_t like);
    void mix_friction(int body);
    std::size_t pair(int a, int b) const
    {
        return std::size_t(a) * bodies_.size() + std::size_t(b);
    }

    int simulated_count_;
    std::vector<Body> bodies_;
    std::vector<std::int32_t> body_;
    std::vector<double> thickness_;
    std::vector<std::int32_t> group_;  // of each vertex
    std::size_t group_count_ = 0;      // of all bodies together
    std::vector<char> collide_;        // by pairs of groups
    std::vector<Friction> friction_;   // by pairs of bodies
    std::vector<Vec2> friction_scale_; // of each vertex; empty: 1
    std::vector<int> layer_;           // of each vertex; empty: 0
    std::vector<std::int32_t> points_, wire_points_, wire_edges_, planes_;
    std::vector<Vec2i> edges_;
    std::vector<Vec3i> triangles_;
    std::vector<double> rest_squared_; // of edges
    std::vector<double> longest_;      // [m] of each triangle's sides
    std::vector<Field> fields_;
    std::vector<FieldProbe> probes_;
    VecX rest_; // of simulated vertices
    RestNeighbours near_points_, near_edges_;
};

} // namespace selvage
