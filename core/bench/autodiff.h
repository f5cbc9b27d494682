#pragma once

#include "core/base/types.h"

#include <array>
#include <cmath>
#include <utility>

namespace selvage
{

/// A number that carries its gradient and Hessian in N variables (forward-mode, second order): any
/// formula written for a scalar type yields exact derivatives, without truncation error. An oracle,
/// and the yardstick of hand-written derivatives; therefore as fast as its kind can be without
/// generating code: fixed sizes on the stack, one fused pass per operation in vector instructions,
/// constants that stay plain numbers.
template <int N> class Dual2
{
public:
    using Vector = Eigen::Matrix<double, N, 1>;
    using Matrix = Eigen::Matrix<double, N, N>;

    double value;
    Vector gradient;
    Matrix hessian;

    Dual2() = default; ///< to be assigned to
    static Dual2 variable(double a, int index)
    {
        Dual2 d(a);
        d.gradient.setZero();
        d.gradient[index] = 1;
        d.hessian.setZero();
        return d;
    }

    friend Dual2 operator+(const Dual2& a, const Dual2& b)
    {
        Dual2 r(a.value + b.value);
        r.gradient = a.gradient + b.gradient;
        r.hessian = a.hessian + b.hessian;
        return r;
    }
    friend Dual2 operator-(const Dual2& a, const Dual2& b)
    {
        Dual2 r(a.value - b.value);
        r.gradient = a.gradient - b.gradient;
        r.hessian = a.hessian - b.hessian;
        return r;
    }
    friend Dual2 operator+(Dual2 a, double b) { return a.value += b, a; }
    friend Dual2 operator+(double a, Dual2 b) { return b.value += a, b; }
    friend Dual2 operator-(Dual2 a, double b) { return a.value -= b, a; }
    friend Dual2 operator-(const Dual2& a) { return -1.0 * a; }
    friend Dual2 operator*(double a, const Dual2& b)
    {
        Dual2 r(a * b.value);
        r.gradient = a * b.gradient;
        r.hessian = a * b.hessian;
        return r;
    }
    friend Dual2 operator*(const Dual2& a, double b) { return b * a; }
    friend Dual2 operator*(const Dual2& a, const Dual2& b)
    {
        Dual2 r(a.value * b.value);
        r.gradient = a.value * b.gradient + b.value * a.gradient;
        for (int j = 0; j < N; ++j)
            r.hessian.col(j) = a.value * b.hessian.col(j) + b.value * a.hessian.col(j) +
                               b.gradient[j] * a.gradient + a.gradient[j] * b.gradient;
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
        for (int j = 0; j < N; ++j)
            r.hessian.col(j) = fx * x.hessian.col(j) + fy * y.hessian.col(j) +
                               (fxx * x.gradient[j] + fxy * y.gradient[j]) * x.gradient +
                               (fyy * y.gradient[j] + fxy * x.gradient[j]) * y.gradient;
        return r;
    }

private:
    explicit Dual2(double a) : value(a) {}

    /// f(a) from f, f′ and f″ at a.
    static Dual2 chain(const Dual2& a, double f, double f1, double f2)
    {
        Dual2 r(f);
        r.gradient = f1 * a.gradient;
        for (int j = 0; j < N; ++j)
            r.hessian.col(j) = f1 * a.hessian.col(j) + (f2 * a.gradient[j]) * a.gradient;
        return r;
    }
};

template <int N, std::size_t... I>
std::array<Dual2<N>, N> variables(const Eigen::Matrix<double, N, 1>& x, std::index_sequence<I...>)
{
    return {Dual2<N>::variable(x[int(I)], int(I))...};
}

/// The entries of x as variables.
template <int N> std::array<Dual2<N>, N> variables(const Eigen::Matrix<double, N, 1>& x)
{
    return variables<N>(x, std::make_index_sequence<N>());
}

} // namespace selvage
