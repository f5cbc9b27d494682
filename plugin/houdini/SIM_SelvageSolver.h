#pragma once

#include "plugin/houdini/SIM_SelvageState.h"

#include <SIM/SIM_DopDescription.h>
#include <SIM/SIM_GeometryCopy.h>
#include <SIM/SIM_OptionsUser.h>
#include <SIM/SIM_SingleSolver.h>

#include <map>
#include <memory>
#include <mutex>

namespace selvage
{
class Session;
}

namespace selvage::houdini
{

/// Simulates the geometry of DOP objects. Gravity and wind come from the forces on the object (else
/// from the parameters), colliders (polygons, or volumes) from objects that collide with it; all of
/// them where their transforms put them. Pinned points and roots
/// follow the point attribute `targetP` where there is one; roots without it the polygon `skinprim`
/// of what collides, counted through all colliding objects; else they stay. Objects may come to
/// collide, and stop to, at any step. The rest shape is the object's data RestGeometry, or its
/// attribute `rest`, at every step.
class SIM_SelvageSolver : public SIM_SingleSolver, public SIM_OptionsUser
{
public:
    /// Objects that it holds a session for.
    std::size_t session_count() const;

protected:
    explicit SIM_SelvageSolver(const SIM_DataFactory* factory);
    ~SIM_SelvageSolver() override;
    void makeEqualSubclass(const SIM_Data* source) override;
    SIM_Result solveSingleObjectSubclass(SIM_Engine& engine, SIM_Object& object,
                                         SIM_ObjectArray& feedbacktoobjects,
                                         const SIM_Time& timestep, bool newobject) override;

private:
    struct Scratch;
    void start(SIM_Object& object, SIM_GeometryCopy& geometry);
    void step(const SIM_Engine& engine, SIM_Object& object, SIM_GeometryCopy& geometry,
              double seconds);
    Scratch& scratch_for(SIM_Object& object, const SIM_SelvageState::Snapshot& now, double seconds);
    VolumeNames volume_names() const;
    static const SIM_DopDescription* description();

    /// Sessions by object, made again where they are lost. DOPs copy a solver from frame to frame:
    /// its copies share them, one at a time. Those of objects that are gone are freed at the next
    /// step of any other.
    struct Scratches {
        std::mutex one_at_a_time;
        std::map<int, std::unique_ptr<Scratch>> by_object;
    };
    std::shared_ptr<Scratches> scratches_;

    DECLARE_STANDARD_GETCASTTOTYPE();
    DECLARE_DATAFACTORY(SIM_SelvageSolver, SIM_SingleSolver, "Selvage Solver", description());
};

} // namespace selvage::houdini
