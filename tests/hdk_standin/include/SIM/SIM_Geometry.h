#pragma once
#include <SIM/SIM_Data.h>

/// Geometry of an object, in its own space.
class SIM_Geometry : public SIM_Data
{
public:
    explicit SIM_Geometry(const SIM_DataFactory* f) : SIM_Data(f) { transform_.identity(); }
    GU_ConstDetailHandle getGeometry() const { return handle_; }
    void getTransform(UT_DMatrix4& m) const { m = transform_; }
    void setTransform(const UT_DMatrix4& m) { transform_ = m; }

protected:
    void makeEqualSubclass(const SIM_Data* source) override;
    void saveSubclass(std::ostream& out) const override;
    bool loadSubclass(UT_IStream& in) override;
    GU_DetailHandle handle_;
    UT_DMatrix4 transform_;

    DECLARE_STANDARD_GETCASTTOTYPE();
    DECLARE_DATAFACTORY(SIM_Geometry, SIM_Data, "Geometry", getEmptyDopDescription());
};

/// Geometry that a solver may change.
class SIM_GeometryCopy : public SIM_Geometry
{
public:
    explicit SIM_GeometryCopy(const SIM_DataFactory* f) : SIM_Geometry(f) {}
    /// To write; shared geometry is copied first, so that cached frames keep theirs.
    GU_DetailHandle lockGeometry() const;
    void releaseGeometry() const;
    GU_DetailHandle& lockGeometryNC()
    {
        lockGeometry();
        return handle_;
    }

    DECLARE_STANDARD_GETCASTTOTYPE();
    DECLARE_DATAFACTORY(SIM_GeometryCopy, SIM_Geometry, "Geometry copy", getEmptyDopDescription());
};

enum SIM_DataIdStrategy { SIM_DATA_ID_PRESERVE, SIM_DATA_ID_BUMP };

class SIM_GeometryAutoWriteLock
{
public:
    explicit SIM_GeometryAutoWriteLock(SIM_GeometryCopy* geometry,
                                       SIM_DataIdStrategy strategy = SIM_DATA_ID_BUMP)
        : geometry_(geometry), handle_(geometry->lockGeometry()), strategy_(strategy)
    {
    }
    ~SIM_GeometryAutoWriteLock()
    {
        if (strategy_ == SIM_DATA_ID_BUMP) getGdp().bumpAllDataIds();
        handle_.clear();
        geometry_->releaseGeometry();
        geometry_->pubHandleModification();
    }
    GU_Detail& getGdp() const { return *handle_.gdpNC(); }

private:
    SIM_GeometryCopy* geometry_;
    GU_DetailHandle handle_;
    SIM_DataIdStrategy strategy_;
};
class SIM_GeometryAutoReadLock
{
public:
    explicit SIM_GeometryAutoReadLock(const SIM_Geometry* geometry)
        : handle_(geometry ? geometry->getGeometry() : GU_ConstDetailHandle())
    {
    }
    bool isValid() const { return handle_.isValid(); }
    const GU_Detail* getGdp() const { return handle_.gdp(); }

private:
    GU_ConstDetailHandle handle_;
};
