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

class SIM_Force : public SIM_Data
{
public:
    explicit SIM_Force(const SIM_DataFactory* f) : SIM_Data(f) {}
    /// Force and torque on a body of this place, motion and mass.
    void getForce(const SIM_Object& object, const UT_Vector3& position, const UT_Vector3& velocity,
                  const UT_Vector3& angvel, const fpreal mass, UT_Vector3& force,
                  UT_Vector3& torque) const
    {
        getForceSubclass(object, position, velocity, angvel, mass, force, torque);
    }
    /// The same on a disc and on a ball.
    void getForceOnCircle(const SIM_Object& object, const UT_Vector3& position,
                          const UT_Vector3& normal, const fpreal radius, const UT_Vector3& velocity,
                          const UT_Vector3& angvel, const fpreal mass, UT_Vector3& force,
                          UT_Vector3& torque) const
    {
        getForceOnCircleSubclass(object, position, normal, radius, velocity, angvel, mass, force,
                                 torque);
    }
    void getForceOnSphere(const SIM_Object& object, const UT_Vector3& position, const fpreal radius,
                          const UT_Vector3& velocity, const UT_Vector3& angvel, const fpreal mass,
                          UT_Vector3& force, UT_Vector3& torque) const
    {
        getForceOnSphereSubclass(object, position, radius, velocity, angvel, mass, force, torque);
    }
    /// One callback per point of the geometry.
    void getPointForces(SIM_PointForceCallback& callback, const SIM_Object& object,
                        const GU_ConstDetailHandle& gdh, const UT_DMatrix4& transform,
                        const GA_PointGroup* group = nullptr, const char* attribute = nullptr,
                        bool use_noise = false) const;

protected:
    virtual void getForceSubclass(const SIM_Object&, const UT_Vector3&, const UT_Vector3&,
                                  const UT_Vector3&, const fpreal, UT_Vector3& force,
                                  UT_Vector3& torque) const
    {
        force = torque = UT_Vector3(0, 0, 0);
    }
    virtual void getForceOnCircleSubclass(const SIM_Object& object, const UT_Vector3& position,
                                          const UT_Vector3& /*normal*/, const fpreal /*radius*/,
                                          const UT_Vector3& velocity, const UT_Vector3& angvel,
                                          const fpreal mass, UT_Vector3& force,
                                          UT_Vector3& torque) const
    {
        getForceSubclass(object, position, velocity, angvel, mass, force, torque);
    }
    virtual void getForceOnSphereSubclass(const SIM_Object& object, const UT_Vector3& position,
                                          const fpreal /*radius*/, const UT_Vector3& velocity,
                                          const UT_Vector3& angvel, const fpreal mass,
                                          UT_Vector3& force, UT_Vector3& torque) const
    {
        getForceSubclass(object, position, velocity, angvel, mass, force, torque);
    }
    /// Multiplies the force with the noise that is attached to it; there is none here.
    void applyNoise(const UT_Vector3& /*position*/, UT_Vector3& /*force*/) const {}

    DECLARE_STANDARD_GETCASTTOTYPE();
    DECLARE_DATAFACTORY(SIM_Force, SIM_Data, "Force", getEmptyDopDescription());
};

/// The same acceleration everywhere.
class SIM_ForceGravity : public SIM_Force, public SIM_OptionsUser
{
public:
    explicit SIM_ForceGravity(const SIM_DataFactory* f) : SIM_Force(f), SIM_OptionsUser(this) {}
    GETSET_DATA_FUNCS_V3(SIM_NAME_FORCE, Gravity)

protected:
    void getForceSubclass(const SIM_Object&, const UT_Vector3&, const UT_Vector3&,
                          const UT_Vector3&, const fpreal mass, UT_Vector3& force,
                          UT_Vector3& torque) const override
    {
        force = UT_Vector3(getGravity()) * fpreal32(mass);
        torque = UT_Vector3(0, 0, 0);
    }

    DECLARE_STANDARD_GETCASTTOTYPE();
    DECLARE_DATAFACTORY(SIM_ForceGravity, SIM_Force, "Gravity", getEmptyDopDescription());
};

/// Pulls everything towards one velocity: the air's.
class SIM_ForceDrag : public SIM_Force, public SIM_OptionsUser
{
public:
    explicit SIM_ForceDrag(const SIM_DataFactory* f) : SIM_Force(f), SIM_OptionsUser(this) {}
    GETSET_DATA_FUNCS_V3(SIM_NAME_VELOCITY, Velocity)
    GETSET_DATA_FUNCS_F(SIM_NAME_FORCESCALE, ForceScale)

protected:
    void getForceSubclass(const SIM_Object&, const UT_Vector3&, const UT_Vector3& velocity,
                          const UT_Vector3&, const fpreal, UT_Vector3& force,
                          UT_Vector3& torque) const override
    {
        force = (UT_Vector3(getVelocity()) - velocity) * fpreal32(getForceScale());
        torque = UT_Vector3(0, 0, 0);
    }

    DECLARE_STANDARD_GETCASTTOTYPE();
    DECLARE_DATAFACTORY(SIM_ForceDrag, SIM_Force, "Drag", getEmptyDopDescription());
};
