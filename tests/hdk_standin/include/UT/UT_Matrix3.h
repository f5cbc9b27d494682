#pragma once
#include <UT/UT_Axis.h>
#include <UT/UT_Vector3.h>

#include <cmath>

template <class T> class UT_Matrix4T;

/// Acts on row vectors: v' = v M.
template <class T> class UT_Matrix3T
{
public:
    UT_Matrix3T() = default;
    explicit UT_Matrix3T(T diagonal)
    {
        for (unsigned i = 0; i < 3; ++i) (*this)(i, i) = diagonal;
    }
    template <class S> UT_Matrix3T(const UT_Matrix3T<S>& b)
    {
        for (unsigned i = 0; i < 3; ++i)
            for (unsigned j = 0; j < 3; ++j) m_[i][j] = T(b(i, j));
    }
    /// Without the translation.
    template <class S> explicit UT_Matrix3T(const UT_Matrix4T<S>& b)
    {
        for (unsigned i = 0; i < 3; ++i)
            for (unsigned j = 0; j < 3; ++j) m_[i][j] = T(b(i, j));
    }
    T& operator()(unsigned row, unsigned col) { return m_[row][col]; }
    const T& operator()(unsigned row, unsigned col) const { return m_[row][col]; }
    UT_Vector3T<T> operator()(unsigned row) const
    {
        return UT_Vector3T<T>(m_[row][0], m_[row][1], m_[row][2]);
    }
    void identity() { *this = UT_Matrix3T(T(1)); }
    void zero() { *this = UT_Matrix3T(); }
    bool isIdentity() const
    {
        for (unsigned i = 0; i < 3; ++i)
            for (unsigned j = 0; j < 3; ++j)
                if (m_[i][j] != T(i == j)) return false;
        return true;
    }
    T determinant() const { return dot((*this)(0), cross((*this)(1), (*this)(2))); }
    void transpose()
    {
        const UT_Matrix3T a = *this;
        for (unsigned i = 0; i < 3; ++i)
            for (unsigned j = 0; j < 3; ++j) m_[i][j] = a(j, i);
    }
    UT_Matrix3T transposedCopy() const
    {
        UT_Matrix3T t = *this;
        t.transpose();
        return t;
    }
    /// 1 where it cannot be.
    int invert()
    {
        const T d = determinant();
        if (d == 0) return 1;
        const UT_Matrix3T a = *this;
        for (unsigned j = 0; j < 3; ++j) {
            const UT_Vector3T<T> column = cross(a((j + 1) % 3), a((j + 2) % 3)) * (1 / d);
            for (unsigned i = 0; i < 3; ++i) m_[i][j] = column[i];
        }
        return 0;
    }
    void scale(T x, T y, T z)
    {
        for (unsigned i = 0; i < 3; ++i) {
            m_[i][0] *= x;
            m_[i][1] *= y;
            m_[i][2] *= z;
        }
    }
    /// Counterclockwise about an axis of the world, after what the matrix does.
    void rotate(UT_Axis3::axis a, T radians)
    {
        const unsigned i = unsigned(a + 1) % 3, j = unsigned(a + 2) % 3;
        UT_Matrix3T r(T(1));
        r(i, i) = r(j, j) = std::cos(radians);
        r(i, j) = std::sin(radians);
        r(j, i) = -r(i, j);
        *this *= r;
    }
    /// The shortest turn from the direction a to the direction b; 0 where there is none.
    int dihedral(UT_Vector3T<T>& a, UT_Vector3T<T>& b, T = 0, int normalize = 1)
    {
        if (normalize) {
            a.normalize();
            b.normalize();
        }
        UT_Vector3T<T> axis = cross(a, b);
        const T c = dot(a, b);
        if (c < T(-1 + 1e-7)) { // half a turn about anything across
            axis = std::abs(a[0]) < T(0.9) ? cross(a, UT_Vector3T<T>(1, 0, 0))
                                           : cross(a, UT_Vector3T<T>(0, 1, 0));
            axis.normalize();
            for (unsigned i = 0; i < 3; ++i)
                for (unsigned j = 0; j < 3; ++j) m_[i][j] = 2 * axis[i] * axis[j] - T(i == j);
            return 1;
        }
        const T w[3][3] = {{0, axis[2], -axis[1]}, {-axis[2], 0, axis[0]}, {axis[1], -axis[0], 0}};
        for (unsigned i = 0; i < 3; ++i)
            for (unsigned j = 0; j < 3; ++j) {
                T square = 0;
                for (unsigned k = 0; k < 3; ++k) square += w[i][k] * w[k][j];
                m_[i][j] = T(i == j) + w[i][j] + square / (1 + c);
            }
        return 1;
    }
    friend UT_Matrix3T operator*(const UT_Matrix3T& a, const UT_Matrix3T& b)
    {
        UT_Matrix3T c;
        for (unsigned i = 0; i < 3; ++i)
            for (unsigned j = 0; j < 3; ++j)
                for (unsigned k = 0; k < 3; ++k) c(i, j) += a(i, k) * b(k, j);
        return c;
    }
    UT_Matrix3T& operator*=(const UT_Matrix3T& b) { return *this = *this * b; }
    UT_Matrix3T& operator+=(const UT_Matrix3T& b)
    {
        for (unsigned i = 0; i < 3; ++i)
            for (unsigned j = 0; j < 3; ++j) m_[i][j] += b(i, j);
        return *this;
    }
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

template <class T, class S> UT_Vector3T<T> operator*(UT_Vector3T<T> v, const UT_Matrix3T<S>& m)
{
    return v *= m;
}

using UT_Matrix3F = UT_Matrix3T<fpreal32>;
using UT_Matrix3D = UT_Matrix3T<fpreal64>;
using UT_Matrix3R = UT_Matrix3T<fpreal>;
using UT_Matrix3 = UT_Matrix3F;
using UT_DMatrix3 = UT_Matrix3D;
