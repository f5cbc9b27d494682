#pragma once
#include <SIM/SIM_Object.h>

/// Draws the guides of a data.
class SIM_Guide
{
public:
    explicit SIM_Guide(const SIM_Data* creator) : creator_(creator) {}
    virtual ~SIM_Guide() = default;
    /// The guides of the data that made this, drawn for an object; `xform` is where they are.
    GU_DetailHandle getGuideGeometry(const SIM_RootData& root, const SIM_Options& options,
                                     UT_DMatrix4& xform, const SIM_Time& time)
    {
        xform.identity();
        GU_DetailHandle gdh;
        gdh.allocateAndSet(new GU_Detail);
        creator_->buildGuideGeometry(root, options, gdh, &xform, time);
        return gdh;
    }

private:
    const SIM_Data* creator_;
};
