#pragma once

#include "plugin/houdini/SIM_SelvageState.h"

#include <SIM/SIM_DopDescription.h>
#include <SIM/SIM_GeometryCopy.h>
#include <SIM/SIM_OptionsUser.h>
#include <SIM/SIM_SingleSolver.h>

#include <map>
#include <memory>

namespace selvage
{
class Session;
}

namespace selvage::houdini
{

/// Simulates the geometry of DOP objects. Gravity and wind come from the forces on the object (else
/// from the parameters), colliders from objects that collide with it. Pinned points and roots
/// follow the point attribute `targetP` where there is one; roots without it the polygon `skinprim`
/// of what collides, counted through all colliding objects; else they stay.
class SIM_SelvageSolver : public SIM_SingleSolver, public SIM_OptionsUser
{
protected:
    explicit SIM_SelvageSolver(const SIM_DataFactory* factory);
    ~SIM_SelvageSolver() override;
    SIM_Result solveSingleObjectSubclass(SIM_Engine& engine, SIM_Object& object,
                                         SIM_ObjectArray& feedbacktoobjects,
                                         const SIM_Time& timestep, bool newobject) override;

private:
    struct Scratch;
    void start(SIM_Object& object, SIM_GeometryCopy& geometry);
    void step(SIM_Object& object, SIM_GeometryCopy& geometry, double seconds);
    Scratch& scratch_for(SIM_Object& object, const SIM_SelvageState::Snapshot& now, double seconds);
    static const SIM_DopDescription* description();

    std::map<int, std::unique_ptr<Scratch>> scratch_; ///< per object; made again where it is lost

    DECLARE_STANDARD_GETCASTTOTYPE();
    DECLARE_DATAFACTORY(SIM_SelvageSolver, SIM_SingleSolver, "Selvage Solver", description());
};

} // namespace selvage::houdini
