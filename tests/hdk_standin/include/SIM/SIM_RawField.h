#pragma once
#include <SIM/SIM_Data.h>
#include <UT/UT_VoxelArray.h>

/// Where in its voxel a value stands. Faces, edges and corners have one sample more along the axes
/// that they lie on.
enum SIM_FieldSample {
    SIM_SAMPLE_CENTER,
    SIM_SAMPLE_FACEX,
    SIM_SAMPLE_FACEY,
    SIM_SAMPLE_FACEZ,
    SIM_SAMPLE_CORNER,
    SIM_SAMPLE_EDGEXY,
    SIM_SAMPLE_EDGEXZ,
    SIM_SAMPLE_EDGEYZ
};

/// Values in a box in space.
class SIM_RawField
{
public:
    void init(SIM_FieldSample sample, const UT_Vector3& origin, const UT_Vector3& size, int nx,
              int ny, int nz)
    {
        sample_ = sample;
        origin_ = origin;
        size_ = size;
        const int n[3] = {nx, ny, nz};
        for (int a = 0; a < 3; ++a) voxels_in_box_[a] = n[a];
        values_.size(nx + on_side(0), ny + on_side(1), nz + on_side(2));
    }
    SIM_FieldSample getSample() const { return sample_; }
    const UT_Vector3& getOrig() const { return origin_; }
    const UT_Vector3& getSize() const { return size_; }
    UT_Vector3 getVoxelSize() const
    {
        return {size_[0] / float(voxels_in_box_[0]), size_[1] / float(voxels_in_box_[1]),
                size_[2] / float(voxels_in_box_[2])};
    }
    void getVoxelRes(int& nx, int& ny, int& nz) const
    {
        nx = voxels_in_box_[0];
        ny = voxels_in_box_[1];
        nz = voxels_in_box_[2];
    }
    const UT_VoxelArrayF* field() const { return &values_; }
    UT_VoxelArrayF* fieldNC() { return &values_; }
    bool isAligned(const SIM_RawField* b) const
    {
        return sample_ == b->sample_ && values_.isMatching(b->values_) && origin_ == b->origin_ &&
               size_ == b->size_;
    }
    bool indexToPos(int x, int y, int z, UT_Vector3& pos) const
    {
        const int at[3] = {x, y, z};
        for (unsigned a = 0; a < 3; ++a)
            pos[a] = origin_[a] + size_[a] * (float(at[a]) + (on_side(int(a)) ? 0.0f : 0.5f)) /
                                      float(voxels_in_box_[a]);
        return true;
    }
    fpreal getValue(UT_Vector3 pos) const
    {
        fpreal at[3];
        for (unsigned a = 0; a < 3; ++a)
            at[a] = (pos[a] - origin_[a]) / size_[a] * voxels_in_box_[a] -
                    (on_side(int(a)) ? 0.0 : 0.5);
        return values_.sample(at[0], at[1], at[2]);
    }
    void makeConstant(float value) { values_.constant(value); }

private:
    /// 1 where samples lie on the sides of voxels along this axis.
    int on_side(int axis) const
    {
        static const int axes[] = {0, 1, 2, 4, 7, 3, 5, 6}; // bits, in the order of the samples
        return axes[sample_] >> axis & 1;
    }

    SIM_FieldSample sample_ = SIM_SAMPLE_CENTER;
    UT_Vector3 origin_{0, 0, 0}, size_{1, 1, 1};
    int voxels_in_box_[3] = {1, 1, 1};
    UT_VoxelArrayF values_;
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
