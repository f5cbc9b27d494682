#pragma once
#include <UT/UT_Vector3.h>

template <class T> class UT_Matrix3T
{
public:
    UT_Matrix3T() = default;
    explicit UT_Matrix3T(T diagonal)
    {
        for (unsigned i = 0; i < 3; ++i) (*this)(i, i) = diagonal;
    }
    T& operator()(unsigned row, unsigned col) { return m_[row][col]; }
    const T& operator()(unsigned row, unsigned col) const { return m_[row][col]; }
    void identity() { *this = UT_Matrix3T(T(1)); }
    T* data() { return &m_[0][0]; }
    const T* data() const { return &m_[0][0]; }

private:
    T m_[3][3] = {};
};

template <class T>
template <class S>
UT_Vector3T<T>& UT_Vector3T<T>::operator*=(const UT_Matrix3T<S>& m)
{
    const UT_Vector3T a = *this;
    for (unsigned j = 0; j < 3; ++j)
        (*this)[j] = T(a[0] * m(0, j) + a[1] * m(1, j) + a[2] * m(2, j));
    return *this;
}

using UT_Matrix3F = UT_Matrix3T<fpreal32>;
using UT_Matrix3D = UT_Matrix3T<fpreal64>;
using UT_Matrix3R = UT_Matrix3T<fpreal>;
using UT_Matrix3 = UT_Matrix3F;
using UT_DMatrix3 = UT_Matrix3D;
