#pragma once

#include "core/base/types.h"
#include "core/geometry/attribute.h"
#include "core/geometry/distance_field.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace selvage
{

enum class PrimitiveType : std::uint8_t { polygon, polygon_soup, tetrahedron };

/// A primitive owns a run of entries in Geometry::primitive_vertices.
struct Primitive {
    PrimitiveType type = PrimitiveType::polygon;
    bool closed = true;          ///< polygons: false makes an open curve
    std::int64_t first = 0;      ///< into primitive_vertices
    std::int64_t count = 0;      ///< vertices of this primitive
    std::int64_t soup_first = 0; ///< soups: into soup_polygon_sizes
    std::int64_t soup_count =
        0; ///< soups: number of polygons; their vertices lie one after the other
};

/// Membership of points, vertices or primitives; an ordered group also keeps the sequence.
struct Group {
    std::string name;
    Owner owner = Owner::point;
    std::vector<std::uint8_t> member; ///< one entry per element, 0 or 1
    bool ordered = false;
    std::vector<std::int64_t> order; ///< when ordered: members in sequence
    std::string options_json;

    std::size_t count() const;
};

/// Pairs of point numbers.
struct EdgeGroup {
    std::string name;
    std::vector<std::array<std::int64_t, 2>> edges;
    std::string options_json;
};

/// Geometry as a host hands it over: points, vertices, primitives, attributes and groups, all of
/// which survive a round trip. Copies share attributes (and topology is plain vectors), so that a
/// frame's result costs only what changed.
///
/// The position attribute "P" (point, 3 reals) is always present once there are points.
class Geometry
{
public:
    std::size_t point_count() const { return point_count_; }
    std::size_t vertex_count() const { return topology_->vertex_point.size(); }
    std::size_t primitive_count() const { return topology_->primitives.size(); }
    std::size_t element_count(Owner) const;

    // Topology.
    const std::vector<std::int32_t>& vertex_point() const { return topology_->vertex_point; }
    const std::vector<std::int32_t>& primitive_vertices() const
    {
        return topology_->primitive_vertices;
    }
    const std::vector<std::int32_t>& soup_polygon_sizes() const
    {
        return topology_->soup_polygon_sizes;
    }
    const std::vector<Primitive>& primitives() const { return topology_->primitives; }
    /// True when both share or equal the same topology (points, vertices, primitives).
    bool same_topology(const Geometry& other) const;
    /// The first primitive that differs in kind or in the points it connects, or that only one of
    /// the two has; none where all agree, in whatever order their vertices are stored.
    std::optional<std::size_t> first_different_primitive(const Geometry& other) const;
    /// Point numbers of a primitive, in order.
    std::vector<std::int32_t> points_of(const Primitive& primitive) const;

    /// Building. Adding points extends every point attribute with zeros, and so on.
    void set_point_count(std::size_t count);
    /// Appends a polygon (closed) or an open curve over these points; returns its primitive number.
    std::size_t add_polygon(const std::vector<int>& points, bool closed = true);
    std::size_t add_tetrahedron(const std::array<int, 4>& points);
    std::size_t add_soup(const std::vector<std::vector<int>>& polygons);
    /// Bulk: replaces the whole topology; sizes are checked, InputError names what is out of range.
    void set_topology(std::size_t points, std::vector<std::int32_t> vertex_point,
                      std::vector<std::int32_t> primitive_vertices,
                      std::vector<std::int32_t> soup_polygon_sizes,
                      std::vector<Primitive> primitives);

    // Attributes. The order of insertion is kept.
    const std::vector<std::shared_ptr<const Attribute>>& attributes() const { return attributes_; }
    const Attribute* find(Owner owner, const std::string& name) const;
    /// As find, but throws InputError "... has no point attribute 'name'".
    const Attribute& get(Owner owner, const std::string& name) const;
    /// Adds or replaces; the number of elements must match.
    void set(Attribute attribute);
    void set(std::shared_ptr<const Attribute> attribute);
    void remove(Owner owner, const std::string& name);

    /// Attributes that only the file's format understands.
    const std::vector<OpaqueAttribute>& opaque_attributes() const { return opaque_; }
    void add_opaque(OpaqueAttribute attribute) { opaque_.push_back(std::move(attribute)); }

    // Positions and other 3-vectors per point, as doubles.
    VecX positions() const { return vectors("P"); }
    VecX vectors(const std::string& point_attribute) const;
    /// Stored as real32 unless the attribute exists as real64 or `storage` says so.
    void set_positions(const VecX& x) { set_vectors("P", x, "point"); }
    void set_vectors(const std::string& point_attribute, const VecX& values,
                     const std::string& type_info = "vector", Storage storage = Storage::real32);
    void set_scalars(const std::string& point_attribute, const VecX& values,
                     Storage storage = Storage::real32);

    // Groups.
    const std::vector<Group>& groups() const { return groups_; }
    const std::vector<EdgeGroup>& edge_groups() const { return edge_groups_; }
    const Group* find_group(Owner owner, const std::string& name) const;
    void set_group(Group group);
    void set_edge_group(EdgeGroup group);

    /// Volumes that came with it; they are not written.
    std::vector<Volume> volumes;

    /// Houdini's "info" object as JSON text; not interpreted.
    std::string info_json;

private:
    struct Topology {
        std::vector<std::int32_t> vertex_point;
        std::vector<std::int32_t> primitive_vertices;
        std::vector<std::int32_t> soup_polygon_sizes;
        std::vector<Primitive> primitives;
    };
    Topology& own_topology();
    void append_vertices(const std::vector<int>& points, Primitive primitive);
    void resize_elements(Owner owner);

    std::size_t point_count_ = 0;
    std::shared_ptr<Topology> topology_ = std::make_shared<Topology>();
    std::vector<std::shared_ptr<const Attribute>> attributes_;
    std::vector<OpaqueAttribute> opaque_;
    std::vector<Group> groups_;
    std::vector<EdgeGroup> edge_groups_;
};

} // namespace selvage
