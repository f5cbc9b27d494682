#pragma once

#include "core/model/state.h"
#include "plugin/houdini/geometry_input.h"

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

/// What the next step of an object depends on, apart from its geometry. DOPs keep a frame by
/// copying data with makeEqual: a snapshot is never changed once made, so copies may share it and
/// scrubbing back brings back exactly what was there.
class SIM_SelvageState : public SIM_Data
{
public:
    struct Snapshot {
        int step = 0;
        State state;
        std::shared_ptr<const Geometry> start;     ///< the object's geometry when it was made
        std::shared_ptr<const Geometry> colliders; ///< at this step; null where there are none
    };
    std::shared_ptr<const Snapshot> snapshot;

    static const char* data_name() { return "SelvageState"; }

protected:
    explicit SIM_SelvageState(const SIM_DataFactory* factory) : BaseClass(factory) {}
    void makeEqualSubclass(const SIM_Data* source) override;
    void saveSubclass(std::ostream& out) const override;
    bool loadSubclass(UT_IStream& in) override;

private:
    DECLARE_STANDARD_GETCASTTOTYPE();
    DECLARE_DATAFACTORY(SIM_SelvageState, SIM_Data, "Selvage State", nullptr);
};

/// Simulates the geometry of DOP objects as cloth. Gravity comes from gravity forces on the object
/// (else from the parameter), colliders from objects that collide with it. Pinned points follow the
/// point attribute `targetP` where there is one, else they stay.
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
