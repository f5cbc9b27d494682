#pragma once

#include "core/base/types.h"

#include <cmath>

namespace selvage
{

/// A number that carries its gradient and Hessian in N variables (forward-mode, second order): any
/// formula written for a scalar type yields exact derivatives, without truncation error. Slow (it
/// moves N² numbers per operation); an oracle, and the yardstick of hand-written derivatives.
template <int N> struct Dual2 {
    using Vector = Eigen::Matrix<double, N, 1>;
    using Matrix = Eigen::Matrix<double, N, N>;

    double value = 0;
    Vector gradient = Vector::Zero();
    Matrix hessian = Matrix::Zero();

    Dual2() = default;
    Dual2(double a) : value(a) {} // constants enter formulas as they are
    static Dual2 variable(double a, int index)
    {
        Dual2 d(a);
        d.gradient[index] = 1;
        return d;
    }
    /// f(a) from f, f′ and f″ at a.
    static Dual2 chain(const Dual2& a, double f, double f1, double f2)
    {
        Dual2 r(f);
        r.gradient = f1 * a.gradient;
        r.hessian = f1 * a.hessian;
        r.hessian.noalias() += f2 * a.gradient * a.gradient.transpose();
        return r;
    }

    friend Dual2 operator+(Dual2 a, const Dual2& b)
    {
        a.value += b.value, a.gradient += b.gradient, a.hessian += b.hessian;
        return a;
    }
    friend Dual2 operator-(Dual2 a, const Dual2& b)
    {
        a.value -= b.value, a.gradient -= b.gradient, a.hessian -= b.hessian;
        return a;
    }
    friend Dual2 operator-(const Dual2& a) { return chain(a, -a.value, -1, 0); }
    friend Dual2 operator*(const Dual2& a, const Dual2& b)
    {
        Dual2 r(a.value * b.value);
        r.gradient = a.value * b.gradient + b.value * a.gradient;
        r.hessian = a.value * b.hessian + b.value * a.hessian;
        r.hessian.noalias() += a.gradient * b.gradient.transpose();
        r.hessian.noalias() += b.gradient * a.gradient.transpose();
        return r;
    }
    friend Dual2 operator/(const Dual2& a, const Dual2& b)
    {
        const double i = 1 / b.value;
        return a * chain(b, i, -i * i, 2 * i * i * i);
    }
    friend Dual2 sqrt(const Dual2& a)
    {
        const double s = std::sqrt(a.value);
        return chain(a, s, 0.5 / s, -0.25 / (s * a.value));
    }
    friend Dual2 log(const Dual2& a)
    {
        const double i = 1 / a.value;
        return chain(a, std::log(a.value), i, -i * i);
    }
    friend Dual2 exp(const Dual2& a)
    {
        const double e = std::exp(a.value);
        return chain(a, e, e, e);
    }
    friend Dual2 tan(const Dual2& a)
    {
        const double t = std::tan(a.value), d = 1 + t * t;
        return chain(a, t, d, 2 * t * d);
    }
    /// The angle of (x, y).
    friend Dual2 atan2(const Dual2& y, const Dual2& x)
    {
        const double i = 1 / (x.value * x.value + y.value * y.value);
        const double fy = x.value * i, fx = -y.value * i;
        const double fxx = -2 * fx * fy, fyy = 2 * fx * fy; // f is harmonic
        const double fxy = (y.value * y.value - x.value * x.value) * i * i;
        Dual2 r(std::atan2(y.value, x.value));
        r.gradient = fx * x.gradient + fy * y.gradient;
        r.hessian = fx * x.hessian + fy * y.hessian;
        r.hessian.noalias() += fxx * x.gradient * x.gradient.transpose();
        r.hessian.noalias() += fyy * y.gradient * y.gradient.transpose();
        r.hessian.noalias() +=
            fxy * (x.gradient * y.gradient.transpose() + y.gradient * x.gradient.transpose());
        return r;
    }
};

/// The entries of x as variables.
template <int N> std::array<Dual2<N>, N> variables(const Eigen::Matrix<double, N, 1>& x)
{
    std::array<Dual2<N>, N> v;
    for (int i = 0; i < N; ++i) v[std::size_t(i)] = Dual2<N>::variable(x[i], i);
    return v;
}

} // namespace selvage
