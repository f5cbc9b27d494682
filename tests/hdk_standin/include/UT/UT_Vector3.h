#pragma once
#include <UT/UT_Vector2.h>

template <class T> class UT_Vector4T;

template <class T> class UT_Vector3T : public standin::VectorBase<UT_Vector3T<T>, T, 3>
{
public:
    UT_Vector3T() = default;
    explicit UT_Vector3T(T s) { this->v_[0] = this->v_[1] = this->v_[2] = s; }
    explicit UT_Vector3T(const T* v) : UT_Vector3T(v[0], v[1], v[2]) {}
    UT_Vector3T(T x, T y, T z)
    {
        this->v_[0] = x;
        this->v_[1] = y;
        this->v_[2] = z;
    }
    template <class S> UT_Vector3T(const UT_Vector3T<S>& b) : UT_Vector3T(T(b[0]), T(b[1]), T(b[2]))
    {
    }
    template <class S> UT_Vector3T(const UT_Vector4T<S>& b) : UT_Vector3T(T(b[0]), T(b[1]), T(b[2]))
    {
    }
    using standin::VectorBase<UT_Vector3T<T>, T, 3>::operator=;
    using standin::VectorBase<UT_Vector3T<T>, T, 3>::operator*=;

    T& z() { return this->v_[2]; }
    const T& z() const { return this->v_[2]; }
    void assign(T x, T y, T z) { *this = UT_Vector3T(x, y, z); }
    UT_Vector3T& cross(const UT_Vector3T& b)
    {
        const UT_Vector3T a = *this;
        assign(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
        return *this;
    }
    friend UT_Vector3T cross(UT_Vector3T a, const UT_Vector3T& b) { return a.cross(b); }
    /// As a direction: without the matrix's translation.
    template <class S> void multiply3(const UT_Matrix4T<S>& m)
    {
        const UT_Vector3T a = *this;
        for (unsigned j = 0; j < 3; ++j)
            (*this)[j] = T(a[0] * m(0, j) + a[1] * m(1, j) + a[2] * m(2, j));
    }
    /// Row vector times matrix, as everywhere in Houdini.
    template <class S> UT_Vector3T& operator*=(const UT_Matrix4T<S>& m);
    template <class S> UT_Vector3T& operator*=(const UT_Matrix3T<S>& m);
};

using UT_Vector3F = UT_Vector3T<fpreal32>;
using UT_Vector3D = UT_Vector3T<fpreal64>;
using UT_Vector3R = UT_Vector3T<fpreal>;
using UT_Vector3 = UT_Vector3F;
using UT_Vector3i = UT_Vector3T<int32>;
using UT_Vector3I = UT_Vector3T<int64>;

#include <UT/UT_Matrix4.h>
#include <UT/UT_Vector4.h>
