#include "plugin/houdini/SIM_SelvageSolver.h"

#include "core/base/error.h"
#include "core/session/session.h"
#include "plugin/houdini/cook_guard.h"
#include "plugin/houdini/dop_forces.h"
#include "plugin/houdini/geometry_output.h"
#include "plugin/houdini/material_input.h"
#include "plugin/houdini/node_interface.h"
#include "plugin/houdini/node_setup.h"
#include "plugin/houdini/object_space.h"

#include <GA/GA_Handle.h>
#include <GU/GU_Detail.h>
#include <GU/GU_DetailHandle.h>
#include <PRM/PRM_Include.h>
#include <SIM/SIM_Engine.h>
#include <SIM/SIM_Object.h>
#include <SIM/SIM_ObjectArray.h>
#include <SIM/SIM_Options.h>
#include <SIM/SIM_Utils.h>
#include <UT/UT_Matrix4.h>

#include <fmt/format.h>

namespace selvage::houdini
{
namespace
{

/// Geometry at the two ends of the step that is being taken.
class StepSource final : public GeometrySource
{
public:
    StepSource(std::string name, std::shared_ptr<const Geometry> geometry)
        : name_(std::move(name)), first_(geometry), start_(geometry), end_(std::move(geometry))
    {
    }
    void set_step(int step, std::shared_ptr<const Geometry> start,
                  std::shared_ptr<const Geometry> end)
    {
        step_ = step;
        start_ = std::move(start);
        end_ = std::move(end);
    }
    std::shared_ptr<const Geometry> at(double frame) override
    {
        return frame > step_ ? end_ : frame > 0 ? start_ : first_;
    }
    bool animated() const override { return true; }
    std::string describe(double) const override { return name_; }

private:
    std::string name_;
    int step_ = 0;
    std::shared_ptr<const Geometry> first_, start_, end_;
};

/// Parameters as the DOP node put them into the data's options.
class OptionValues final : public ValueReader
{
public:
    explicit OptionValues(const SIM_Options& options) : options_(options) {}
    bool has(const std::string& token) const override
    {
        return options_.hasOption(UT_StringHolder(token));
    }
    double number(const std::string& token, int component, double) const override
    {
        const UT_StringHolder name(token);
        switch (kind_of(token)) {
        case Kind::toggle: return options_.getOptionB(name) ? 1 : 0;
        case Kind::integer: return double(options_.getOptionI(name));
        case Kind::vector: return options_.getOptionV3(name)[unsigned(component)];
        case Kind::real: break;
        }
        return options_.getOptionF(name);
    }
    std::string text(const std::string& token) const override
    {
        return std::string(options_.getOptionS(UT_StringHolder(token)));
    }

private:
    enum class Kind { real, toggle, integer, vector };
    /// Options have the types that the node's templates gave them; others read as nothing.
    static Kind kind_of(const std::string& token)
    {
        static const std::map<std::string, Kind> kinds = [] {
            std::map<std::string, Kind> out;
            for (const PRM_Template* t = solver_templates(nullptr);
                 t->getType() != PRM_LIST_TERMINATOR; ++t)
                out[t->getToken()] = t->getType() == PRM_TOGGLE ? Kind::toggle
                                     : t->getType() == PRM_ORD || t->getType() == PRM_INT_J
                                         ? Kind::integer
                                     : t->getVectorSize() == 3 ? Kind::vector
                                                               : Kind::real;
            return out;
        }();
        const auto it = kinds.find(token);
        return it == kinds.end() ? Kind::real : it->second;
    }
    const SIM_Options& options_;
};

/// All collision geometry of the object's affectors, in world space: polygons, or volumes (VDB).
std::shared_ptr<const Geometry> collider_geometry(const SIM_Object& object, const std::string& grid)
{
    SIM_ObjectArray affectors;
    object.getAffectors(affectors, "SIM_RelationshipCollide");
    GU_Detail all;
    for (exint i = 0; i < affectors.entries(); ++i) {
        const SIM_Geometry* geometry = affectors(i)->getGeometry();
        if (!geometry || affectors(i) == &object || geometry->getGeometry().isNull()) continue;
        const GU_DetailHandleAutoReadLock lock(geometry->getGeometry());
        GU_Detail world(lock.getGdp());
        UT_DMatrix4 transform;
        SIMgetGeometryTransform(transform, *affectors(i));
        world.transform(transform);
        all.merge(world);
    }
    if (all.getNumPoints() == 0) return nullptr;
    return convert_colliders(all, nullptr, "Colliders", InputDepth::whole, grid).geometry;
}

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
    return s.kind == ObjectKind::hair && s.start_colliders && skin && is_integer(skin->storage) &&
           !s.start->find(Owner::point, "targetP");
}

/// Where pins go: the attribute targetP, else where the points are.
std::shared_ptr<const Geometry> pin_targets(const GU_Detail& gdp, const ConvertedInput& now)
{
    const GA_Attribute* target = gdp.findFloatTuple(GA_ATTRIB_POINT, "targetP", 3);
    if (!target) return now.geometry;
    Geometry g = *now.geometry;
    std::vector<UT_Vector3D> x(g.point_count());
    GA_ROHandleV3D(target).getBlockFromIndices(0, gdp.getNumPoints(), x.data());
    VecX positions(3 * Eigen::Index(x.size()));
    for (std::size_t i = 0; i < x.size(); ++i)
        positions.segment<3>(3 * Eigen::Index(i)) = Vec3(x[i][0], x[i][1], x[i][2]);
    g.set_positions(positions);
    return std::make_shared<const Geometry>(std::move(g));
}

} // namespace

/// A session and the sources that it reads. Holds nothing that a snapshot does not.
struct SIM_SelvageSolver::Scratch {
    std::shared_ptr<const Geometry> start;
    std::string fingerprint;
    std::shared_ptr<StepSource> pins, colliders, constraints;
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
    auto snapshot = std::make_shared<SIM_SelvageState::Snapshot>();
    snapshot->start = space.to_world(convert_input(gdp, nullptr, "Geometry").geometry);
    snapshot->kind = kind_of(gdp);
    snapshot->material = uniform_material(gdp, Primitives::all, "Geometry");
    snapshot->start_colliders = snapshot->colliders = collider_geometry(object, collider_grid());
    snapshot->constraints = constraint_geometry(object, space);
    if (const std::string text =
            left_out_message(*snapshot->start, snapshot->kind, /*coupled*/ false, "Geometry");
        !text.empty())
        addError(&object, SIM_MESSAGE, text.c_str(), UT_ERROR_WARNING);
    auto* state = SIM_DATA_CREATE(object, SIM_SelvageState::data_name(), SIM_SelvageState, 0);
    state->snapshot = std::move(snapshot);
}

SIM_SelvageSolver::Scratch& SIM_SelvageSolver::scratch_for(SIM_Object& object,
                                                           const SIM_SelvageState::Snapshot& now,
                                                           double seconds)
{
    SessionSetup setup =
        read_setup(OptionValues(getOptions()),
                   {object.getName().c_str(), now.kind, now.start_colliders != nullptr,
                    now.constraints != nullptr && now.kind != ObjectKind::hair, is_rooted(now)},
                   1 / seconds, 0, 1);
    const DopForces forces = forces_on(object);
    if (forces.gravity) setup.shot.set("gravity", *forces.gravity);
    if (!now.material.empty() && now.kind == ObjectKind::cloth)
        setup.cloths[0].cloth.set("material", now.material);
    if (!now.material.empty() && now.kind == ObjectKind::hair)
        setup.hairs[0].hair.set("material", now.material);
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
    if (scratch && scratch->fingerprint == fingerprint && scratch->start == now.start)
        return *scratch;
    scratch = std::make_unique<Scratch>();
    scratch->start = now.start;
    scratch->fingerprint = fingerprint;
    scratch->pins = std::make_shared<StepSource>("pin targets", now.start);
    const auto use = [&](auto& of) {
        of.geometry = std::make_shared<StaticSource>(*now.start, "Geometry");
        of.pin_target = scratch->pins;
    };
    switch (now.kind) {
    case ObjectKind::solid: use(setup.solids[0]); break;
    case ObjectKind::hair:
        setup.hairs[0].geometry = scratch->pins; // roots go there
        if (is_rooted(now))
            setup.hairs[0].geometry = std::make_shared<StaticSource>(*now.start, "Geometry");
        break;
    case ObjectKind::cloth: use(setup.cloths[0]); break;
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

/// Which VDB collides.
std::string SIM_SelvageSolver::collider_grid() const
{
    return OptionValues(getOptions()).text("collider_grid");
}

/// What collides is built into the scene when the object is made.
void SIM_SelvageSolver::warn_of_colliders(const SIM_Object& object,
                                          const SIM_SelvageState::Snapshot& next) const
{
    if (!next.colliders == !next.start_colliders) return;
    const char* text = next.colliders
                           ? "Objects collide with it now that did not when it was made; they have "
                             "no effect. Let them be related to it from its creation frame on, out "
                             "of the way until they are needed."
                           : "What collided with it is gone, and stays where it was last. Move it "
                             "out of the way instead of ending the relationship.";
    addError(&object, SIM_MESSAGE, text, UT_ERROR_WARNING);
}

std::size_t SIM_SelvageSolver::session_count() const { return scratches_->by_object.size(); }

void SIM_SelvageSolver::step(const SIM_Engine& engine, SIM_Object& object,
                             SIM_GeometryCopy& geometry, double seconds)
{
    auto* data = SIM_DATA_GET(object, SIM_SelvageState::data_name(), SIM_SelvageState);
    const std::shared_ptr<const SIM_SelvageState::Snapshot> now = data->snapshot;
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
    Scratch& scratch = scratch_for(object, *now, seconds);
    Session& session = *scratch.session;
    const ObjectSpace space(object);
    auto next = std::make_shared<SIM_SelvageState::Snapshot>(*now);
    next->step = now->step + 1;
    next->colliders = collider_geometry(object, collider_grid());
    warn_of_colliders(object, *next);
    scratch.pins->set_step(now->step, space.to_world(shape.geometry),
                           space.to_world(pin_targets(lock.getGdp(), shape)));
    if (!next->colliders) next->colliders = now->colliders;
    if (scratch.colliders) scratch.colliders->set_step(now->step, now->colliders, next->colliders);
    if (const auto constraints = constraint_geometry(object, space);
        scratch.constraints && constraints)
        scratch.constraints->set_step(now->step, constraints, constraints);
    session.invalidate_after(session.first_frame()); // sources have moved on
    if (now->step > 0) session.restore(now->step, now->state);

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
    data->snapshot = std::move(next);
}

} // namespace selvage::houdini
