#pragma once
#include <SIM/SIM_Data.h>
#include <UT/UT_VoxelArray.h>

/// Voxels in a box in space; values stand at voxel centres.
class SIM_RawField
{
public:
    void init(const UT_Vector3& origin, const UT_Vector3& size, int nx, int ny, int nz)
    {
        origin_ = origin;
        size_ = size;
        voxels_.size(nx, ny, nz);
    }
    const UT_VoxelArrayF* field() const { return &voxels_; }
    UT_VoxelArrayF* fieldNC() { return &voxels_; }
    bool isAligned(const SIM_RawField* b) const
    {
        return voxels_.isMatching(b->voxels_) && origin_ == b->origin_ && size_ == b->size_;
    }
    bool indexToPos(int x, int y, int z, UT_Vector3& pos) const
    {
        const int at[3] = {x, y, z};
        for (unsigned a = 0; a < 3; ++a)
            pos[a] = origin_[a] + size_[a] * (float(at[a]) + 0.5f) / float(voxels_.getRes(int(a)));
        return true;
    }
    fpreal getValue(UT_Vector3 pos) const
    {
        fpreal at[3];
        for (unsigned a = 0; a < 3; ++a)
            at[a] = (pos[a] - origin_[a]) / size_[a] * voxels_.getRes(int(a)) - 0.5;
        return voxels_.sample(at[0], at[1], at[2]);
    }
    void makeConstant(float value) { voxels_.constant(value); }

private:
    UT_Vector3 origin_{0, 0, 0}, size_{1, 1, 1};
    UT_VoxelArrayF voxels_;
};

template <int N> class SIM_FieldBase : public SIM_Data
{
public:
    explicit SIM_FieldBase(const SIM_DataFactory* f) : SIM_Data(f) {}
    SIM_RawField* raw(int i) { return &fields_[i]; }
    const SIM_RawField* raw(int i) const { return &fields_[i]; }

protected:
    void makeEqualSubclass(const SIM_Data* source) override
    {
        for (int i = 0; i < N; ++i)
            fields_[i] = static_cast<const SIM_FieldBase*>(source)->fields_[i];
    }

private:
    SIM_RawField fields_[N];
};
