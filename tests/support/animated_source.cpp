#include "tests/support/animated_source.h"

namespace selvage::test
{

Geometry sheet_geometry(int n)
{
    Geometry g;
    g.set_point_count(std::size_t((n + 1) * (n + 1)));
    VecX x(3 * (n + 1) * (n + 1));
    for (int j = 0; j <= n; ++j)
        for (int i = 0; i <= n; ++i)
            x.segment<3>(3 * (j * (n + 1) + i)) = Vec3(double(i) / n, 1 - double(j) / n, 0);
    g.set_positions(x);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            const int a = j * (n + 1) + i;
            g.add_polygon({a, a + n + 1, a + n + 2, a + 1});
        }
    Group top;
    top.name = "top";
    top.member.assign(g.point_count(), 0);
    for (int i = 0; i <= n; ++i) top.member[std::size_t(i)] = 1;
    g.set_group(top);
    Attribute paint =
        make_attribute("paint", Owner::primitive, Storage::int32, 1, g.primitive_count());
    for (std::size_t i = 0; i < g.primitive_count(); ++i) paint.set_number(i, 0, double(i));
    g.set(paint);
    return g;
}

SessionSetup hanging_setup(int n)
{
    SessionSetup s;
    s.shot.set("frames", Vec3(1, 10, 0));
    s.solver.set("linear", std::string("ldlt"));
    ClothSetup c;
    c.cloth.set("name", std::string("sheet"));
    c.cloth.set("geometry", std::string("sheet.bgeo"));
    c.pins.set("group", std::string("top"));
    c.geometry = std::make_shared<StaticSource>(sheet_geometry(n), "sheet.bgeo");
    s.cloths.push_back(std::move(c));
    return s;
}

} // namespace selvage::test
