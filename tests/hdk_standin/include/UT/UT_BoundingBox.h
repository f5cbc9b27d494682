#pragma once
#include <UT/UT_Vector3.h>

#include <limits>

class UT_BoundingBox
{
public:
    void initBounds() { *this = UT_BoundingBox(); }
    void enlargeBounds(const UT_Vector3& p)
    {
        for (unsigned i = 0; i < 3; ++i) {
            low_[i] = SYSmin(low_[i], p[i]);
            high_[i] = SYSmax(high_[i], p[i]);
        }
    }
    bool isValid() const { return low_[0] <= high_[0]; }
    UT_Vector3 minvec() const { return low_; }
    UT_Vector3 maxvec() const { return high_; }
    UT_Vector3 size() const { return high_ - low_; }
    UT_Vector3 center() const { return (low_ + high_) * 0.5f; }

private:
    UT_Vector3 low_{std::numeric_limits<float>::max()};
    UT_Vector3 high_{std::numeric_limits<float>::lowest()};
};
using UT_BoundingBoxF = UT_BoundingBox;
