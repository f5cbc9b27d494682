#include "core/check/distance.h"
#include "core/check/edge_triangle.h"

#include <gtest/gtest.h>

#include <random>

using namespace selvage;

namespace
{

const Vec3 p(0, 0, 0), q(4, 0, 0), r(0, 4, 0);

struct Case {
    const char* what;
    Vec3 a, b;
    Contact contact;
};

/// Both directions, all corner orders, three planes.
void expect_contact(const Case& c, const Vec3& P, const Vec3& Q, const Vec3& R)
{
    const Vec3 corners[] = {P, Q, R};
    int order[] = {0, 1, 2};
    do {
        for (int turn = 0; turn < 3; ++turn) {
            const auto at = [&](const Vec3& v) {
                return Vec3(v[turn], v[(turn + 1) % 3], v[(turn + 2) % 3]);
            };
            const Vec3 s = at(corners[order[0]]), t = at(corners[order[1]]),
                       u = at(corners[order[2]]);
            EXPECT_EQ(edge_triangle_contact(at(c.a), at(c.b), s, t, u), c.contact) << c.what;
            EXPECT_EQ(edge_triangle_contact(at(c.b), at(c.a), s, t, u), c.contact) << c.what;
            EXPECT_EQ(edge_meets_triangle(at(c.a), at(c.b), s, t, u), c.contact != Contact::none)
                << c.what;
        }
    } while (std::next_permutation(order, order + 3));
}

} // namespace

TEST(EdgeTriangle, TruthTable)
{
    const Case cases[] = {
        {"pierces", {1, 1, -1}, {1, 1, 1}, Contact::crossing},
        {"passes beside", {5, 1, -1}, {5, 1, 1}, Contact::none},
        {"stops short", {1, 1, 2}, {1, 1, 1}, Contact::none},
        {"end on the face", {1, 1, 2}, {1, 1, 0}, Contact::crossing},
        {"end on an edge", {2, 0, 2}, {2, 0, 0}, Contact::crossing},
        {"through an edge", {2, 2, -1}, {2, 2, 1}, Contact::crossing},
        {"through a corner", {4, 0, -1}, {4, 0, 1}, Contact::crossing},
        {"end at a corner", {4, 0, 0}, {5, 1, 1}, Contact::touching},
        {"end at a corner, coming over the face", {4, 0, 0}, {1, 1, 1}, Contact::touching},
        {"coplanar, inside", {1, 1, 0}, {1, 2, 0}, Contact::crossing},
        {"coplanar, across", {-1, 1, 0}, {5, 1, 0}, Contact::crossing},
        {"coplanar, outside", {5, 1, 0}, {5, 5, 0}, Contact::none},
        {"coplanar, around a corner", {3, 3, 0}, {5, -1, 0}, Contact::none},
        {"coplanar, grazes a corner", {4, -1, 0}, {4, 1, 0}, Contact::crossing},
        {"coplanar, along an edge", {1, 0, 0}, {3, 0, 0}, Contact::crossing},
        {"coplanar, along an edge beyond it", {-1, 0, 0}, {9, 0, 0}, Contact::crossing},
        {"in line with an edge, apart", {5, 0, 0}, {9, 0, 0}, Contact::none},
        {"coplanar, from a corner away", {4, 0, 0}, {6, 1, 0}, Contact::touching},
        {"coplanar, from a corner in line with an edge", {4, 0, 0}, {6, 0, 0}, Contact::touching},
        {"coplanar, from a corner inside", {0, 0, 0}, {1, 1, 0}, Contact::crossing},
        {"coplanar, from a corner through", {0, 0, 0}, {9, 9, 0}, Contact::crossing},
        {"coplanar, from a corner along part of an edge", {0, 0, 0}, {2, 0, 0}, Contact::crossing},
        {"the very edge", {0, 0, 0}, {4, 0, 0}, Contact::touching},
        {"parallel above", {-1, 1, 1}, {5, 1, 1}, Contact::none},
        {"a point on the face", {1, 1, 0}, {1, 1, 0}, Contact::crossing},
        {"a point off the face", {1, 1, 1}, {1, 1, 1}, Contact::none},
        {"a point at a corner", {0, 4, 0}, {0, 4, 0}, Contact::touching},
    };
    for (const Case& c : cases) expect_contact(c, p, q, r);
}

TEST(EdgeTriangle, TriangleWithoutArea)
{
    const Case cases[] = {
        {"crosses the sliver", {1, -1, 0}, {1, 1, 0}, Contact::crossing},
        {"off the sliver", {1, -1, 1}, {1, 1, 1}, Contact::none},
        {"beyond its end", {5, -1, 0}, {5, 1, 0}, Contact::none},
        {"overlaps in line", {1, 0, 0}, {9, 0, 0}, Contact::crossing},
        {"in line, apart", {5, 0, 0}, {9, 0, 0}, Contact::none},
        {"at its end", {4, 0, 0}, {5, 5, 5}, Contact::touching},
    };
    for (const Case& c : cases) expect_contact(c, p, q, Vec3(2, 0, 0));
    for (const Case& c : cases) expect_contact(c, p, q, p);
    expect_contact({"meets a point", {-1, -1, -1}, {1, 1, 1}, Contact::crossing}, p, p, p);
    expect_contact({"misses a point", {-1, -1, -1}, {1, 1, 2}, Contact::none}, p, p, p);
}

/// The plane at 1/3 is no double: neighbouring doubles lie on different sides, one step apart.
TEST(EdgeTriangle, OneStepDecides)
{
    const double z = 1.0 / 3;
    const Vec3 P(0, 0, z), Q(1, 0, z), R(0, 1, z), top(0.25, 0.25, 1);
    const double above = std::nextafter(z, 1.0);
    EXPECT_TRUE(edge_meets_triangle(Vec3(0.25, 0.25, z), top, P, Q, R));
    EXPECT_FALSE(edge_meets_triangle(Vec3(0.25, 0.25, above), top, P, Q, R));
}

/// On a small lattice, distances are zero or far from it, so doubles can tell; degenerate and
/// coplanar cases abound.
TEST(EdgeTriangle, AgreesWithDistancesOnALattice)
{
    std::mt19937 random(8);
    std::uniform_int_distribution<int> lattice(0, 3);
    const auto vector = [&] { return Vec3(lattice(random), lattice(random), lattice(random)); };
    int meeting = 0;
    for (int i = 0; i < 50000; ++i) {
        const Vec3 a = vector(), b = vector(), P = vector(), Q = vector(), R = vector();
        double distance = std::min({check_distance::point_triangle(a, P, Q, R),
                                    check_distance::point_triangle(b, P, Q, R),
                                    check_distance::segment_segment(a, b, P, Q),
                                    check_distance::segment_segment(a, b, Q, R),
                                    check_distance::segment_segment(a, b, R, P)});
        const Vec3 n = (Q - P).cross(R - P);
        const double height_a = n.dot(a - P), height_b = n.dot(b - P);
        if (height_a * height_b < 0) {
            const Vec3 hit = a + (b - a) * (height_a / (height_a - height_b));
            distance = std::min(distance, check_distance::point_triangle(hit, P, Q, R));
        }
        ASSERT_EQ(edge_meets_triangle(a, b, P, Q, R), distance < 1e-9)
            << a.transpose() << " - " << b.transpose() << " and " << P.transpose() << ", "
            << Q.transpose() << ", " << R.transpose();
        meeting += distance < 1e-9;
    }
    EXPECT_GT(meeting, 5000);
}

/// Two triangles of a fan share an edge: a segment through the fan meets at least one of them. An
/// inexact test lets segments slip through the crack.
TEST(EdgeTriangle, NothingSlipsThroughACrack)
{
    std::mt19937 random(7);
    std::uniform_real_distribution<double> unit(-1, 1);
    const auto vector = [&] { return Vec3(unit(random), unit(random), unit(random)); };
    for (int i = 0; i < 20000; ++i) {
        const Vec3 a = vector(), b = vector(), left = vector(), right = vector();
        // Aims at a point of the common edge a–b; rounding decides on which side it passes.
        const double t = 0.5 * (unit(random) + 1);
        const Vec3 aim = a + t * (b - a), from = aim + vector(), to = aim - (from - aim);
        const bool hit =
            edge_meets_triangle(from, to, a, b, left) || edge_meets_triangle(from, to, b, a, right);
        // The pair is a surface without gap around the edge only if the segment crosses from one
        // side of the folded sheet to the other: both its planes separate its ends.
        const Vec3 e = (b - a).normalized();
        const auto flat = [&](const Vec3& v) { return Vec3(v - e * e.dot(v)); };
        const Vec3 l = flat(left - a).normalized(), m = flat(right - a).normalized();
        const Vec3 d = flat(to - from).normalized();
        // Angle of d and of −d relative to the wedge l..m.
        const Vec3 n = l.cross(m);
        const auto inside_wedge = [&](const Vec3& v) {
            return l.cross(v).dot(n) > 1e-3 && v.cross(m).dot(n) > 1e-3;
        };
        const bool crosses = inside_wedge(d) != inside_wedge(-d);
        const bool clear = t > 0.01 && t < 0.99 && n.norm() > 1e-2;
        ASSERT_TRUE(hit || !crosses || !clear) << i;
    }
}

TEST(SegmentsMeet, InSpace)
{
    const Vec3 o(0, 0, 0), x(2, 0, 0);
    EXPECT_TRUE(segments_meet(o, x, {1, -1, 0}, {1, 1, 0}));
    EXPECT_FALSE(segments_meet(o, x, {1, -1, 1}, {1, 1, 1}));
    EXPECT_FALSE(segments_meet(o, x, {3, -1, 0}, {3, 1, 0}));
    EXPECT_TRUE(segments_meet(o, x, {1, 0, 0}, {1, 0, 5}));
    EXPECT_TRUE(segments_meet(o, x, x, {3, 0, 0}));
    EXPECT_FALSE(segments_meet(o, x, {2.5, 0, 0}, {3, 0, 0}));
    EXPECT_TRUE(segments_meet(o, o, o, o));
    EXPECT_FALSE(segments_meet(o, o, x, x));
    EXPECT_TRUE(segments_meet({1, 0, 0}, {1, 0, 0}, o, x));
    EXPECT_FALSE(segments_meet({0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}));
    EXPECT_TRUE(segments_meet({0, 0, 0}, {2, 2, 2}, {1, 1, 1}, {3, 3, 3}));
}

TEST(Collinear, IsExact)
{
    const Vec3 a(0.1, 0.2, 0.3), b(0.2, 0.4, 0.6), c(0.4, 0.8, 1.2);
    EXPECT_TRUE(are_collinear(a, b, c)); // doublings are exact
    EXPECT_FALSE(are_collinear(a, b, Vec3(0.4, 0.8, std::nextafter(1.2, 2.0))));
    EXPECT_TRUE(are_collinear(a, a, b));
}
