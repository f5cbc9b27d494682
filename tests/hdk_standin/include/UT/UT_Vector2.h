#pragma once
#include <UT/UT_Vector.h>

template <class T> class UT_Vector2T : public standin::VectorBase<UT_Vector2T<T>, T, 2>
{
public:
    UT_Vector2T() = default;
    explicit UT_Vector2T(T s) { this->v_[0] = this->v_[1] = s; }
    UT_Vector2T(T x, T y)
    {
        this->v_[0] = x;
        this->v_[1] = y;
    }
    template <class S> UT_Vector2T(const UT_Vector2T<S>& b) : UT_Vector2T(T(b[0]), T(b[1])) {}
    using standin::VectorBase<UT_Vector2T<T>, T, 2>::operator=;
    void assign(T x, T y) { *this = UT_Vector2T(x, y); }
};

using UT_Vector2F = UT_Vector2T<fpreal32>;
using UT_Vector2D = UT_Vector2T<fpreal64>;
using UT_Vector2R = UT_Vector2T<fpreal>;
using UT_Vector2 = UT_Vector2F;
using UT_Vector2i = UT_Vector2T<int32>;
