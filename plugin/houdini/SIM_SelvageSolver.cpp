#include "plugin/houdini/SIM_SelvageSolver.h"

#include "core/base/error.h"
#include "core/session/session.h"
#include "plugin/houdini/cook_guard.h"
#include "plugin/houdini/curve_part.h"
#include "plugin/houdini/dop_forces.h"
#include "plugin/houdini/dop_inputs.h"
#include "plugin/houdini/geometry_output.h"
#include "plugin/houdini/material_input.h"
#include "plugin/houdini/node_interface.h"
#include "plugin/houdini/node_setup.h"
#include "plugin/houdini/object_space.h"

#include <GA/GA_Handle.h>
#include <GU/GU_Detail.h>
#include <GU/GU_DetailHandle.h>
#include <SIM/SIM_Engine.h>
#include <SIM/SIM_Object.h>
#include <SIM/SIM_ObjectArray.h>
#include <SIM/SIM_Utils.h>
#include <UT/UT_Matrix4.h>

#include <fmt/format.h>

#include <algorithm>

namespace selvage::houdini
{
namespace
{

constexpr const char* rest_data = "RestGeometry";

/// [units] What comes to collide later is built into the scene this far away, and moved from there.
const Vec3 out_of_the_way(0, -1e4, 0);

/// What Vellum's objects carry beside their geometry, in the same space; null where there is none.
std::shared_ptr<const Geometry> constraint_geometry(const SIM_Object& object,
                                                    const ObjectSpace& space)
{
    const auto* geometry = SIM_DATA_GETCONST(object, "ConstraintGeometry", SIM_Geometry);
    if (!geometry || geometry->getGeometry().isNull()) return nullptr;
    const GU_DetailHandleAutoReadLock lock(geometry->getGeometry());
    return space.to_world(convert_input(*lock.getGdp(), nullptr, "Constraint geometry").geometry);
}

/// Whether curves grow on the colliding objects: they say where, and nothing else drives them.
bool is_rooted(const SIM_SelvageState::Snapshot& s)
{
    const Attribute* skin = s.start->find(Owner::primitive, "skinprim");
    return (s.kind == ObjectKind::hair || s.coupled) && s.colliders.geometry && skin &&
           is_integer(skin->storage) && !s.start->find(Owner::point, "targetP");
}

/// The object's rest shape, in the world: that of its data RestGeometry, else its own attribute
/// `rest`; null where it has neither.
std::shared_ptr<const Geometry> rest_geometry(const SIM_Object& object, const ObjectSpace& space,
                                              const ConvertedInput& own)
{
    const auto* geometry = SIM_DATA_GETCONST(object, rest_data, SIM_Geometry);
    if (geometry && !geometry->getGeometry().isNull()) {
        const GU_DetailHandleAutoReadLock lock(geometry->getGeometry());
        return space.to_world(convert_input(*lock.getGdp(), nullptr, rest_data).geometry);
    }
    const Attribute* rest = own.geometry->find(Owner::point, "rest");
    if (!rest || rest->is_array || rest->tuple_size < 3 || !is_real(rest->storage)) return nullptr;
    Geometry g = *own.bare;
    g.set_vectors("P", own.geometry->vectors("rest"), "point", rest->storage);
    return space.to_world(std::make_shared<const Geometry>(std::move(g)));
}

/// Throws where an object that hair grows on no longer collides.
void require_skin(const SIM_SelvageState::Snapshot& now, const DopColliders& next)
{
    for (const ColliderPart& p : now.colliders.parts)
        if (std::find(next.parts.begin(), next.parts.end(), p) == next.parts.end())
            throw InputError("An object that hair grows on (skinprim) no longer collides with it. "
                             "Keep the relationship over the whole shot.");
}

/// Where pins and roots go, in the world: the attribute targetP, else where they started.
std::shared_ptr<const Geometry> pin_targets(const ConvertedInput& now, const ObjectSpace& space,
                                            const std::shared_ptr<const Geometry>& start)
{
    const Attribute* target = now.geometry->find(Owner::point, "targetP");
    if (!target || target->is_array || target->tuple_size != 3 || !is_real(target->storage))
        return start;
    Geometry g = *now.geometry;
    g.set_vectors("P", g.vectors("targetP"), "point", target->storage);
    return space.to_world(std::make_shared<const Geometry>(std::move(g)));
}

} // namespace

/// A session and the sources that it reads. Holds nothing that a snapshot does not.
struct SIM_SelvageSolver::Scratch {
    std::shared_ptr<const Geometry> start, start_colliders;
    std::string fingerprint;
    std::shared_ptr<StepSource> pins, colliders, constraints, rest;
    std::vector<std::int32_t> curve_points; ///< of the object, where curves are hair beside others
    MessageList log;
    std::unique_ptr<Session> session;
};

SIM_SelvageSolver::SIM_SelvageSolver(const SIM_DataFactory* factory)
    : BaseClass(factory), SIM_OptionsUser(this), scratches_(std::make_shared<Scratches>())
{
}
SIM_SelvageSolver::~SIM_SelvageSolver() = default;

void SIM_SelvageSolver::makeEqualSubclass(const SIM_Data* source)
{
    BaseClass::makeEqualSubclass(source);
    scratches_ = SIM_DATA_CASTCONST(source, SIM_SelvageSolver)->scratches_;
}

const SIM_DopDescription* SIM_SelvageSolver::description()
{
    static SIM_DopDescription all(true, "selvage_dopsolver", "Selvage Solver", SIM_SOLVER_DATANAME,
                                  classname(), solver_templates(nullptr));
    return &all;
}

SIM_Solver::SIM_Result SIM_SelvageSolver::solveSingleObjectSubclass(SIM_Engine& engine,
                                                                    SIM_Object& object,
                                                                    SIM_ObjectArray&,
                                                                    const SIM_Time& timestep,
                                                                    bool newobject)
{
    SIM_GeometryCopy* geometry = SIM_DATA_GET(object, SIM_GEOMETRY_DATANAME, SIM_GeometryCopy);
    if (!geometry) {
        addError(&object, SIM_MISSINGDATA, SIM_GEOMETRY_DATANAME, UT_ERROR_ABORT);
        return SIM_SOLVER_FAIL;
    }
    const bool ok = cook_guard(
        [&] {
            const auto* state =
                SIM_DATA_GET(object, SIM_SelvageState::data_name(), SIM_SelvageState);
            if (newobject || !state || !state->snapshot)
                start(object, *geometry);
            else
                step(engine, object, *geometry, timestep);
        },
        [&](const char* what) { addError(&object, SIM_MESSAGE, what, UT_ERROR_ABORT); });
    return ok ? SIM_SOLVER_SUCCESS : SIM_SOLVER_FAIL;
}

/// New objects keep their initial shape on the frame that they appear.
void SIM_SelvageSolver::start(SIM_Object& object, SIM_GeometryCopy& geometry)
{
    const GU_DetailHandleAutoReadLock lock(geometry.getGeometry());
    const GU_Detail& gdp = *lock.getGdp();
    const ObjectSpace space(object);
    const OptionValues options(getOptions());
    auto snapshot = std::make_shared<SIM_SelvageState::Snapshot>();
    const ConvertedInput own = convert_input(gdp, nullptr, "Geometry");
    snapshot->start = snapshot->targets = space.to_world(own.geometry);
    snapshot->kind = kind_of(gdp);
    snapshot->coupled = has_curves(gdp) && snapshot->kind != ObjectKind::hair &&
                        options.number("use_solver_method", 0, 0) != 0 &&
                        options.number("solver_method", 0, 0) == 0; // barrier
    if (snapshot->coupled) {
        curves_of(*snapshot->start, "Geometry"); // throws on shared points
        snapshot->material = uniform_material(gdp, Primitives::others, "Geometry");
        snapshot->hair_material = uniform_material(gdp, Primitives::curves, "Geometry");
    } else {
        snapshot->material = uniform_material(gdp, Primitives::all, "Geometry");
        snapshot->hair_material = snapshot->material;
    }
    snapshot->colliders = colliders_of(object, {}, volume_names());
    snapshot->start_colliders = snapshot->colliders.geometry;
    snapshot->rooted = is_rooted(*snapshot);
    snapshot->constraints = constraint_geometry(object, space);
    snapshot->start_rest = snapshot->rest = rest_geometry(object, space, own);
    if (const std::string text =
            left_out_message(*snapshot->start, snapshot->kind, snapshot->coupled, "Geometry");
        !text.empty())
        addError(&object, SIM_MESSAGE, text.c_str(), UT_ERROR_WARNING);
    if (snapshot->kind == ObjectKind::solid && SIM_DATA_GETCONST(object, rest_data, SIM_Geometry))
        addError(&object, SIM_MESSAGE,
                 "RestGeometry is for cloth and hair. Give tetrahedra their rest shape as point "
                 "attribute rest.",
                 UT_ERROR_WARNING);
    auto* state = SIM_DATA_CREATE(object, SIM_SelvageState::data_name(), SIM_SelvageState,
                                  SIM_DATA_RETURN_EXISTING);
    state->keep(std::move(snapshot));
}

SIM_SelvageSolver::Scratch& SIM_SelvageSolver::scratch_for(SIM_Object& object,
                                                           const SIM_SelvageState::Snapshot& now,
                                                           double seconds)
{
    SessionSetup setup = read_setup(
        OptionValues(getOptions()),
        {object.getName().c_str(), now.kind, now.start_colliders != nullptr,
         now.constraints != nullptr && now.kind != ObjectKind::hair, now.rooted, now.coupled},
        1 / seconds, 0, 1);
    const DopForces forces = forces_on(object);
    if (forces.gravity) setup.shot.set("gravity", *forces.gravity);
    if (!now.material.empty() && now.kind == ObjectKind::cloth)
        setup.cloths[0].cloth.set("material", now.material);
    if (!now.hair_material.empty() && !setup.hairs.empty())
        setup.hairs[0].hair.set("material", now.hair_material);
    if (forces.wind) setup.shot.set("wind", *forces.wind);
    if (forces.others > 0)
        addError(&object, SIM_MESSAGE,
                 fmt::format("{} forces on the object are neither gravity nor wind (drag) and have "
                             "no effect.",
                             forces.others)
                     .c_str(),
                 UT_ERROR_WARNING);
    setup.shot.set("cache_limit", 0.0); // DOPs have their own cache
    const std::string fingerprint = setup.fingerprint();
    auto& scratch = scratches_->by_object[object.getObjectId()];
    if (scratch && scratch->fingerprint == fingerprint && scratch->start == now.start &&
        scratch->start_colliders == now.start_colliders)
        return *scratch;
    scratch = std::make_unique<Scratch>();
    scratch->start = now.start;
    scratch->start_colliders = now.start_colliders;
    scratch->fingerprint = fingerprint;
    scratch->pins = std::make_shared<StepSource>("pin targets", now.start);
    if (now.start_rest) scratch->rest = std::make_shared<StepSource>("rest shape", now.start_rest);
    const bool given_rest = SIM_DATA_GETCONST(object, rest_data, SIM_Geometry) != nullptr;
    const auto still = std::make_shared<StaticSource>(*now.start, "Geometry");
    const auto use = [&](auto& of) {
        of.geometry = still;
        of.pin_target = scratch->pins;
    };
    const auto use_hair = [&](HairSetup& hair, auto&& part) {
        hair.geometry = part(scratch->pins); // roots go there
        if (now.rooted) hair.geometry = part(still);
        if (scratch->rest && (given_rest || !now.rooted)) hair.rest = part(scratch->rest);
    };
    switch (now.kind) {
    case ObjectKind::solid: use(setup.solids[0]); break;
    case ObjectKind::hair:
        use_hair(setup.hairs[0], [](std::shared_ptr<GeometrySource> whole) { return whole; });
        break;
    case ObjectKind::cloth: {
        use(setup.cloths[0]);
        const std::string& from = setup.cloths[0].rest_parameters.text("from");
        const bool own_may = from == "auto" || from == "attribute";
        if (scratch->rest && (given_rest || own_may)) setup.cloths[0].rest = scratch->rest;
        break;
    }
    }
    if (now.coupled) {
        use_hair(setup.hairs[0], [](std::shared_ptr<GeometrySource> whole) {
            return std::make_shared<CurveSource>(std::move(whole));
        });
        scratch->curve_points = curves_of(*now.start, "Geometry").points;
    }
    if (now.start_colliders)
        setup.colliders[0].geometry = scratch->colliders =
            std::make_shared<StepSource>("colliders", now.start_colliders);
    if (!setup.constraints.empty())
        setup.constraints[0].geometry = scratch->constraints =
            std::make_shared<StepSource>("constraint geometry", now.constraints);
    scratch->session = std::make_unique<Session>(std::move(setup), scratch->log);
    return *scratch;
}

VolumeNames SIM_SelvageSolver::volume_names() const
{
    const OptionValues options(getOptions());
    return {options.text("collider_grid")};
}

std::size_t SIM_SelvageSolver::session_count() const { return scratches_->by_object.size(); }

void SIM_SelvageSolver::step(const SIM_Engine& engine, SIM_Object& object,
                             SIM_GeometryCopy& geometry, double seconds)
{
    using Snapshot = SIM_SelvageState::Snapshot;
    auto* data = SIM_DATA_GET(object, SIM_SelvageState::data_name(), SIM_SelvageState);
    const std::shared_ptr<const Snapshot> now = data->snapshot;
    SIM_GeometryAutoWriteLock lock(&geometry, SIM_DATA_ID_PRESERVE);
    const ConvertedInput shape = convert_input(lock.getGdp(), nullptr, "Geometry");
    if (shape.geometry->point_count() != now->start->point_count())
        throw InputError(fmt::format("The geometry has {} points but {} when the object was made. "
                                     "Points must stay the same.",
                                     shape.geometry->point_count(), now->start->point_count()));
    const std::lock_guard<std::mutex> lock_scratch(scratches_->one_at_a_time);
    auto& sessions = scratches_->by_object;
    for (auto it = sessions.begin(); it != sessions.end();)
        it = engine.getSimulationObjectFromId(it->first) ? std::next(it) : sessions.erase(it);
    const ObjectSpace space(object);
    auto next = std::make_shared<Snapshot>(*now);
    next->step = now->step + 1;
    next->colliders = colliders_of(object, now->colliders.parts, volume_names());
    if (const auto rest = rest_geometry(object, space, shape); rest && now->start_rest)
        next->rest = rest;
    else if (rest)
        addError(&object, SIM_MESSAGE,
                 "The rest shape has no effect: it was not there when the object was made. Attach "
                 "RestGeometry, or make the attribute rest, on its creation frame.",
                 UT_ERROR_WARNING);

    // Objects that come to collide, or no longer do, make another scene, in which this step begins.
    DopColliders before = now->colliders;
    const bool others = next->colliders.parts != before.parts;
    if (others) {
        if (now->rooted) require_skin(*now, next->colliders);
        const DopColliders at_start{now->start_colliders, before.parts};
        const bool first_step = now->step == 0;
        next->start_colliders =
            placed_as_before(next->colliders, at_start, first_step ? Vec3::Zero() : out_of_the_way);
        before.geometry = placed_as_before(next->colliders, before, Vec3::Zero());
        before.parts = next->colliders.parts;
    }
    Scratch& scratch = scratch_for(object, *next, seconds);
    Session& session = *scratch.session;
    next->targets = pin_targets(shape, space, now->start);
    scratch.pins->set_step(now->step, now->targets, next->targets);
    if (scratch.colliders)
        scratch.colliders->set_step(now->step, before.geometry, next->colliders.geometry);
    if (scratch.rest) scratch.rest->set_step(now->step, now->rest, next->rest);
    if (const auto constraints = constraint_geometry(object, space);
        scratch.constraints && constraints)
        scratch.constraints->set_step(now->step, constraints, constraints);
    session.invalidate_after(session.first_frame()); // sources have moved on
    if (others && now->step > 0)
        session.restore_among_others(now->step,
                                     among_colliders(now->state, now->colliders, before, now->step,
                                                     session.setup().shot.real("unit")));
    else if (now->step > 0)
        session.restore(now->step, now->state);

    InterruptCancel cancel("Selvage: simulating");
    const FrameResult result = session.cook(next->step, cancel);
    for (const auto& [severity, text] : scratch.log.messages)
        if (severity != Severity::info)
            addError(&object, SIM_MESSAGE, text.c_str(), UT_ERROR_WARNING);
    scratch.log.messages.clear();
    if (!result.ok())
        throw InputError(fmt::format("The step could not be taken ({}). {}",
                                     status_name(result.status), result.report.message));
    next->state = session.frame(next->step)->state;
    write_result(space.from_world(result.objects[0].geometry), lock.getGdp());
    if (now->coupled)
        write_hair(space.from_world(result.objects[1].geometry), scratch.curve_points,
                   lock.getGdp());
    data->keep(std::move(next));
}

} // namespace selvage::houdini
