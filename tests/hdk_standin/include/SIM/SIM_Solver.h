#pragma once
#include <SIM/SIM_Engine.h>
#include <SIM/SIM_Object.h>

class SIM_Solver : public SIM_Data
{
public:
    enum SIM_Result { SIM_SOLVER_SUCCESS, SIM_SOLVER_REPEAT, SIM_SOLVER_SUBSTEP, SIM_SOLVER_FAIL };
    explicit SIM_Solver(const SIM_DataFactory* f) : SIM_Data(f) {}
    SIM_Result solveObjects(SIM_Engine& engine, SIM_ObjectArray& objects,
                            SIM_ObjectArray& newobjects, SIM_ObjectArray& feedback,
                            const SIM_Time& timestep)
    {
        return solveObjectsSubclass(engine, objects, newobjects, feedback, timestep);
    }

protected:
    virtual SIM_Result solveObjectsSubclass(SIM_Engine& engine, SIM_ObjectArray& objects,
                                            SIM_ObjectArray& newobjects,
                                            SIM_ObjectArray& feedbacktoobjects,
                                            const SIM_Time& timestep) = 0;

    DECLARE_STANDARD_GETCASTTOTYPE();
    DECLARE_CLASSNAME(SIM_Solver, SIM_Data);
};

/// Solves its objects one by one.
class SIM_SingleSolver : public SIM_Solver
{
public:
    explicit SIM_SingleSolver(const SIM_DataFactory* f) : SIM_Solver(f) {}

protected:
    SIM_Result solveObjectsSubclass(SIM_Engine& engine, SIM_ObjectArray& objects,
                                    SIM_ObjectArray& newobjects, SIM_ObjectArray& feedback,
                                    const SIM_Time& timestep) override;
    virtual SIM_Result solveSingleObjectSubclass(SIM_Engine& engine, SIM_Object& object,
                                                 SIM_ObjectArray& feedbacktoobjects,
                                                 const SIM_Time& timestep, bool newobject) = 0;

    DECLARE_STANDARD_GETCASTTOTYPE();
    DECLARE_CLASSNAME(SIM_SingleSolver, SIM_Solver);
};
