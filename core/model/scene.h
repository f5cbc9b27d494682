#pragma once

#include "core/base/types.h"
#include "core/contact/broad_phase.h"
#include "core/energy/chamber_pressure.h"
#include "core/geometry/mesh_topology.h"
#include "core/geometry/moving_field.h"
#include "core/model/hair.h"
#include "core/model/link.h"
#include "core/model/material.h"
#include "core/model/point_map.h"
#include "core/model/rest_state.h"
#include "core/model/solid_material.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace selvage
{

/// What is painted on the points of an object for contact; empty: the object's own everywhere.
struct ContactMaps {
    VecX thickness;                  ///< [m]
    VecX friction, dynamic_friction; ///< factors of the coefficients, >= 0
    std::vector<int> layer;          ///< higher ones lie outside of lower ones; empty: 0
    std::vector<int> group;          ///< which of the object's collision groups, from 0
};

/// One sheet of cloth; its points are the scene's vertices [first_vertex, first_vertex + n).
struct Cloth {
    std::string name;
    int first_vertex = 0;
    MeshTopology mesh;                   ///< in the cloth's own point numbers
    std::vector<int> triangle_primitive; ///< input polygon of each triangle, for messages
    VecX x_rest;                         ///< [m] positions that the rest shape was taken from
    RestShape rest;                      ///< lengths and angles at rest: from x_rest, or a pattern
    std::vector<Vec3> warp;              ///< unit warp direction per triangle, in x_rest
    std::vector<Vec2> warp_weights;      ///< the same in terms of rest edges, see stvk_membrane.h
    ClothMaterial material;
    bool self_collision = true;
    ClothMaps maps;  ///< material values painted on points
    VecX rest_blend; ///< per point multiplier of RestDrive::blend
    VecX rest_scale; ///< per point multiplier of the rest lengths: local growth
    ContactMaps contact;

    int point_count() const { return int(x_rest.size() / 3); }
    /// A figure of the material at some of the cloth's points: the mean of what is painted there.
    template <class Points> double at(const Points& points, double ClothMaterial::*value) const
    {
        return maps.mean(points, material, value);
    }
    /// The same at every point.
    VecX at_points(double ClothMaterial::*value) const
    {
        VecX out(point_count());
        for (int p = 0; p < point_count(); ++p) out[p] = at(std::array{p}, value);
        return out;
    }
    /// Rayleigh's β [s] of a damping ratio: viscosity = β × stiffness gives a mode of frequency f
    /// the ratio π f β.
    template <class Points>
    double rayleigh(const Points& points, double ClothMaterial::*ratio) const
    {
        return at(points, ratio) / (M_PI * at(points, &ClothMaterial::damping_frequency));
    }
};

/// A body of tetrahedra; its points are the scene's vertices [first_vertex, first_vertex + n).
struct Solid {
    std::string name;
    int first_vertex = 0;
    std::vector<Vec4i> tets;        ///< in the solid's own point numbers, positive at rest
    std::vector<int> tet_primitive; ///< input primitive of each, for messages
    MeshTopology surface;           ///< faces of only one tetrahedron, counter-clockwise outside
    VecX x_rest;                    ///< [m]
    SolidMaterial material;
    SolidMaps maps; ///< material values painted on points
    ContactMaps contact;
    std::vector<Vec3> fibers; ///< rest direction per tetrahedron; empty: none

    int point_count() const { return int(x_rest.size() / 3); }
    /// The material at some of the solid's points: the mean of what is painted there.
    template <class Points> SolidMaterial at(const Points& points) const
    {
        return maps.mean(points, material);
    }
    /// A figure of it at every point.
    VecX at_points(double SolidMaterial::*value) const
    {
        VecX out(point_count());
        for (int p = 0; p < point_count(); ++p) out[p] = maps.mean(std::array{p}, material, value);
        return out;
    }
};

/// A vertex that follows an animated target: exactly, or by a spring.
struct Pin {
    int vertex = 0;
    double stiffness = 0; ///< [N/m]; 0 makes it exact
    double damping = 0;   ///< [s] Rayleigh β of the spring
};

/// The air inside a cloth.
struct ClothChamber {
    int cloth = 0;
    Chamber chamber;        ///< in scene vertices
    double rest_volume = 0; ///< [m³]
};

/// An animated obstacle; its points are not unknowns.
struct Collider {
    std::string name;
    MeshTopology mesh;
    VecX x_start;       ///< [m] at the start frame
    bool plane = false; ///< a half-space, through the first three points
    /// A signed distance at the start, in place of a mesh; its one point carries the time.
    std::shared_ptr<const MovingField> field;
    bool one_sided = false;       ///< pushes along its normals only
    double thickness = 0;         ///< [m] half of it is kept around the surface
    double friction = 0.4;        ///< Coulomb coefficient at rest
    double dynamic_friction = -1; ///< while sliding; negative: the same
    ContactMaps contact;
};

/// Friction of a pair of objects; they are counted through cloths, solids, colliders.
struct PairFriction {
    int object_a = 0, object_b = 0;
    Friction friction;
};

/// Two collision groups that pass through each other.
struct IgnoredGroups {
    int object_a = 0, group_a = 0;
    int object_b = 0, group_b = 0;
};

/// How surfaces keep apart.
struct Collisions {
    bool enabled = true;
    double gap = 1e-3; ///< d̂ [m]: the distance beyond the thickness at which they begin to push
    double stick_speed = 1e-3;   ///< [m/s] sliding slower than this counts as sticking
    int friction_iterations = 1; ///< how often a step may take normal forces for friction anew
    std::vector<PairFriction> friction;
    std::vector<IgnoredGroups> ignored;
    PairFilter filter; ///< drops pairs that never collide; empty: keeps all
    /// Whether cloth that colliders or pins pinch is let through them, or holds them up.
    bool release_pinched = true;
    double release_speed = 0.2; ///< [m/s] at which released points are drawn out of colliders
};

/// What is simulated: authored, and constant during a step.
struct Scene {
    std::vector<Cloth> cloths;
    std::vector<Solid> solids;
    std::vector<Hair> hairs;
    std::vector<Collider> colliders;
    Collisions collisions;
    std::vector<Pin> pins;
    std::vector<LinkSet> links; ///< attachments and seams
    std::vector<ClothChamber> chambers;
    VecX mass;         ///< [kg] per vertex
    VecX mass_damping; ///< [1/s] per vertex

    int vertex_count() const { return int(mass.size()); }
};

} // namespace selvage
