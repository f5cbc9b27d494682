#pragma once

#include "core/base/types.h"
#include "core/geometry/geometry.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace selvage
{

/// One object to be judged. A rest geometry (same topology) fixes the triangulation of its polygons
/// and gives the strain its reference.
struct NamedGeometry {
    std::string name;
    Geometry geometry;
    std::optional<Geometry> rest;
    /// Where there is no rest geometry: a pose by which polygons are cut, as the solver does once
    /// at the start; bent quads would else be cut anew in every frame. Unused where topologies
    /// differ.
    std::optional<Geometry> cut_by = std::nullopt;
};

/// A point, edge or triangle by the numbers an artist sees.
struct ElementId {
    std::int32_t object = -1;    ///< into the list of objects
    std::int32_t primitive = -1; ///< one it belongs to; −1 for a point that stands alone
    std::array<std::int32_t, 3> points = {-1, -1, -1}; ///< unused ones are −1
};

bool operator==(const ElementId& a, const ElementId& b);
bool operator<(const ElementId& a, const ElementId& b); ///< object, primitive, points

/// The elements of all objects in one numbering: points of object k start at first_point[k].
/// Elements with a point that is not finite are left out, as are tetrahedra.
struct Elements {
    struct Edge {
        Vec2i points;
        std::int32_t object, primitive;
        bool curve; ///< segment of an open polygon
        bool root;  ///< the first segment of its curve
    };
    struct Triangle {
        Vec3i points;
        std::int32_t object, primitive;
    };

    std::vector<std::string> objects;
    std::vector<std::int32_t> first_point; ///< per object, plus the total
    std::vector<Vec3> x;
    std::vector<Edge> edges;         ///< each pair of points once per object, then curve segments
    std::vector<Triangle> triangles; ///< by object and primitive
    std::vector<std::int32_t> place; ///< lowest point at exactly the same position
    std::vector<std::int32_t> point_primitive; ///< lowest primitive of a point; −1: none
    std::vector<std::int32_t> non_finite;      ///< points with NaN or infinity
    std::vector<char> released; ///< points that the solver let pass (attribute `sv_released`)

    ElementId id(const Edge& edge) const;
    ElementId id(const Triangle& triangle) const;
    ElementId point_id(std::int32_t point) const;
};

/// Throws InputError where an object's rest geometry does not match.
Elements gather_elements(const std::vector<NamedGeometry>& objects);

} // namespace selvage
