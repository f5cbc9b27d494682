#pragma once
#include <SIM/SIM_DataFilter.h>
#include <SIM/SIM_OptionsUser.h>
#include <SIM/SIM_RawField.h>
#include <SIM/SIM_Solver.h>
#include <UT/UT_ThreadedAlgorithm.h>

#define GAS_NAME_FIELDDEST "fielddest"
#define GAS_NAME_FIELDSOURCE "fieldsource"
#define GAS_NAME_GEOMETRY "geometry"
#define GAS_NAME_TIMESCALE "timescale"

/// A solver for one object at a time that is a part of a larger one.
class GAS_SubSolver : public SIM_Solver, public SIM_OptionsUser
{
public:
    explicit GAS_SubSolver(const SIM_DataFactory* f) : SIM_Solver(f), SIM_OptionsUser(this) {}
    bool solveGas(SIM_Engine& engine, SIM_Object* obj, SIM_Time time, SIM_Time timestep)
    {
        return solveGasSubclass(engine, obj, time, timestep);
    }

protected:
    virtual bool solveGasSubclass(SIM_Engine& engine, SIM_Object* obj, SIM_Time time,
                                  SIM_Time timestep) = 0;
    SIM_Result solveObjectsSubclass(SIM_Engine& engine, SIM_ObjectArray& objects,
                                    SIM_ObjectArray& newobjects, SIM_ObjectArray& feedback,
                                    const SIM_Time& timestep) override;
    /// Data named by an option: names or patterns, separated by blanks.
    void getMatchingData(SIM_DataArray& found, SIM_Object* obj, const char* option) const;
    SIM_GeometryCopy* getGeometryCopy(SIM_Object* obj, const char* option, bool silent = false);
    static void setGasDescription(SIM_DopDescription&) {}

    DECLARE_STANDARD_GETCASTTOTYPE();
    DECLARE_CLASSNAME(GAS_SubSolver, SIM_Solver);
};
