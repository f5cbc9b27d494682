#include "core/session/scene_assembly.h"

#include "core/base/error.h"
#include "core/geometry/triangulate.h"
#include "core/model/chambers.h"
#include "core/model/cloth_builder.h"
#include "core/model/solid_builder.h"
#include "core/session/contact_assembly.h"
#include "core/session/field_assembly.h"
#include "core/session/pin_assembly.h"
#include "core/session/scene_units.h"
#include "core/session/start_policy.h"

#include <fmt/format.h>

#include <cassert>
#include <optional>
#include <set>

namespace selvage
{
namespace
{

constexpr std::pair<const char*, BendingModel> bending_models[] = {
    {"hinge", BendingModel::hinge},
    {"shape", BendingModel::shape},
    {"hinge_angle", BendingModel::hinge_angle}};

constexpr std::pair<const char*, MembraneModel> membrane_models[] = {
    {"stvk", MembraneModel::stvk},
    {"neo_hookean", MembraneModel::neo_hookean},
    {"baraff_witkin", MembraneModel::baraff_witkin},
    {"arap", MembraneModel::arap},
    {"spline", MembraneModel::spline},
};

constexpr std::pair<const char*, SolidModel> solid_models[] = {
    {"stable_neo_hookean", SolidModel::stable_neo_hookean},
    {"neo_hookean", SolidModel::neo_hookean},
    {"fixed_corotational", SolidModel::fixed_corotational},
    {"arap", SolidModel::arap},
    {"stvk", SolidModel::stvk},
    {"mooney_rivlin", SolidModel::mooney_rivlin},
    {"arruda_boyce", SolidModel::arruda_boyce},
    {"fung", SolidModel::fung},
};

/// The model of that name; the table of parameters knows no other.
template <class Model, std::size_t N>
Model model_named(const std::string& name, const std::pair<const char*, Model> (&models)[N])
{
    const auto it = std::find_if(std::begin(models), std::end(models),
                                 [&](const auto& m) { return name == m.first; });
    assert(it != std::end(models));
    return it->second;
}

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
        if (p.has("pressure") && p.real("pressure") != 0)
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

/// What the vertices of an object start with.
struct Start {
    VecX mass, mass_damping, x, v;
};

/// The start pose and velocities: of `initial` where given, else of the object itself.
void read_start(const std::string& who, const std::shared_ptr<GeometrySource>& initial,
                const Geometry& geometry, double frame, Start& start)
{
    const auto given = initial ? read_input(*initial, frame, who + ", start pose") : nullptr;
    const Geometry& from = given ? *given : geometry;
    if (from.point_count() != geometry.point_count())
        throw InputError(fmt::format("{}: the geometry to start from ({}) has {} points, the "
                                     "object {}.",
                                     who, initial->describe(frame), from.point_count(),
                                     geometry.point_count()));
    start.x = from.positions();
    require_finite(start.x, who + ", start pose");
    start.v = VecX::Zero(start.x.size());
    start_velocities(from, who, start.v);
}

/// Stacks what the objects start with.
void stack_starts(const std::vector<Start>& starts, Scene& scene, State& state)
{
    Eigen::Index vertices = 0, first = 0;
    for (const Start& s : starts) vertices += s.mass.size();
    scene.mass.resize(vertices);
    scene.mass_damping.resize(vertices);
    state.x.resize(3 * vertices);
    state.v.resize(3 * vertices);
    for (const Start& s : starts) {
        scene.mass.segment(first, s.mass.size()) = s.mass;
        scene.mass_damping.segment(first, s.mass.size()) = s.mass_damping;
        state.x.segment(3 * first, s.x.size()) = s.x;
        state.v.segment(3 * first, s.v.size()) = s.v;
        first += s.mass.size();
    }
}

/// Polygons and, as wires, open curves. Geometry with neither collides by its points alone.
MeshTopology collider_mesh(const Geometry& geometry)
{
    MeshTopology mesh = mesh_topology(triangulate(geometry).triangles);
    for (const std::vector<int>& strand : strands(geometry))
        for (std::size_t i = 0; i + 1 < strand.size(); ++i)
            mesh.edges.emplace_back(strand[i], strand[i + 1]);
    return mesh;
}

/// Puts further pins at the end of those of their objects; a vertex that is pinned stays so.
void join_pins(const std::vector<Pin>& further, Scene& scene, std::vector<int>& pins_of_cloth,
               std::vector<int>& pins_of_solid)
{
    if (further.empty()) return;
    std::vector<Pin> joined;
    const auto join = [&](const auto& objects, std::vector<int>& first_pin) {
        const std::vector<int> old = first_pin;
        for (std::size_t i = 0; i < objects.size(); ++i) {
            first_pin[i] = int(joined.size());
            std::set<int> pinned;
            const auto add = [&](const Pin& p) {
                if (pinned.insert(p.vertex).second) joined.push_back(p);
            };
            for (int k = old[i]; k < old[i + 1]; ++k) add(scene.pins[std::size_t(k)]);
            const int first = objects[i].first_vertex, end = first + objects[i].point_count();
            for (const Pin& p : further)
                if (p.vertex >= first && p.vertex < end) add(p);
        }
        first_pin.back() = int(joined.size());
    };
    join(scene.cloths, pins_of_cloth);
    join(scene.solids, pins_of_solid);
    scene.pins = std::move(joined);
}

} // namespace

ClothMaterial material_at(const ClothSetup& setup, double frame)
{
    ClothMaterial m = cloth_preset(setup.cloth.text("material")).material;
    for (const MaterialValue& v : material_values())
        if (setup.cloth.has(v.name)) m.*v.value = setup.cloth.real(v.name, frame);
    m.bending_model = model_named(setup.cloth.text("bending_model"), bending_models);
    m.membrane_model = model_named(setup.cloth.text("membrane_model"), membrane_models);
    m.warp_curve = setup.cloth.curve("warp_curve");
    m.weft_curve = setup.cloth.curve("weft_curve");
    m.shear_curve = setup.cloth.curve("shear_curve");
    return m;
}

std::map<std::string, double> material_numbers(const ClothMaterial& material)
{
    std::map<std::string, double> out;
    for (const MaterialValue& v : material_values()) out[v.name] = material.*v.value;
    return out;
}

SolidMaterial solid_material(const SolidSetup& setup)
{
    const ParameterSet& p = setup.solid;
    SolidMaterial m;
    m.model = model_named(p.text("model"), solid_models);
    for (const Figure<SolidMaterial>& f : solid_values())
        if (p.has(f.name)) m.*f.value = p.real(f.name);
    return m;
}

bool material_animated(const ClothSetup& setup)
{
    const auto& values = material_values();
    return std::any_of(values.begin(), values.end(),
                       [&](const MaterialValue& v) { return setup.cloth.animated(v.name); });
}

StepSettings step_settings(const SessionSetup& setup, double frame)
{
    StepSettings s;
    s.integrator = setup.solver.text("integrator") == "bdf2" ? Integrator::bdf2 : Integrator::bdf1;
    s.tolerance = setup.solver.real("tolerance", frame);
    s.max_iterations = setup.solver.integer("max_iterations");
    s.linear = setup.solver.text("linear");
    s.linear_tolerance = setup.solver.real("linear_tolerance");
    const std::string& hair = setup.solver.text("hair_contact");
    s.hair_contact = hair == "none"      ? HairContact::none
                     : hair == "impulse" ? HairContact::impulse
                     : hair == "linear"  ? HairContact::linear
                                         : HairContact::adaptive;
    s.hair_stretch = setup.solver.real("hair_stretch");
    s.budget_iterations = setup.solver.integer("budget_iterations");
    s.budget_seconds = setup.solver.real("budget_seconds");
    return s;
}

AssembledScene assemble_scene(const SessionSetup& setup, LogSink& log)
{
    AssembledScene out;
    auto scene = std::make_shared<Scene>();
    const double frame = setup.first_frame();
    if (setup.cloths.empty() && setup.solids.empty() && setup.hairs.empty())
        throw InputError(
            "The shot has nothing to simulate: add an entry to \"cloth\", \"solids\" or "
            "\"hair\".");

    if (setup.solver.text("method") == "hair" &&
        (setup.hairs.empty() || !setup.cloths.empty() || !setup.solids.empty()))
        throw InputError(
            "Solver method \"hair\" simulates hair alone: it knows neither cloth nor solids. Set "
            "\"solver\": { \"method\": \"barrier\" }, which couples them all, or give the hair a "
            "shot of its own.");

    std::set<std::string> names;
    std::vector<Start> starts;
    int vertices = 0;
    out.pins_of_cloth.push_back(0);
    for (const ClothSetup& c : setup.cloths) {
        const std::string who = fmt::format("Cloth '{}'", c.name());
        if (!names.insert(c.name()).second)
            throw InputError(who + " appears twice. Give each object its own name.");
        const auto geometry = read_input(*c.geometry, frame, who);
        judge_size_and_place(who, *geometry, setup.shot.real("unit"), log);
        std::optional<VecX> rest;
        if (c.rest) rest = read_input(*c.rest, frame, who + ", rest shape")->positions();
        Cloth cloth = with_source(who, *c.geometry, frame, [&] {
            return make_cloth(c.name(), *geometry, rest ? &*rest : nullptr, material_at(c, frame),
                              log, rest_choice(c));
        });
        cloth.first_vertex = vertices;
        cloth.self_collision = c.cloth.real("self_collision") != 0;
        vertices += cloth.point_count();
        Start start;
        start.mass = cloth_mass(cloth, *geometry);
        start.mass_damping = cloth.at_points(&ClothMaterial::mass_damping);
        for (const int p : loose_points(cloth)) start.mass[p] = 1; // never moves on its own
        read_start(who, c.initial, *geometry, frame, start);
        for (Pin& pin :
             pins_of(c.pins,
                     {who, cloth.first_vertex, cloth.x_rest, cloth.mesh.edges, loose_points(cloth)},
                     *geometry, log))
            scene->pins.push_back(pin);
        out.pins_of_cloth.push_back(int(scene->pins.size()));
        for (ClothChamber& chamber : chambers_of(c, cloth, int(scene->cloths.size()), log))
            scene->chambers.push_back(std::move(chamber));
        starts.push_back(std::move(start));
        scene->cloths.push_back(std::move(cloth));
        out.cloth_geometry.push_back(geometry);
    }
    out.pins_of_solid.push_back(int(scene->pins.size()));
    for (const SolidSetup& s : setup.solids) {
        const std::string who = fmt::format("Solid '{}'", s.name());
        if (!names.insert(s.name()).second)
            throw InputError(who + " appears twice. Give each object its own name.");
        const auto geometry = read_input(*s.geometry, frame, who);
        judge_size_and_place(who, *geometry, setup.shot.real("unit"), log);
        Solid solid = with_source(who, *s.geometry, frame, [&] {
            return make_solid(s.name(), *geometry, solid_material(s), log);
        });
        solid.first_vertex = vertices;
        vertices += solid.point_count();
        Start start;
        start.mass = solid_mass(solid, *geometry);
        start.mass_damping = solid.at_points(&SolidMaterial::mass_damping);
        for (const int p : loose_points(solid)) start.mass[p] = 1;
        read_start(who, s.initial, *geometry, frame, start);
        require_positive_volumes(solid, start.x);
        for (Pin& pin : pins_of(
                 s.pins,
                 {who, solid.first_vertex, solid.x_rest, solid.surface.edges, loose_points(solid)},
                 *geometry, log))
            scene->pins.push_back(pin);
        out.pins_of_solid.push_back(int(scene->pins.size()));
        starts.push_back(std::move(start));
        scene->solids.push_back(std::move(solid));
        out.solid_geometry.push_back(geometry);
    }
    std::vector<std::shared_ptr<const Geometry>> collider_geometry;
    for (const ColliderSetup& c : setup.colliders) {
        const std::string who = fmt::format("Collider '{}'", c.name());
        const auto geometry = read_input(*c.geometry, frame, who);
        Collider collider;
        collider.name = c.name();
        collider.friction = c.collider.real("friction");
        if (c.collider.has("dynamic_friction"))
            collider.dynamic_friction = c.collider.real("dynamic_friction");
        collider.thickness = c.collider.real("thickness");
        collider.plane = c.is_plane();
        collider.one_sided = c.collider.real("one_sided") != 0;
        if (is_field(c, *geometry))
            set_field(c, frame, log, collider);
        else {
            with_source(who, *c.geometry, frame,
                        [&] { require_finite(geometry->positions(), who); });
            collider.x_start = geometry->positions();
            collider.mesh = collider_mesh(*geometry);
        }
        if (collider.x_start.size() == 0)
            throw InputError(fmt::format("{} ({}) has no points: nothing can collide with it.", who,
                                         c.geometry->describe(frame)));
        out.collider_points.push_back(std::size_t(collider.x_start.size() / 3));
        scene->colliders.push_back(std::move(collider));
        collider_geometry.push_back(geometry);
    }
    std::vector<RodFrames> frames;
    int rod_points = 0;
    for (const HairSetup& h : setup.hairs) {
        const std::string who = fmt::format("Hair '{}'", h.name());
        if (!names.insert(h.name()).second)
            throw InputError(who + " appears twice. Give each object its own name.");
        const auto geometry = read_input(*h.geometry, frame, who);
        AssembledHair made = with_source(who, *h.geometry, frame, [&] {
            return assemble_hair(h, *geometry, frame, scene->colliders, collider_geometry, log);
        });
        made.hair.first_vertex = vertices;
        made.hair.first_rod_point = rod_points;
        vertices += made.hair.point_count;
        rod_points += made.hair.rod_points();
        Start start;
        start.mass = hair_mass(made.hair);
        use_point_masses(who, *geometry, start.mass);
        start.mass_damping = VecX::Constant(made.hair.point_count, made.hair.material.mass_damping);
        read_start(who, nullptr, *geometry, frame, start);
        starts.push_back(std::move(start));
        frames.push_back(std::move(made.frames));
        scene->hairs.push_back(std::move(made.hair));
        out.hair_geometry.push_back(geometry);
        out.hair_binding.push_back(std::move(made.binding));
    }

    stack_starts(starts, *scene, out.start);
    stack_frames(frames, rod_points, out.start);
    for (std::size_t i = 0; i < setup.hairs.size(); ++i)
        solve_rest_shape(setup.hairs[i], *out.hair_geometry[i], i,
                         setup.shot.vector("gravity", frame), out.start, *scene, log);
    scene->collisions.enabled = setup.collision.real("enabled") != 0;
    scene->collisions.gap = setup.collision.real("gap");
    scene->collisions.stick_speed = setup.collision.real("stick_speed");
    scene->collisions.friction_iterations = setup.collision.integer("friction_iterations");
    scene->collisions.release_pinched = setup.collision.text("on_pinch") == "release";
    scene->collisions.release_speed = setup.collision.real("release_speed");
    assemble_contact(setup, {out.cloth_geometry, out.solid_geometry, collider_geometry}, *scene,
                     log);
    join_pins(
        assemble_links({setup, out.cloth_geometry, out.start.x, *scene, log}, out.link_places),
        *scene, out.pins_of_cloth, out.pins_of_solid);
    require_wide_bands(*scene);
    out.start.released = start_releases(setup, *scene, out.start.x, log);
    out.scene = std::move(scene);
    return out;
}

} // namespace selvage
