#pragma once
#include <UT/UT_Vector4.h>

/// (x, y, z, w), w the real part.
template <class T> class UT_QuaternionT : public standin::VectorBase<UT_QuaternionT<T>, T, 4>
{
public:
    UT_QuaternionT() { this->v_[3] = 1; }
    UT_QuaternionT(T x, T y, T z, T w)
    {
        this->v_[0] = x;
        this->v_[1] = y;
        this->v_[2] = z;
        this->v_[3] = w;
    }
    T& z() { return this->v_[2]; }
    const T& z() const { return this->v_[2]; }
    T& w() { return this->v_[3]; }
    const T& w() const { return this->v_[3]; }
};
using UT_QuaternionF = UT_QuaternionT<fpreal32>;
using UT_QuaternionD = UT_QuaternionT<fpreal64>;
using UT_Quaternion = UT_QuaternionF;
