#pragma once
#include <SIM/SIM_Geometry.h>
#include <SIM/SIM_OptionsUser.h>

/// Receives the force on each point.
class SIM_PointForceCallback
{
public:
    virtual ~SIM_PointForceCallback() = default;
    virtual void forceCallbackOffset(GA_Offset point, const UT_Vector3& force,
                                     const UT_Vector3& torque) = 0;
};

class SIM_Force : public SIM_Data, public SIM_OptionsUser
{
public:
    explicit SIM_Force(const SIM_DataFactory* f) : SIM_Data(f), SIM_OptionsUser(this) {}
    /// One callback per point of the geometry.
    void getPointForces(SIM_PointForceCallback& callback, const SIM_Object& object,
                        const GU_ConstDetailHandle& gdh, const UT_DMatrix4& transform,
                        const GA_PointGroup* group = nullptr, const char* attribute = nullptr,
                        bool use_noise = false) const;

protected:
    /// Force on a body of this mass and velocity.
    virtual UT_Vector3 force_on(fpreal mass, const UT_Vector3& v) const
    {
        (void)mass;
        (void)v;
        return UT_Vector3(0, 0, 0);
    }

    DECLARE_STANDARD_GETCASTTOTYPE();
    DECLARE_DATAFACTORY(SIM_Force, SIM_Data, "Force", nullptr);
};

class SIM_ForceGravity : public SIM_Force
{
public:
    explicit SIM_ForceGravity(const SIM_DataFactory* f) : SIM_Force(f) {}
    GETSET_DATA_FUNCS_V3(SIM_NAME_GRAVITY, Gravity)

protected:
    UT_Vector3 force_on(fpreal mass, const UT_Vector3&) const override
    {
        return UT_Vector3(getGravity()) * fpreal32(mass);
    }

    DECLARE_STANDARD_GETCASTTOTYPE();
    DECLARE_DATAFACTORY(SIM_ForceGravity, SIM_Force, "Gravity", nullptr);
};

class SIM_ForceWind : public SIM_Force
{
public:
    explicit SIM_ForceWind(const SIM_DataFactory* f) : SIM_Force(f) {}
    GETSET_DATA_FUNCS_V3(SIM_NAME_WIND_VELOCITY, WindVelocity)

    DECLARE_STANDARD_GETCASTTOTYPE();
    DECLARE_DATAFACTORY(SIM_ForceWind, SIM_Force, "Wind", nullptr);
};
