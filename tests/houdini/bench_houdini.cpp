// Milliseconds per cook that the plugin adds to the solver: geometry in, geometry out, caching.
#include "plugin/houdini/geometry_input.h"
#include "plugin/houdini/geometry_output.h"
#include "tests/houdini/stage.h"
#include "tests/support/animated_source.h"

#include <chrono>
#include <cstdio>

using namespace selvage;
using namespace selvage::test;

namespace
{

double milliseconds(const std::function<void()>& body)
{
    const auto start = std::chrono::steady_clock::now();
    body();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
}

} // namespace

int main()
{
    constexpr int cells = 316; // 100 489 points
    const Geometry sheet = sheet_geometry(cells);
    GU_Detail gdp;
    fill(sheet, gdp, /*holes*/ true);
    std::printf("%zu points, %zu polygons (against the stand-in, not in Houdini)\n",
                sheet.point_count(), sheet.primitive_count());

    houdini::ConvertedInput first;
    std::printf("geometry in, first time        %7.2f ms\n",
                milliseconds([&] { first = houdini::convert_input(gdp, nullptr, "x"); }));
    double in = 1e9, copy = 1e9, out = 1e9;
    for (int i = 0; i < 10; ++i) {
        gdp.getP()->bumpDataId(); // as if it had moved
        in = std::min(in, milliseconds([&] { houdini::convert_input(gdp, &first, "x"); }));
        GU_Detail result;
        copy = std::min(copy, milliseconds([&] { result.replaceWith(gdp); }));
        Geometry g = *first.geometry;
        g.set_vectors("v", g.positions());
        g.set_scalars("sv_strain", VecX::Zero(Eigen::Index(g.point_count())));
        out = std::min(out, milliseconds([&] { houdini::write_result(g, result); }));
    }
    std::printf("geometry in, points moved      %7.2f ms\n", in);
    std::printf("duplicate the input            %7.2f ms\n", copy);
    std::printf("geometry out (P, v, sv_strain) %7.2f ms\n", out);
    std::printf("total per cook                 %7.2f ms (promise: at most 20)\n", in + copy + out);

    // The whole node, with the clock stopped so that nothing is solved.
    Stage stage;
    auto& solver = stage.add_solver(stage.add_source(sheet));
    set(solver, "time_scale", 0.0);
    stage.cook(solver, 1);
    double ahead = 1e9, back = 1e9;
    for (int f = 2; f <= 8; ++f)
        ahead = std::min(ahead, milliseconds([&] { stage.cook(solver, f); }));
    for (int f = 7; f >= 2; --f)
        back = std::min(back, milliseconds([&] { stage.cook(solver, f); }));
    std::printf("whole cook, next frame         %7.2f ms (session and strain included)\n", ahead);
    std::printf("whole cook, cached frame       %7.2f ms\n", back);
    return in + copy + out <= 20 ? 0 : 1;
}
