#include "core/session/hair_assembly.h"

#include "core/base/error.h"
#include "core/base/nearest_name.h"
#include "core/base/parallel.h"
#include "core/geometry/nearest_surface.h"
#include "core/geometry/polygon_place.h"
#include "core/geometry/triangulate.h"
#include "core/model/hair_builder.h"
#include "core/session/hair_maps.h"
#include "core/session/pin_assembly.h"
#include "core/session/point_selection.h"
#include "core/solver/sag_free.h"

#include <Eigen/Geometry>
#include <fmt/format.h>

namespace selvage
{
namespace
{

constexpr std::pair<const char*, double HairMaterial::*> hair_values[] = {
    {"density", &HairMaterial::density},
    {"young", &HairMaterial::young},
    {"shear", &HairMaterial::shear},
    {"radius", &HairMaterial::radius},
    {"flatness", &HairMaterial::flatness},
    {"stretch_damping", &HairMaterial::stretch_damping},
    {"bend_damping", &HairMaterial::bend_damping},
    {"twist_damping", &HairMaterial::twist_damping},
    {"damping_frequency", &HairMaterial::damping_frequency},
    {"mass_damping", &HairMaterial::mass_damping},
    {"friction", &HairMaterial::friction},
    {"drag", &HairMaterial::drag},
    {"cohesion", &HairMaterial::cohesion},
    {"cohesion_range", &HairMaterial::cohesion_range},
};

int collider_named(const std::string& who, const std::string& name,
                   const std::vector<Collider>& colliders)
{
    std::vector<std::string> known;
    for (std::size_t i = 0; i < colliders.size(); ++i) {
        if (colliders[i].name == name) return int(i);
        known.push_back(colliders[i].name);
    }
    const std::string nearest = nearest_name(name, known);
    throw InputError(fmt::format("{}: root_surface '{}' is no collider of the shot.{}", who, name,
                                 nearest.empty() ? "" : " Did you mean '" + nearest + "'?"));
}

Vec3 place_at(const RootBinding::Place& p, const VecX& x)
{
    Vec3 at = Vec3::Zero();
    for (std::size_t k = 0; k < 4; ++k)
        at += p.weights[Eigen::Index(k)] * x.segment<3>(3 * p.corners[k]);
    return at;
}

/// What curves say of the skin that they grow on: Houdini's primitive attributes `skinprim`, the
/// number of a polygon, and `skinprimuv`, the place on it.
class SkinAttributes
{
public:
    explicit SkinAttributes(const Geometry& curves)
        : polygon_(curves.find(Owner::primitive, "skinprim")),
          uv_(curves.find(Owner::primitive, "skinprimuv"))
    {
        if (polygon_ && (!is_integer(polygon_->storage) || polygon_->is_array)) polygon_ = nullptr;
        if (uv_ && (!is_real(uv_->storage) || uv_->is_array || uv_->tuple_size < 2)) uv_ = nullptr;
    }
    /// −1: none.
    std::int64_t polygon(int curve) const
    {
        return polygon_ ? polygon_->integer(std::size_t(curve)) : -1;
    }
    bool has_place() const { return polygon_ && uv_; }
    double u(int curve) const { return uv_->number(std::size_t(curve), 0); }
    double v(int curve) const { return uv_->number(std::size_t(curve), 1); }

private:
    const Attribute* polygon_;
    const Attribute* uv_;
};

/// Corners of a closed triangle or quad, the last one of a triangle twice; 0 of anything else.
int small_polygon(const Geometry& surface, std::int64_t primitive, std::array<int, 4>& corners)
{
    if (primitive < 0 || primitive >= std::int64_t(surface.primitive_count())) return 0;
    const Primitive& p = surface.primitives()[std::size_t(primitive)];
    if (p.type != PrimitiveType::polygon || !p.closed || p.count < 3 || p.count > 4) return 0;
    for (std::int64_t k = 0; k < 4; ++k) {
        const auto vertex =
            surface.primitive_vertices()[std::size_t(p.first + std::min(k, p.count - 1))];
        corners[std::size_t(k)] = int(surface.vertex_point()[std::size_t(vertex)]);
    }
    return int(p.count);
}

RootBinding bind_roots(const std::string& who, const Hair& hair, const Geometry& geometry,
                       const VecX& x, const VecX& directors, int collider, const Collider& surface,
                       const Geometry& surface_geometry)
{
    const SkinAttributes skin(geometry);
    const std::vector<std::int32_t> polygon = triangulate(surface_geometry).primitive;
    RootBinding out;
    out.collider = collider;
    out.groom = x;
    out.directors.resize(3 * hair.strand_count());
    out.places.resize(std::size_t(hair.strand_count()));
    std::vector<std::uint8_t> outside(out.places.size(), 0);
    parallel_for(out.places.size(), 64, [&](std::size_t s) {
        const int first = hair.strand_begin[s], curve = hair.strand_primitive[s];
        out.directors.segment<3>(3 * Eigen::Index(s)) = directors.segment<3>(3 * first);
        const std::int64_t wanted = skin.polygon(curve);
        RootBinding::Place& p = out.places[s];
        p.triangle = Vec3i::Constant(-1);
        Vec3 near = x.segment<3>(3 * hair.points[std::size_t(first)]);
        int corners = 0;
        if (skin.has_place()) corners = small_polygon(surface_geometry, wanted, p.corners);
        if (corners > 0) {
            const auto weights = polygon_weights(corners, skin.u(curve), skin.v(curve));
            if (!weights) return void(outside[s] = 1);
            p.weights = *weights;
            near = place_at(p, surface.x_start);
        }
        SurfacePlace place;
        if (wanted >= 0)
            place = nearest_surface(near, surface.mesh.triangles, surface.x_start,
                                    [&](int t) { return polygon[std::size_t(t)] == wanted; });
        else
            place = nearest_surface(near, surface.mesh.triangles, surface.x_start);
        if (place.triangle < 0) return;
        p.triangle = surface.mesh.triangles[std::size_t(place.triangle)];
        if (corners == 0) {
            p.corners = {p.triangle[0], p.triangle[1], p.triangle[2], p.triangle[2]};
            p.weights << place.weights, 0;
        }
        p.origin = place_at(p, surface.x_start);
        p.frame = triangle_frame(p.triangle, surface.x_start);
    });
    for (std::size_t s = 0; s < out.places.size(); ++s) {
        const int curve = hair.strand_primitive[s];
        if (outside[s])
            throw InputError(fmt::format(
                "{}: curve {} has skinprimuv ({:g}, {:g}), which lies outside of polygon {} of "
                "collider '{}'. Write the skin attributes anew for this skin.",
                who, curve, skin.u(curve), skin.v(curve), skin.polygon(curve), surface.name));
        if (out.places[s].triangle[0] < 0)
            throw InputError(fmt::format(
                "{}: curve {} has skinprim {}, which is no closed polygon of collider '{}'.", who,
                curve, skin.polygon(curve), surface.name));
    }
    return out;
}

/// Rod points that the group or attributes pin.
std::vector<std::uint8_t> pinned_points(const HairSetup& setup, const Hair& hair,
                                        const Geometry& geometry, const std::string& who)
{
    std::vector<std::uint8_t> chosen(geometry.point_count(), 0);
    const std::string& group = setup.hair.text("pin_group");
    if (!group.empty())
        for (const int p : group_points(geometry, group, who + ": pin_group"))
            chosen[std::size_t(p)] = 1;
    std::vector<std::uint8_t> out;
    bool any = false;
    for (const int p : hair.points) {
        out.push_back(chosen[std::size_t(p)] || pinned_by_attribute(geometry, p));
        any = any || out.back();
    }
    return any ? out : std::vector<std::uint8_t>();
}

/// Whether changes of an animated rest shape are to be added to a solved one.
bool solves_rest_shape(const HairSetup& setup)
{
    return setup.rest && setup.rest->animated() && setup.hair.has("sag_free") &&
           setup.hair.real("sag_free") != 0;
}

} // namespace

HairDrive RootBinding::at(const Hair& hair, const VecX& surface) const
{
    HairDrive d{groom, directors, {}};
    for (std::size_t s = 0; s < places.size(); ++s) {
        const Place& p = places[s];
        const Mat3 R = triangle_frame(p.triangle, surface) * p.frame.transpose();
        const Vec3 origin = place_at(p, surface);
        for (int k = hair.strand_begin[s]; k < hair.strand_begin[s + 1]; ++k) {
            const int point = hair.points[std::size_t(k)];
            d.x.segment<3>(3 * point) = origin + R * (groom.segment<3>(3 * point) - p.origin);
        }
        d.directors.segment<3>(3 * Eigen::Index(s)) = R * directors.segment<3>(3 * Eigen::Index(s));
    }
    return d;
}

HairMaterial hair_material(const HairSetup& setup)
{
    HairMaterial m = hair_preset(setup.hair.text("material")).material;
    for (const auto& [name, member] : hair_values)
        if (setup.hair.has(name)) m.*member = setup.hair.real(name);
    return m;
}

AssembledHair assemble_hair(const HairSetup& setup, const Geometry& geometry, double frame,
                            const std::vector<Collider>& colliders,
                            const std::vector<std::shared_ptr<const Geometry>>& collider_geometry,
                            LogSink& log)
{
    const std::string who = fmt::format("Hair '{}'", setup.name());
    const std::string& roots = setup.hair.text("roots");
    std::optional<VecX> rest;
    if (setup.rest && !solves_rest_shape(setup))
        rest = read_input(*setup.rest, frame, who + ", rest shape")->positions();
    const VecX x_start = geometry.positions();
    AssembledHair out;
    out.hair = make_hair(setup.name(), geometry, rest ? &*rest : nullptr, hair_material(setup),
                         roots == "both_ends" ? HairRoots::both_ends
                         : roots == "none"    ? HairRoots::none
                                              : HairRoots::first_point,
                         log);
    out.hair.self_collision = setup.hair.real("self_collision") != 0;
    out.hair.pinned = pinned_points(setup, out.hair, geometry, who);
    apply_hair_maps(setup.hair, geometry, out.hair);
    out.frames = hair_frames(out.hair, x_start, hair_orient(who, geometry));

    const std::string& surface = setup.hair.text("root_surface");
    if (surface.empty()) return out;
    if (out.hair.roots == HairRoots::none)
        throw InputError(who + ": root_surface needs roots; \"roots\" is \"none\".");
    if (setup.geometry->animated())
        throw InputError(who + ": its geometry is animated, and root_surface would move it too. "
                               "Give one of the two.");
    const int c = collider_named(who, surface, colliders);
    out.binding = bind_roots(who, out.hair, geometry, x_start, out.frames.directors, c,
                             colliders[std::size_t(c)], *collider_geometry[std::size_t(c)]);
    return out;
}

void stack_frames(const std::vector<RodFrames>& frames, int rod_points, State& state)
{
    state.rod_directors.resize(3 * rod_points);
    state.rod_twists.resize(rod_points);
    state.rod_spins = VecX::Zero(rod_points);
    Eigen::Index first = 0;
    for (const RodFrames& f : frames) {
        state.rod_directors.segment(3 * first, f.directors.size()) = f.directors;
        state.rod_twists.segment(first, f.twists.size()) = f.twists;
        first += f.twists.size();
    }
}

void solve_rest_shape(const HairSetup& setup, const Geometry& geometry, std::size_t number,
                      const Vec3& gravity, const State& start, Scene& scene, LogSink& log)
{
    const bool has_rest =
        (setup.rest && !solves_rest_shape(setup)) || geometry.find(Owner::point, "rest");
    const bool wanted = setup.hair.real("sag_free") != 0;
    if (has_rest && wanted && setup.hair.has("sag_free"))
        throw InputError(fmt::format("Hair '{}': sag_free solves for the rest shape, but one is "
                                     "given (`rest`). Drop one of the two.",
                                     setup.name()));
    if (has_rest || !wanted) return;
    const SagFree result = make_sag_free(scene, number, start, gravity);
    if (result.bounded + result.unstable > 0)
        log.message(Severity::warning,
                    fmt::format("Hair '{}': of {} strands, {} are too limp to keep their shape and "
                                "will droop, {} stand up but will fall over (first: curve {}). "
                                "Thicken or stiffen them.",
                                setup.name(), scene.hairs[number].strand_count(), result.bounded,
                                result.unstable, result.first));
}

} // namespace selvage
