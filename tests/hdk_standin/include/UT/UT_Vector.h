#pragma once
// Small vectors of the stand-in: one template, the HDK's names in the headers that include it.
#include <SYS/SYS_Math.h>

#include <type_traits>

template <class T> class UT_Matrix3T;
template <class T> class UT_Matrix4T;

namespace standin
{

/// Storage and arithmetic common to UT_Vector2T … 4T; `V` is the vector itself.
template <class V, class T, int N> class VectorBase
{
public:
    using value_type = T;
    static constexpr int tuple_size = N;

    T& operator()(unsigned i) { return v_[i]; }
    const T& operator()(unsigned i) const { return v_[i]; }
    T& operator[](unsigned i) { return v_[i]; }
    const T& operator[](unsigned i) const { return v_[i]; }
    T* data() { return v_; }
    const T* data() const { return v_; }
    T& x() { return v_[0]; }
    const T& x() const { return v_[0]; }
    T& y() { return v_[1]; }
    const T& y() const { return v_[1]; }

    V& operator+=(const V& b)
    {
        return each([&](int i) { v_[i] += b[unsigned(i)]; });
    }
    V& operator-=(const V& b)
    {
        return each([&](int i) { v_[i] -= b[unsigned(i)]; });
    }
    V& operator*=(T s)
    {
        return each([&](int i) { v_[i] *= s; });
    }
    V& operator/=(T s)
    {
        return each([&](int i) { v_[i] /= s; });
    }
    V& operator*=(const V& b)
    {
        return each([&](int i) { v_[i] *= b[unsigned(i)]; });
    }
    V& operator=(T s)
    {
        return each([&](int i) { v_[i] = s; });
    }

    friend V operator+(V a, const V& b) { return a += b; }
    friend V operator-(V a, const V& b) { return a -= b; }
    friend V operator*(V a, T s) { return a *= s; }
    friend V operator*(T s, V a) { return a *= s; }
    friend V operator*(V a, const V& b) { return a *= b; }
    friend V operator/(V a, T s) { return a /= s; }
    friend bool operator==(const V& a, const V& b)
    {
        for (unsigned i = 0; i < unsigned(N); ++i)
            if (a[i] != b[i]) return false;
        return true;
    }
    friend bool operator!=(const V& a, const V& b) { return !(a == b); }
    friend T dot(const V& a, const V& b) { return a.dot(b); }
    friend T distance(const V& a, const V& b) { return a.distance(b); }
    friend T distance2(const V& a, const V& b) { return a.distance2(b); }
    V operator-() const { return V(self()) *= T(-1); }

    T dot(const V& b) const
    {
        T sum = 0;
        for (int i = 0; i < N; ++i) sum += v_[i] * b[unsigned(i)];
        return sum;
    }
    T length2() const { return dot(self()); }
    T length() const { return std::sqrt(length2()); }
    T distance(const V& b) const { return (self() - b).length(); }
    T distance2(const V& b) const { return (self() - b).length2(); }
    T normalize()
    {
        const T l = length();
        if (l > 0) *this /= l;
        return l;
    }
    bool isZero() const { return length2() == 0; }
    bool isFinite() const
    {
        for (int i = 0; i < N; ++i)
            if (!std::isfinite(v_[i])) return false;
        return true;
    }
    bool equalZero(T tolerance = T(SYS_FTOLERANCE)) const { return length() <= tolerance; }
    bool isEqual(const V& b, T tolerance = T(SYS_FTOLERANCE)) const
    {
        return distance(b) <= tolerance;
    }
    T minComponent() const { return *std::min_element(v_, v_ + N); }
    T maxComponent() const { return *std::max_element(v_, v_ + N); }

protected:
    T v_[N] = {};

private:
    const V& self() const { return static_cast<const V&>(*this); }
    template <class F> V& each(F&& f)
    {
        for (int i = 0; i < N; ++i) f(i);
        return static_cast<V&>(*this);
    }
};

} // namespace standin
