#include "tests/hdk_standin/standin.h"

#include <GAS/GAS_SubSolver.h>
#include <SIM/SIM_Engine.h>
#include <SIM/SIM_Force.h>
#include <SIM/SIM_MatrixField.h>
#include <SIM/SIM_ScalarField.h>
#include <SIM/SIM_Solver.h>
#include <SIM/SIM_VectorField.h>

namespace standin
{
void initialize_sim()
{
    IMPLEMENT_DATAFACTORY(SIM_Geometry);
    IMPLEMENT_DATAFACTORY(SIM_GeometryCopy);
    IMPLEMENT_DATAFACTORY(SIM_Object);
    IMPLEMENT_DATAFACTORY(SIM_Force);
    IMPLEMENT_DATAFACTORY(SIM_ForceGravity);
    IMPLEMENT_DATAFACTORY(SIM_ForceDrag);
    IMPLEMENT_DATAFACTORY(SIM_ScalarField);
    IMPLEMENT_DATAFACTORY(SIM_VectorField);
    IMPLEMENT_DATAFACTORY(SIM_MatrixField);
}
} // namespace standin

SIM_Solver::SIM_Result SIM_SingleSolver::solveObjectsSubclass(SIM_Engine& engine,
                                                              SIM_ObjectArray& objects,
                                                              SIM_ObjectArray& newobjects,
                                                              SIM_ObjectArray& feedback,
                                                              const SIM_Time& timestep)
{
    SIM_Result worst = SIM_SOLVER_SUCCESS;
    for (SIM_Object* o : objects)
        worst = std::max(worst, solveSingleObjectSubclass(engine, *o, feedback, timestep, false));
    for (SIM_Object* o : newobjects)
        worst = std::max(worst, solveSingleObjectSubclass(engine, *o, feedback, timestep, true));
    return worst;
}

SIM_Solver::SIM_Result GAS_SubSolver::solveObjectsSubclass(SIM_Engine& engine,
                                                           SIM_ObjectArray& objects,
                                                           SIM_ObjectArray& newobjects,
                                                           SIM_ObjectArray&,
                                                           const SIM_Time& timestep)
{
    bool ok = true;
    for (const SIM_ObjectArray* list : {&objects, &newobjects})
        for (SIM_Object* o : *list)
            ok = solveGasSubclass(engine, o, engine.getSimulationTime(), timestep) && ok;
    return ok ? SIM_SOLVER_SUCCESS : SIM_SOLVER_FAIL;
}

void GAS_SubSolver::getMatchingData(SIM_DataArray& found, SIM_Object* obj, const char* option) const
{
    std::istringstream names(getData().getOptions().getOptionS(option));
    for (std::string n; names >> n;)
        if (SIM_Data* d = obj->getNamedSubData(n.c_str())) found.append(d);
}
SIM_GeometryCopy* GAS_SubSolver::getGeometryCopy(SIM_Object* obj, const char* option, bool silent)
{
    const std::string& name = getData().getOptions().getOptionS(option);
    auto* g =
        SIM_DATA_GET(*obj, name.empty() ? SIM_GEOMETRY_DATANAME : name.c_str(), SIM_GeometryCopy);
    if (!g && !silent) addError(obj, SIM_MISSINGDATA, option, UT_ERROR_WARNING);
    return g;
}

SIM_Engine::~SIM_Engine() = default;

SIM_Object* SIM_Engine::addObject(const char* name)
{
    objects_.emplace_back(static_cast<SIM_Object*>(SIM_DataFactory::find("SIM_Object")->create()));
    objects_.back()->setName(name);
    objects_.back()->setObjectId(int(objects_.size()));
    return objects_.back().get();
}
SIM_Object* SIM_Engine::findObject(const char* name) const
{
    for (const auto& o : objects_)
        if (o->getName() == name) return o.get();
    return nullptr;
}

const SIM_Object* SIM_Engine::getSimulationObjectFromId(int id) const
{
    for (const auto& o : objects_)
        if (o->getObjectId() == id) return o.get();
    return nullptr;
}
void SIM_Engine::removeSimulationObject(SIM_Object* object)
{
    objects_.erase(std::remove_if(objects_.begin(), objects_.end(),
                                  [&](const auto& o) { return o.get() == object; }),
                   objects_.end());
}

SIM_Engine::Objects SIM_Engine::copy(const Objects& from) const
{
    Objects to;
    for (const auto& o : from) {
        to.emplace_back(static_cast<SIM_Object*>(o->getFactory()->create()));
        to.back()->makeEqual(o.get());
    }
    return to;
}

bool SIM_Engine::solve()
{
    bool ok = true;
    for (const auto& o : objects_) {
        auto* solver = SIM_DATA_GET(*o, SIM_SOLVER_DATANAME, SIM_Solver);
        if (!solver) continue;
        SIM_ObjectArray old_objects, new_objects, feedback;
        const bool is_new = !known_[o->getName().c_str()];
        (is_new ? new_objects : old_objects).append(o.get());
        known_[o->getName().c_str()] = true;
        // Cached copies of an object are other objects: affectors are found by name.
        ok = solver->solveObjects(*this, old_objects, new_objects, feedback, timestep_) !=
                 SIM_Solver::SIM_SOLVER_FAIL &&
             ok;
        for (const auto& e : solver->errors().entries())
            errors_.add("SIM", e.code, e.text.c_str(), e.severity);
        solver->clear_errors();
    }
    return ok;
}

bool SIM_Engine::set_step(int step)
{
    if (cache_.empty()) {
        if (!solve()) return false; // creation frame: new objects only
        cache_[0] = copy(objects_);
    }
    if (step < step_) {
        // Objects stay where they are for those who point at them; their data goes back.
        const Objects& then = cache_.at(step);
        for (std::size_t i = 0; i < then.size(); ++i) objects_[i]->makeEqual(then[i].get());
        step_ = step;
    }
    while (step_ < step) {
        const auto cached = cache_.find(step_ + 1);
        if (cached != cache_.end()) {
            for (std::size_t i = 0; i < objects_.size(); ++i)
                objects_[i]->makeEqual(cached->second[i].get());
        } else {
            time_ = timestep_ * (step_ + 1);
            if (!solve()) return false;
            cache_[step_ + 1] = copy(objects_);
        }
        ++step_;
    }
    time_ = timestep_ * step_;
    return true;
}

void SIM_Engine::forget_after(int step) { cache_.erase(cache_.upper_bound(step), cache_.end()); }
