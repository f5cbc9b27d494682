#pragma once
#include <SIM/SIM_Geometry.h>

class SIM_ConstObjectArray;
class SIM_ObjectArray;

class SIM_RootData : public SIM_Data
{
public:
    explicit SIM_RootData(const SIM_DataFactory* f) : SIM_Data(f) {}
};

/// A thing that is simulated: geometry, a solver, forces, and the objects that act on it.
class SIM_Object : public SIM_RootData
{
public:
    explicit SIM_Object(const SIM_DataFactory* f) : SIM_RootData(f) {}
    const UT_StringHolder& getName() const { return name_; }
    void setName(const char* name) { name_ = name; }
    int getObjectId() const { return id_; }
    void setObjectId(int id) { id_ = id; }
    const SIM_Geometry* getGeometry() const
    {
        return SIM_DATA_GETCONST(*this, SIM_GEOMETRY_DATANAME, SIM_Geometry);
    }
    /// Objects that act on this one by a relationship of this type.
    void getAffectors(SIM_ObjectArray& affectors, const char* relationship);
    void getConstAffectors(SIM_ConstObjectArray& affectors, const char* relationship) const;
    bool getIsAffector(const SIM_Object* affector, const char* relationship) const;
    void getAllAffectors(SIM_ObjectArray& affectors) const;
    void addAffector(SIM_Object* affector, const char* relationship)
    {
        affectors_.push_back({affector, relationship});
    }
    void removeAffector(const SIM_Object* affector, const char* relationship);

protected:
    void makeEqualSubclass(const SIM_Data* source) override;

private:
    struct Affector {
        SIM_Object* object;
        std::string relationship;
    };
    UT_StringHolder name_;
    int id_ = 0;
    std::vector<Affector> affectors_;

    DECLARE_STANDARD_GETCASTTOTYPE();
    DECLARE_DATAFACTORY(SIM_Object, SIM_RootData, "Object", getEmptyDopDescription());
};

class SIM_ObjectArray : public UT_Array<SIM_Object*>
{
};
class SIM_ConstObjectArray : public UT_Array<const SIM_Object*>
{
};

void SIMgetGeometryTransform(UT_DMatrix4& transform, const SIM_Object& object);
void SIMgetPositionAndTransform(UT_DMatrix4& transform, const SIM_Object& object);
