#include "core/session/scene_assembly.h"

#include "core/base/error.h"
#include "core/contact/start_check.h"
#include "core/geometry/triangulate.h"
#include "core/model/chambers.h"
#include "core/model/cloth_builder.h"
#include "core/model/scene_contact.h"
#include "core/session/pin_assembly.h"

#include <fmt/format.h>

#include <set>

namespace selvage
{
namespace
{

/// Material values that a shot may override, by parameter name.
constexpr std::pair<const char*, double ClothMaterial::*> material_values[] = {
    {"density", &ClothMaterial::density},
    {"thickness", &ClothMaterial::thickness},
    {"young_warp", &ClothMaterial::young_warp},
    {"young_weft", &ClothMaterial::young_weft},
    {"shear", &ClothMaterial::shear},
    {"poisson", &ClothMaterial::poisson},
    {"stretch_limit", &ClothMaterial::stretch_limit},
    {"bend_warp", &ClothMaterial::bend_warp},
    {"bend_weft", &ClothMaterial::bend_weft},
    {"yield_angle", &ClothMaterial::yield_angle},
    {"yield_rate", &ClothMaterial::yield_rate},
    {"bend_poisson", &ClothMaterial::bend_poisson},
    {"stretch_damping", &ClothMaterial::stretch_damping},
    {"bend_damping", &ClothMaterial::bend_damping},
    {"mass_damping", &ClothMaterial::mass_damping},
    {"drag_normal", &ClothMaterial::drag_normal},
    {"drag_tangent", &ClothMaterial::drag_tangent},
    {"lift", &ClothMaterial::lift},
    {"friction", &ClothMaterial::friction},
};

/// Runs `build`, which complains as "who: …" or "who, part: …", and adds where the input came from.
template <class Build>
auto with_source(const std::string& who, const GeometrySource& source, double frame, Build&& build)
{
    try {
        return build();
    } catch (const InputError& e) {
        std::string text = e.what();
        if (text.rfind(who, 0) == 0) text = text.substr(who.size());
        throw InputError(input_name(source, frame, who) +
                         (text[0] == ':' || text[0] == ',' ? "" : ": ") + text);
    }
}

/// The chambers that a cloth's pressure fills; none without pressure.
std::vector<ClothChamber> chambers_of(const ClothSetup& setup, const Cloth& cloth, int number,
                                      LogSink& log)
{
    const ParameterSet& p = setup.pressure;
    const std::string& model = p.text("model");
    if (model == "none") {
        if (p.has("pressure"))
            log.message(Severity::warning,
                        fmt::format("Cloth '{}': pressure.pressure has no effect without "
                                    "pressure.model.",
                                    cloth.name));
        return {};
    }
    std::vector<ClothChamber> chambers = make_chambers(
        cloth, number, {p.real("close_holes") != 0, p.real("per_piece") != 0, p.real("flip") != 0},
        log);
    for (const ClothChamber& c : chambers)
        if (model != "constant" && !p.has("volume") && !(c.rest_volume > 1e-12))
            throw InputError(fmt::format(
                "Cloth '{}': its rest shape holds no volume. Give pressure.volume in m³, or use "
                "\"model\": \"constant\".",
                cloth.name));
    return chambers;
}

RestChoice rest_choice(const ClothSetup& c)
{
    const std::string& from = c.rest_parameters.text("from");
    return {from == "geometry"    ? RestFrom::geometry
            : from == "attribute" ? RestFrom::attribute
            : from == "pattern"   ? RestFrom::pattern
                                  : RestFrom::automatic,
            c.rest_parameters.real("pattern_scale")};
}

void start_velocities(const Geometry& geometry, const std::string& who, Eigen::Ref<VecX> v)
{
    const Attribute* a = geometry.find(Owner::point, "v");
    if (!a || a->tuple_size < 3 || a->is_array || is_text(a->storage)) return;
    const VecX given = geometry.vectors("v");
    require_finite(given, who + ", velocity v");
    v = given;
}

/// Pairs with which a barrier cannot start: an error that names them, or pairs that never collide.
void check_start(const SessionSetup& setup, const VecX& x, LogSink& log, Scene& scene)
{
    constexpr std::size_t most_listed = 5;
    if (!scene.collisions.enabled) return;
    const ContactMesh mesh = scene_contact_mesh(scene);
    std::vector<VecX> colliders;
    for (const Collider& c : scene.colliders) colliders.push_back(c.x_start);
    VecX all(x.size() + 3 * mesh.prescribed_count());
    all << x, stacked_colliders(colliders);
    const std::vector<OffendingPair> pairs = find_offending_pairs(mesh, all);
    if (pairs.empty()) return;
    std::string list;
    for (std::size_t i = 0; i < std::min(pairs.size(), most_listed); ++i)
        list += "\n  " + describe(mesh, pairs[i]);
    if (pairs.size() > most_listed)
        list += fmt::format("\n  and {} more", pairs.size() - most_listed);
    if (setup.collision.text("on_intersection") == "error")
        throw InputError(fmt::format(
            "At frame {}, {} pairs of surfaces intersect or are nearer than their thickness:{}\n"
            "Move them apart, lower the thickness, or set collision.on_intersection to "
            "\"ignore_pairs\".",
            setup.first_frame(), pairs.size(), list));
    log.message(Severity::warning,
                fmt::format("{} pairs of surfaces intersect at frame {} and will not collide:{}",
                            pairs.size(), setup.first_frame(), list));
    scene.collisions.filter = ignore_pairs(mesh, pairs);
}

} // namespace

ClothMaterial material_at(const ClothSetup& setup, double frame)
{
    ClothMaterial m = cloth_preset(setup.cloth.text("material")).material;
    for (const auto& [name, member] : material_values)
        if (setup.cloth.has(name)) m.*member = setup.cloth.real(name, frame);
    if (setup.cloth.text("bending_model") == "shape") m.bending_model = BendingModel::shape;
    return m;
}

bool material_animated(const ClothSetup& setup)
{
    for (const auto& [name, member] : material_values)
        if (setup.cloth.animated(name)) return true;
    return false;
}

StepSettings step_settings(const SessionSetup& setup, double frame)
{
    StepSettings s;
    s.integrator = setup.solver.text("integrator") == "bdf2" ? Integrator::bdf2 : Integrator::bdf1;
    s.tolerance = setup.solver.real("tolerance", frame);
    s.max_iterations = setup.solver.integer("max_iterations");
    s.linear = setup.solver.text("linear");
    s.linear_tolerance = setup.solver.real("linear_tolerance");
    return s;
}

AssembledScene assemble_scene(const SessionSetup& setup, LogSink& log)
{
    AssembledScene out;
    auto scene = std::make_shared<Scene>();
    const double frame = setup.first_frame();
    if (setup.cloths.empty())
        throw InputError("The shot has nothing to simulate: add an entry to \"cloth\".");

    std::set<std::string> names;
    std::vector<VecX> masses, positions, velocities;
    int vertices = 0;
    out.pins_of_cloth.push_back(0);
    for (const ClothSetup& c : setup.cloths) {
        const std::string who = fmt::format("Cloth '{}'", c.name());
        if (!names.insert(c.name()).second)
            throw InputError(who + " appears twice. Give each object its own name.");
        const auto geometry = read_input(*c.geometry, frame, who);
        std::optional<VecX> rest;
        if (c.rest) rest = read_input(*c.rest, frame, who + ", rest shape")->positions();
        Cloth cloth = with_source(who, *c.geometry, frame, [&] {
            return make_cloth(c.name(), *geometry, rest ? &*rest : nullptr, material_at(c, frame),
                              log, rest_choice(c));
        });
        cloth.first_vertex = vertices;
        cloth.self_collision = c.cloth.real("self_collision") != 0;
        vertices += cloth.point_count();
        masses.push_back(cloth_mass(cloth, *geometry));
        for (const int p : loose_points(cloth)) masses.back()[p] = 1; // never moves on its own
        for (Pin& pin : pins_of(c, cloth, *geometry, log)) scene->pins.push_back(pin);
        out.pins_of_cloth.push_back(int(scene->pins.size()));

        const auto initial =
            c.initial ? read_input(*c.initial, frame, who + ", start pose") : geometry;
        if (initial->point_count() != geometry->point_count())
            throw InputError(fmt::format(
                "{}: the geometry to start from ({}) has {} points, the cloth {}.", who,
                c.initial->describe(frame), initial->point_count(), geometry->point_count()));
        positions.push_back(initial->positions());
        require_finite(positions.back(), who + ", start pose");
        velocities.push_back(VecX::Zero(positions.back().size()));
        start_velocities(*initial, who, velocities.back());
        for (ClothChamber& chamber : chambers_of(c, cloth, int(scene->cloths.size()), log))
            scene->chambers.push_back(std::move(chamber));
        scene->cloths.push_back(std::move(cloth));
        out.cloth_geometry.push_back(geometry);
    }
    for (const ColliderSetup& c : setup.colliders) {
        const std::string who = fmt::format("Collider '{}'", c.name());
        const auto geometry = read_input(*c.geometry, frame, who);
        with_source(who, *c.geometry, frame, [&] { require_finite(geometry->positions(), who); });
        Collider collider;
        collider.name = c.name();
        collider.friction = c.collider.real("friction");
        collider.thickness = c.collider.real("thickness");
        collider.x_start = geometry->positions();
        collider.mesh = mesh_topology(triangulate(*geometry).triangles);
        if (collider.mesh.triangles.empty())
            throw InputError(
                fmt::format("{} ({}) has no closed polygons.", who, c.geometry->describe(frame)));
        scene->colliders.push_back(std::move(collider));
        out.collider_points.push_back(geometry->point_count());
    }

    scene->mass.resize(vertices);
    scene->mass_damping.resize(vertices);
    out.start.x.resize(3 * vertices);
    out.start.v.resize(3 * vertices);
    for (std::size_t i = 0; i < scene->cloths.size(); ++i) {
        const Cloth& c = scene->cloths[i];
        scene->mass.segment(c.first_vertex, c.point_count()) = masses[i];
        scene->mass_damping.segment(c.first_vertex, c.point_count())
            .setConstant(c.material.mass_damping);
        out.start.x.segment(3 * c.first_vertex, 3 * c.point_count()) = positions[i];
        out.start.v.segment(3 * c.first_vertex, 3 * c.point_count()) = velocities[i];
    }
    scene->collisions.enabled = setup.collision.real("enabled") != 0;
    scene->collisions.gap = setup.collision.real("gap");
    scene->collisions.stick_speed = setup.collision.real("stick_speed");
    scene->collisions.friction_iterations = setup.collision.integer("friction_iterations");
    assemble_links(setup, out.cloth_geometry, out.start.x, *scene, out.link_places, log);
    check_start(setup, out.start.x, log, *scene);
    out.scene = std::move(scene);
    return out;
}

} // namespace selvage
