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
    void enlargeBounds(const UT_BoundingBox& b)
    {
        if (!b.isValid()) return;
        enlargeBounds(b.low_);
        enlargeBounds(b.high_);
    }
    void setBounds(float x0, float y0, float z0, float x1, float y1, float z1)
    {
        low_.assign(x0, y0, z0);
        high_.assign(x1, y1, z1);
    }
    /// Bounds of the corners where the matrix puts them.
    template <class T> void transform(const UT_Matrix4T<T>& m)
    {
        const UT_BoundingBox old = *this;
        initBounds();
        for (unsigned k = 0; k < 8 && old.isValid(); ++k) {
            UT_Vector3 corner;
            for (unsigned i = 0; i < 3; ++i) corner[i] = (k >> i & 1 ? old.high_ : old.low_)[i];
            enlargeBounds(corner * m);
        }
    }
    bool isInside(const UT_Vector3& p) const
    {
        for (unsigned i = 0; i < 3; ++i)
            if (p[i] < low_[i] || p[i] > high_[i]) return false;
        return true;
    }
    float operator()(int axis, int side) const { return (side ? high_ : low_)[unsigned(axis)]; }
    float xmin() const { return low_[0]; }
    float ymin() const { return low_[1]; }
    float zmin() const { return low_[2]; }
    float xmax() const { return high_[0]; }
    float ymax() const { return high_[1]; }
    float zmax() const { return high_[2]; }
    float sizeX() const { return high_[0] - low_[0]; }
    float sizeY() const { return high_[1] - low_[1]; }
    float sizeZ() const { return high_[2] - low_[2]; }
    float sizeMax() const { return size().maxComponent(); }
    float xcenter() const { return center()[0]; }
    float ycenter() const { return center()[1]; }
    float zcenter() const { return center()[2]; }
    UT_Vector3 minvec() const { return low_; }
    UT_Vector3 maxvec() const { return high_; }
    UT_Vector3 size() const { return high_ - low_; }
    UT_Vector3 center() const { return (low_ + high_) * 0.5f; }

private:
    UT_Vector3 low_{std::numeric_limits<float>::max()};
    UT_Vector3 high_{std::numeric_limits<float>::lowest()};
};
using UT_BoundingBoxF = UT_BoundingBox;
