// Simulation data: a solver of single objects that lets forces act on strands, and a gas solver
// that mixes fields in threads.
#include "tests/houdini/sample_nodes.h"

#include <GAS/GAS_SubSolver.h>
#include <GAS/GAS_Utils.h>
#include <GU/GU_PrimPoly.h>
#include <PRM/PRM_Include.h>
#include <SIM/SIM_DataFilter.h>
#include <SIM/SIM_DopDescription.h>
#include <SIM/SIM_Engine.h>
#include <SIM/SIM_FieldSampler.h>
#include <SIM/SIM_Force.h>
#include <SIM/SIM_GeometryCopy.h>
#include <SIM/SIM_MatrixField.h>
#include <SIM/SIM_Object.h>
#include <SIM/SIM_ObjectArray.h>
#include <SIM/SIM_OptionsUser.h>
#include <SIM/SIM_PRMShared.h>
#include <SIM/SIM_ScalarField.h>
#include <SIM/SIM_SingleSolver.h>
#include <SIM/SIM_Utils.h>
#include <SIM/SIM_VectorField.h>
#include <UT/UT_Interrupt.h>

namespace
{

constexpr int strand_points = 4;

/// Adds every force to the velocities.
class Push final : public SIM_PointForceCallback, public SIM_EachDataCallback
{
public:
    Push(GU_Detail& gdp, const SIM_Object& object, const UT_DMatrix4& transform, fpreal timestep,
         const GA_RWHandleF& mass, const GA_RWHandleV3& velocity)
        : gdp_(gdp),
          object_(object),
          transform_(transform),
          timestep_(timestep),
          mass_(mass),
          velocity_(velocity)
    {
    }
    void callbackConst(const SIM_Data* data, const char*) override
    {
        const SIM_Force* force = SIM_DATA_CASTCONST(data, SIM_Force);
        GU_DetailHandle gdh;
        gdh.allocateAndSet(&gdp_, false);
        force->getPointForces(*this, object_, gdh, transform_, 0, 0, false);
    }
    void forceCallbackOffset(GA_Offset o, const UT_Vector3& force, const UT_Vector3&) override
    {
        velocity_.set(o, velocity_.get(o) + (force / mass_.get(o)) * timestep_);
    }

private:
    GU_Detail& gdp_;
    const SIM_Object& object_;
    const UT_DMatrix4 transform_;
    fpreal timestep_;
    GA_RWHandleF mass_;
    GA_RWHandleV3 velocity_;
};

/// Grows a strand on each point of its source objects and lets it drift, roots held.
class SIM_TestStrands : public SIM_SingleSolver, public SIM_OptionsUser
{
public:
    GETSET_DATA_FUNCS_F("length", Length)

protected:
    explicit SIM_TestStrands(const SIM_DataFactory* factory)
        : BaseClass(factory), SIM_OptionsUser(this)
    {
    }
    SIM_Result solveSingleObjectSubclass(SIM_Engine&, SIM_Object& object, SIM_ObjectArray&,
                                         const SIM_Time& timestep, bool newobject) override
    {
        SIM_ObjectArray sources;
        object.getAffectors(sources, "SIM_RelationshipSource");
        SIM_GeometryCopy* strands = SIM_DATA_GET(object, SIM_GEOMETRY_DATANAME, SIM_GeometryCopy);
        if (!strands) strands = SIM_DATA_CREATE(object, SIM_GEOMETRY_DATANAME, SIM_GeometryCopy, 0);
        if (!strands || sources.entries() == 0) return SIM_SOLVER_FAIL;
        SIM_GeometryAutoWriteLock lock(strands);
        if (newobject)
            grow(lock.getGdp(), *sources(0));
        else
            drift(lock.getGdp(), *strands, object, timestep);
        return SIM_SOLVER_SUCCESS;
    }

private:
    void grow(GU_Detail& gdp, const SIM_Object& source) const
    {
        const SIM_Geometry* geometry = source.getGeometry();
        if (!geometry || geometry->getGeometry().isNull()) return;
        GU_DetailHandleAutoReadLock lock(geometry->getGeometry());
        const GU_Detail* roots = lock.getGdp();
        UT_DMatrix4 transform;
        SIMgetGeometryTransform(transform, source);
        GA_Offset root;
        GA_FOR_ALL_PTOFF(roots, root)
        {
            UT_Vector4 start = roots->getPos4(root);
            start *= transform;
            GU_PrimPoly* poly = GU_PrimPoly::build(&gdp, 0, GU_POLY_OPEN, 0);
            for (int i = 0; i < strand_points; ++i) {
                const GA_Offset o = gdp.appendPointOffset();
                gdp.setPos3(o, start.x(), start.y() + (fpreal)i * getLength(), start.z());
                poly->appendVertex(o);
            }
        }
    }
    static void drift(GU_Detail& gdp, const SIM_GeometryCopy& geometry, const SIM_Object& object,
                      const SIM_Time& timestep)
    {
        UT_DMatrix4 transform;
        geometry.getTransform(transform);
        GA_RWHandleF mass(gdp.addFloatTuple(
            GA_ATTRIB_POINT, gdp.getStdAttributeName(GEO_ATTRIBUTE_MASS), 1, GA_Defaults(1.0)));
        GA_RWAttributeRef reference = gdp.addFloatTuple(
            GA_ATTRIB_POINT, gdp.getStdAttributeName(GEO_ATTRIBUTE_VELOCITY), 3, GA_Defaults(0.0));
        reference.setTypeInfo(GA_TYPE_VECTOR);
        GA_RWHandleV3 velocity(reference);
        Push push(gdp, object, transform, timestep, mass, velocity);
        object.forEachConstSubData(push, SIM_DataFilterByType("SIM_Force"), SIM_FORCES_DATANAME,
                                   SIM_DataFilterNone());
        for (GA_Iterator it(gdp.getPrimitiveRange()); !it.atEnd(); ++it) {
            GA_Primitive* poly = gdp.getPrimitiveList().get(*it);
            if (poly->getTypeId() != GA_PRIMPOLY) continue;
            for (GA_Size i = 1; i < poly->getVertexCount(); ++i) {
                const GA_Offset o = poly->getPointOffset(i);
                UT_Vector3 step = velocity.get(o);
                step *= timestep;
                gdp.setPos3(o, gdp.getPos3(o) + step);
                UT_Vector3 calmed = step / timestep;
                calmed *= 0.9;
                velocity.set(o, calmed);
            }
        }
    }
    static const SIM_DopDescription* description()
    {
        static PRM_Name length("length", "Length");
        static PRM_Template templates[] = {PRM_Template(PRM_FLT_J, 1, &length, PRMpointOneDefaults),
                                           PRM_Template()};
        static SIM_DopDescription all(true, "test_strands", "Strands", SIM_SOLVER_DATANAME,
                                      classname(), templates);
        return &all;
    }
    DECLARE_STANDARD_GETCASTTOTYPE();
    DECLARE_DATAFACTORY(SIM_TestStrands, SIM_SingleSolver, "Strands", description());
};

/// dst ← dst + amount · src for fields of every kind.
class SIM_TestMix : public GAS_SubSolver
{
public:
    GET_DATA_FUNC_S(GAS_NAME_FIELDDEST, Destination);
    GET_DATA_FUNC_S(GAS_NAME_FIELDSOURCE, Source);
    GET_DATA_FUNC_F("amount", Amount);

protected:
    explicit SIM_TestMix(const SIM_DataFactory* factory) : BaseClass(factory) {}
    bool solveGasSubclass(SIM_Engine&, SIM_Object* object, SIM_Time, SIM_Time) override
    {
        SIM_DataArray from, to;
        getMatchingData(from, object, GAS_NAME_FIELDSOURCE);
        getMatchingData(to, object, GAS_NAME_FIELDDEST);
        for (exint i = 0; i < to.entries(); ++i) {
            if (i >= from.entries()) {
                addError(object, SIM_MESSAGE, "Too few source fields.", UT_ERROR_WARNING);
                break;
            }
            SIM_ScalarField *a = SIM_DATA_CAST(to(i), SIM_ScalarField),
                            *b = SIM_DATA_CAST(from(i), SIM_ScalarField);
            if (a && b) mix(a->getField(), b->getField());
            SIM_VectorField *v = SIM_DATA_CAST(to(i), SIM_VectorField),
                            *w = SIM_DATA_CAST(from(i), SIM_VectorField);
            for (int k = 0; v && w && k < 3; ++k) mix(v->getField(k), w->getField(k));
            SIM_MatrixField *m = SIM_DATA_CAST(to(i), SIM_MatrixField),
                            *n = SIM_DATA_CAST(from(i), SIM_MatrixField);
            for (int k = 0; m && n && k < 9; ++k)
                mix(m->getField(k / 3, k % 3), n->getField(k / 3, k % 3));
            if (a) a->pubHandleModification();
        }
        return true;
    }
    bool many(const SIM_RawField* field) const { return field->field()->numTiles() > 1; }
    THREADED_METHOD2(SIM_TestMix, many(dst), mix, SIM_RawField*, dst, const SIM_RawField*, src);
    void mixPartial(SIM_RawField* dst, const SIM_RawField* src, const UT_JobInfo& info)
    {
        UT_VoxelArrayIteratorF vit;
        UT_Interrupt* boss = UTgetInterrupt();
        vit.setArray(dst->fieldNC());
        vit.setCompressOnExit(true);
        vit.setPartialRange(info.job(), info.numJobs());
        const SIM_ScalarFieldSampler sampler(dst, src);
        const float amount = float(getAmount());
        for (vit.rewind(); !vit.atEnd(); vit.advance()) {
            if (vit.isStartOfTile()) {
                if (boss->opInterrupt()) break;
                float everywhere = 0;
                if (vit.isTileConstant() && sampler.isTileConstant(vit, everywhere)) {
                    vit.getTile()->makeConstant(vit.getValue() + amount * everywhere);
                    vit.skipToEndOfTile();
                    continue;
                }
            }
            vit.setValue(vit.getValue() + amount * sampler.getValue(vit));
        }
    }

private:
    static const SIM_DopDescription* description()
    {
        static PRM_Name to(GAS_NAME_FIELDDEST, "Dest Field"), from(GAS_NAME_FIELDSOURCE, "Source"),
            amount("amount", "Amount");
        static PRM_Template templates[] = {
            PRM_Template(PRM_STRING, 1, &to), PRM_Template(PRM_STRING, 1, &from),
            PRM_Template(PRM_FLT_J, 1, &amount, PRMoneDefaults), PRM_Template()};
        static SIM_DopDescription all(true, "test_mix", "Mix", "Solver", classname(), templates);
        setGasDescription(all);
        return &all;
    }
    DECLARE_STANDARD_GETCASTTOTYPE();
    DECLARE_DATAFACTORY(SIM_TestMix, GAS_SubSolver, "Mix", description());
};

} // namespace

void add_simulation_data()
{
    IMPLEMENT_DATAFACTORY(SIM_TestStrands);
    IMPLEMENT_DATAFACTORY(SIM_TestMix);
}
