#pragma once
#include <SIM/SIM_RawField.h>

/// Reads one field at the voxels of another.
class SIM_ScalarFieldSampler
{
public:
    SIM_ScalarFieldSampler(const SIM_RawField* destination, const SIM_RawField* source)
        : destination_(destination), source_(source), aligned_(destination->isAligned(source))
    {
    }
    fpreal32 getValue(const UT_VoxelArrayIteratorF& at) const
    {
        if (aligned_) return source_->field()->getValue(at.x(), at.y(), at.z());
        UT_Vector3 place;
        destination_->indexToPos(at.x(), at.y(), at.z(), place);
        return fpreal32(source_->getValue(place));
    }
    /// Of the iterator's tile; only aligned fields can tell.
    bool isTileConstant(const UT_VoxelArrayIteratorF& at, fpreal32& value) const
    {
        if (!aligned_ || !at.isTileConstantIn(*source_->field())) return false;
        value = getValue(at);
        return true;
    }

private:
    const SIM_RawField *destination_, *source_;
    bool aligned_;
};
