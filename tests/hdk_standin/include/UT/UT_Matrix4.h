#pragma once
#include <UT/UT_Axis.h>
#include <UT/UT_Matrix3.h>
#include <UT/UT_Vector3.h>
#include <UT/UT_Vector4.h>

#include <cmath>

/// Acts on row vectors: p' = p M, translation in the last row.
template <class T> class UT_Matrix4T
{
public:
    UT_Matrix4T() = default;
    explicit UT_Matrix4T(T diagonal)
    {
        for (unsigned i = 0; i < 4; ++i) (*this)(i, i) = diagonal;
    }
    template <class S> UT_Matrix4T(const UT_Matrix4T<S>& b)
    {
        for (unsigned i = 0; i < 4; ++i)
            for (unsigned j = 0; j < 4; ++j) m_[i][j] = T(b(i, j));
    }
    template <class S> UT_Matrix4T(const UT_Matrix3T<S>& b)
    {
        for (unsigned i = 0; i < 3; ++i)
            for (unsigned j = 0; j < 3; ++j) m_[i][j] = T(b(i, j));
        m_[3][3] = 1;
    }
    T& operator()(unsigned row, unsigned col) { return m_[row][col]; }
    const T& operator()(unsigned row, unsigned col) const { return m_[row][col]; }
    void identity() { *this = UT_Matrix4T(T(1)); }
    bool isIdentity() const
    {
        for (unsigned i = 0; i < 4; ++i)
            for (unsigned j = 0; j < 4; ++j)
                if (m_[i][j] != T(i == j)) return false;
        return true;
    }
    void translate(T x, T y, T z)
    {
        const T d[3] = {x, y, z};
        for (unsigned j = 0; j < 3; ++j) m_[3][j] += d[j];
    }
    void translate(const UT_Vector3T<T>& t) { translate(t[0], t[1], t[2]); }
    void scale(T x, T y, T z)
    {
        UT_Matrix4T s(T(1));
        s(0, 0) = x;
        s(1, 1) = y;
        s(2, 2) = z;
        *this *= s;
    }
    void scale(T s) { scale(s, s, s); }
    /// Counterclockwise about an axis of the world, after what the matrix does.
    void rotate(UT_Axis3::axis a, T radians)
    {
        const unsigned i = unsigned(a + 1) % 3, j = unsigned(a + 2) % 3;
        UT_Matrix4T r(T(1));
        r(i, i) = r(j, j) = std::cos(radians);
        r(i, j) = std::sin(radians);
        r(j, i) = -r(i, j);
        *this *= r;
    }
    // Before what the matrix does.
    void pretranslate(T x, T y, T z)
    {
        UT_Matrix4T m(T(1));
        m.translate(x, y, z);
        *this = m * *this;
    }
    void prescale(T x, T y, T z)
    {
        UT_Matrix4T m(T(1));
        m.scale(x, y, z);
        *this = m * *this;
    }
    void prerotate(UT_Axis3::axis a, T radians)
    {
        UT_Matrix4T m(T(1));
        m.rotate(a, radians);
        *this = m * *this;
    }
    void zero() { *this = UT_Matrix4T(); }
    void transpose()
    {
        const UT_Matrix4T a = *this;
        for (unsigned i = 0; i < 4; ++i)
            for (unsigned j = 0; j < 4; ++j) m_[i][j] = a(j, i);
    }
    /// 1 where it cannot be.
    int invert()
    {
        UT_Matrix4T a = *this, b(T(1));
        for (unsigned c = 0; c < 4; ++c) {
            unsigned pivot = c;
            for (unsigned r = c + 1; r < 4; ++r)
                if (std::abs(a(r, c)) > std::abs(a(pivot, c))) pivot = r;
            if (a(pivot, c) == 0) return 1;
            for (unsigned j = 0; j < 4; ++j) {
                std::swap(a(c, j), a(pivot, j));
                std::swap(b(c, j), b(pivot, j));
            }
            const T inverse = 1 / a(c, c);
            for (unsigned j = 0; j < 4; ++j) {
                a(c, j) *= inverse;
                b(c, j) *= inverse;
            }
            for (unsigned r = 0; r < 4; ++r) {
                const T factor = a(r, c);
                for (unsigned j = 0; j < 4 && r != c; ++j) {
                    a(r, j) -= factor * a(c, j);
                    b(r, j) -= factor * b(c, j);
                }
            }
        }
        *this = b;
        return 0;
    }
    int invert(UT_Matrix4T& into) const
    {
        into = *this;
        return into.invert();
    }
    void setTranslates(const UT_Vector3T<T>& t)
    {
        for (unsigned j = 0; j < 3; ++j) m_[3][j] = t[j];
    }
    void getTranslates(UT_Vector3T<T>& t) const { t.assign(m_[3][0], m_[3][1], m_[3][2]); }
    friend UT_Matrix4T operator*(const UT_Matrix4T& a, const UT_Matrix4T& b)
    {
        UT_Matrix4T c;
        for (unsigned i = 0; i < 4; ++i)
            for (unsigned j = 0; j < 4; ++j)
                for (unsigned k = 0; k < 4; ++k) c(i, j) += a(i, k) * b(k, j);
        return c;
    }
    UT_Matrix4T& operator*=(const UT_Matrix4T& b) { return *this = *this * b; }
    T* data() { return &m_[0][0]; }
    const T* data() const { return &m_[0][0]; }

private:
    T m_[4][4] = {};
};

template <class T>
template <class S>
UT_Vector3T<T>& UT_Vector3T<T>::operator*=(const UT_Matrix4T<S>& m)
{
    const UT_Vector3T a = *this;
    for (unsigned j = 0; j < 3; ++j)
        (*this)[j] = T(a[0] * m(0, j) + a[1] * m(1, j) + a[2] * m(2, j) + m(3, j));
    return *this;
}

template <class T, class S> UT_Vector3T<T> operator*(UT_Vector3T<T> v, const UT_Matrix4T<S>& m)
{
    return v *= m;
}

using UT_Matrix4F = UT_Matrix4T<fpreal32>;
using UT_Matrix4D = UT_Matrix4T<fpreal64>;
using UT_Matrix4R = UT_Matrix4T<fpreal>;
using UT_Matrix4 = UT_Matrix4F;
using UT_DMatrix4 = UT_Matrix4D;
