#include "core/energy/rod_chain.h"

#include "core/energy/rod_stretch.h"

namespace selvage
{
namespace
{

using V = Vec3T<Real4>;
using M = Mat3T<Real4>;

SELVAGE_INLINE void add(RodVector& g, int point, const V& v)
{
    Real4* at = g.data() + 4 * point;
    at[0] = at[0] + v.x, at[1] = at[1] + v.y, at[2] = at[2] + v.z;
}

/// The block of points (row, col), row > col.
SELVAGE_INLINE void add_block(RodMatrix& H, int row, int col, const M& B)
{
#pragma GCC unroll 3
    for (int j = 0; j < 3; ++j) {
        Real4* column = H.column(4 * col + j) + 4 * (row - col) - j;
#pragma GCC unroll 3
        for (int i = 0; i < 3; ++i) column[i] = column[i] + B.m[3 * i + j];
    }
}

/// The block of a point with itself: lower triangle.
SELVAGE_INLINE void add_diagonal(RodMatrix& H, int point, const M& B)
{
#pragma GCC unroll 3
    for (int j = 0; j < 3; ++j) {
        Real4* column = H.column(4 * point + j) - j;
#pragma GCC unroll 3
        for (int i = j; i < 3; ++i) column[i] = column[i] + B.m[3 * i + j];
    }
}

/// Position of `point` with the turn of `edge`, whichever comes first.
SELVAGE_INLINE void add_turn(RodMatrix& H, int point, int edge, const V& v)
{
    const int row = 4 * point, turn = 4 * edge + 3;
    if (row > turn) {
        Real4* column = H.column(turn) + row - turn;
        column[0] = column[0] + v.x, column[1] = column[1] + v.y, column[2] = column[2] + v.z;
    } else {
        H(turn, row) = H(turn, row) + v.x;
        H(turn, row + 1) = H(turn, row + 1) + v.y;
        H(turn, row + 2) = H(turn, row + 2) + v.z;
    }
}

/// From [e f θ_e θ_f] at point i to [x_{i−1} θ_{i−1} x_i θ_i x_{i+1}]: e = x_i − x_{i−1}, …
SELVAGE_INLINE void scatter(const RodHessian<Real4>& h, int i, RodMatrix& H)
{
    const int a = i - 1, c = i + 1;
    const M fe = transposed(h.ef);
    add_diagonal(H, a, h.ee);
    add_diagonal(H, i, h.ee + h.ff - h.ef - fe);
    add_diagonal(H, c, h.ff);
    add_block(H, i, a, fe - h.ee);
    add_block(H, c, i, fe - h.ff);
    add_block(H, c, a, Real4(-1.0) * fe);
    add_turn(H, a, a, -h.ea);
    add_turn(H, i, a, h.ea - h.fa);
    add_turn(H, c, a, h.fa);
    add_turn(H, a, i, -h.eb);
    add_turn(H, i, i, h.eb - h.fb);
    add_turn(H, c, i, h.fb);
    const int s = 4 * a + 3, t = 4 * i + 3;
    H(s, s) = H(s, s) + h.aa;
    H(t, s) = H(t, s) + h.ab;
    H(t, t) = H(t, t) + h.bb;
}

/// Where `clamp` is set, with negative eigenvalues removed.
void clamp_lanes(RodHessian<Real4>& h, const RodVertex<Real4>& v, const Mask4& clamp)
{
    RodHessian<Real4> c = h;
    clamp_psd(c, v.inverse_e, v.inverse_f);
    const auto pick = [&](Real4& to, const Real4& from) { to = select(clamp, from, to); };
    const auto pick3 = [&](V& to, const V& from) { to = select(clamp, from, to); };
    for (int k = 0; k < 9; ++k)
        pick(h.ee.m[k], c.ee.m[k]), pick(h.ef.m[k], c.ef.m[k]), pick(h.ff.m[k], c.ff.m[k]);
    pick3(h.ea, c.ea), pick3(h.eb, c.eb), pick3(h.fa, c.fa), pick3(h.fb, c.fb);
    pick(h.aa, c.aa), pick(h.ab, c.ab), pick(h.bb, c.bb);
}

} // namespace

RodChainShape::RodChainShape(int points)
    : x(std::size_t(points)),
      tangent(std::size_t(points)),
      director(std::size_t(points)),
      length(std::size_t(points)),
      twist(std::size_t(points), Real4(0.0))
{
}

void RodChainShape::take(const Mask4& lanes, const RodChainShape& from)
{
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = select(lanes, from.x[i], x[i]);
        tangent[i] = select(lanes, from.tangent[i], tangent[i]);
        director[i] = select(lanes, from.director[i], director[i]);
        length[i] = select(lanes, from.length[i], length[i]);
        twist[i] = select(lanes, from.twist[i], twist[i]);
    }
}

void RodChainShape::follow_points()
{
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
        const V e = x[i + 1] - x[i];
        length[i] = square_root(dot(e, e));
        const V t = (Real4(1.0) / length[i]) * e;
        director[i] = unit_across(transport(tangent[i], t, director[i]), t);
        tangent[i] = t;
    }
}

RodVertex<Real4> RodChainShape::vertex(int point) const
{
    const std::size_t f = std::size_t(point), e = f - 1;
    const Real4 one(1.0);
    return rod_vertex(tangent[e], one / length[e], director[e], tangent[f], one / length[f],
                      director[f]);
}

void RodChainShape::measure_twist(const std::vector<Real4>& change)
{
    for (int i = 1; i + 1 < points(); ++i) {
        Real4& m = twist[std::size_t(i)];
        m = rod_twist_angle(vertex(i), m + change[std::size_t(i)]);
    }
}

Real4 add_bend_and_twist(const RodChainLaws& laws, const RodChainShape& shape, Want want,
                         const Mask4& clamp, RodVector* gradient, RodMatrix* hessian)
{
    Real4 energy(0.0);
    const bool clamped = !all_lanes(!clamp);
    for (int i = 1; i + 1 < shape.points(); ++i) {
        const std::size_t at = std::size_t(i);
        RodResult<Real4> r;
        set_zero(r);
        const RodVertex<Real4> v = shape.vertex(i);
        add_rod_bend(v, laws.bend[at], want, r);
        add_rod_twist(v, shape.twist[at], laws.twist[at], want, r);
        energy = energy + r.energy;
        if (want.gradient) {
            const RodGradient<Real4>& g = r.gradient;
            add(*gradient, i - 1, -g.e), add(*gradient, i, g.e - g.f), add(*gradient, i + 1, g.f);
            Real4 *a = gradient->data() + 4 * i - 1, *b = a + 4;
            *a = *a + g.a, *b = *b + g.b;
        }
        if (!want.hessian) continue;
        if (clamped) clamp_lanes(r.hessian, v, clamp);
        scatter(r.hessian, i, *hessian);
    }
    return energy;
}

Real4 stretch_energy(const RodChainLaws& laws, const RodChainShape& shape, RodVector* gradient)
{
    Real4 energy(0.0);
    for (int i = 0; i + 1 < shape.points(); ++i) {
        const std::size_t at = std::size_t(i);
        const RodStretch<Real4> s =
            rod_stretch(shape.length[at], laws.axial[at], laws.rest_length[at]);
        energy = energy + s.energy;
        if (!gradient) continue;
        const V pull = s.tension * shape.tangent[at];
        add(*gradient, i, -pull), add(*gradient, i + 1, pull);
    }
    return energy;
}

void add_edge_stiffness(const V& tangent, const Real4& along, const Real4& across, int edge,
                        RodMatrix& hessian)
{
    const M K = along_and_across(tangent, along, across);
    add_diagonal(hessian, edge, K);
    add_diagonal(hessian, edge + 1, K);
    add_block(hessian, edge + 1, edge, Real4(-1.0) * K);
}

} // namespace selvage
