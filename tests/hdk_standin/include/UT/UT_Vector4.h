#pragma once
#include <UT/UT_Vector3.h>

template <class T> class UT_Vector4T : public standin::VectorBase<UT_Vector4T<T>, T, 4>
{
public:
    UT_Vector4T() = default;
    UT_Vector4T(T x, T y, T z, T w = 1)
    {
        this->v_[0] = x;
        this->v_[1] = y;
        this->v_[2] = z;
        this->v_[3] = w;
    }
    template <class S>
    UT_Vector4T(const UT_Vector4T<S>& b) : UT_Vector4T(T(b[0]), T(b[1]), T(b[2]), T(b[3]))
    {
    }
    template <class S>
    UT_Vector4T(const UT_Vector3T<S>& b, T w = 1) : UT_Vector4T(T(b[0]), T(b[1]), T(b[2]), w)
    {
    }
    using standin::VectorBase<UT_Vector4T<T>, T, 4>::operator=;
    using standin::VectorBase<UT_Vector4T<T>, T, 4>::operator*=;

    T& z() { return this->v_[2]; }
    const T& z() const { return this->v_[2]; }
    T& w() { return this->v_[3]; }
    const T& w() const { return this->v_[3]; }
    void assign(T x, T y, T z, T w) { *this = UT_Vector4T(x, y, z, w); }
    template <class S> UT_Vector4T& operator*=(const UT_Matrix4T<S>& m)
    {
        const UT_Vector4T a = *this;
        for (unsigned j = 0; j < 4; ++j)
            (*this)[j] = T(a[0] * m(0, j) + a[1] * m(1, j) + a[2] * m(2, j) + a[3] * m(3, j));
        return *this;
    }
};

using UT_Vector4F = UT_Vector4T<fpreal32>;
using UT_Vector4D = UT_Vector4T<fpreal64>;
using UT_Vector4R = UT_Vector4T<fpreal>;
using UT_Vector4 = UT_Vector4F;
