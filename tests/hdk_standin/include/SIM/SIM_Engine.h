#pragma once
#include <SIM/SIM_Object.h>

#include <map>

/// Runs a simulation in steps and keeps a copy of every object at every step.
class SIM_Engine
{
public:
    explicit SIM_Engine(fpreal timestep = 1.0 / 24) : timestep_(timestep) {}
    ~SIM_Engine();
    const SIM_Time& getSimulationTime() const { return time_; }
    SIM_Time getTimestep() const { return timestep_; }
    SIM_Object* addObject(const char* name);
    SIM_Object* findObject(const char* name) const;
    int getNumSimulationObjects() const { return int(objects_.size()); }
    const SIM_Object* getSimulationObject(int i) const { return objects_[std::size_t(i)].get(); }
    const SIM_Object* getSimulationObjectFromId(int id) const; ///< null where it is gone
    void removeSimulationObject(SIM_Object* object);
    /// Steps on, or goes back to a cached step. False where a solver failed.
    bool set_step(int step);
    int step() const { return step_; }
    /// Every cached step is forgotten from this one on.
    void forget_after(int step);
    const UT_ErrorManager& errors() const { return errors_; }

private:
    using Objects = std::vector<std::unique_ptr<SIM_Object>>;
    Objects copy(const Objects& from) const;
    bool solve();

    SIM_Time time_, timestep_;
    int step_ = 0;
    Objects objects_;
    std::map<int, Objects> cache_;
    std::map<std::string, bool> known_;
    UT_ErrorManager errors_;
};
