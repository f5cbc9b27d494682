#include "core/example/cloth_grid.h"

#include "core/base/error.h"
#include "core/example/polygon_geometry.h"

#include <random>

namespace selvage
{
namespace
{

/// How far an inner point is moved, in parts of a cell: at 0.25 no triangle can turn over.
constexpr double jitter = 0.25;

/// Uniform in [0, 1), the same everywhere (the standard fixes the engine, not its distributions).
double uniform(std::mt19937& random) { return double(random()) / 4294967296.0; }

VecX grid_positions(int columns, int rows, double size_x, double size_z, bool irregular,
                    std::mt19937& random)
{
    VecX x(3 * Eigen::Index(columns + 1) * Eigen::Index(rows + 1));
    Eigen::Index p = 0;
    for (int j = 0; j <= rows; ++j)
        for (int i = 0; i <= columns; ++i, ++p) {
            double u = i, v = j;
            if (irregular && i > 0 && i < columns && j > 0 && j < rows) {
                u += jitter * (2 * uniform(random) - 1);
                v += jitter * (2 * uniform(random) - 1);
            }
            x.segment<3>(3 * p) = Vec3(size_x * (u / columns - 0.5), 0, size_z * (0.5 - v / rows));
        }
    return x;
}

std::vector<int> grid_faces(int columns, int rows, GridCells cells, std::mt19937& random)
{
    std::vector<int> corners;
    for (int j = 0; j < rows; ++j)
        for (int i = 0; i < columns; ++i) {
            const int a = j * (columns + 1) + i, b = a + 1, d = a + columns + 1, c = d + 1;
            bool rising = true; // diagonal a-c, else b-d
            if (cells == GridCells::alternating_triangles) rising = (i + j) % 2 == 0;
            if (cells == GridCells::irregular_triangles) rising = uniform(random) < 0.5;
            if (cells == GridCells::quads)
                corners.insert(corners.end(), {a, b, c, d});
            else if (rising)
                corners.insert(corners.end(), {a, b, c, a, c, d});
            else
                corners.insert(corners.end(), {a, b, d, b, c, d});
        }
    return corners;
}

} // namespace

Geometry cloth_grid(int columns, int rows, double size_x, double size_z, GridCells cells,
                    unsigned seed)
{
    if (columns < 1 || rows < 1 || !(size_x > 0) || !(size_z > 0))
        throw InputError("Cloth grid: " + std::to_string(columns) + " x " + std::to_string(rows) +
                         " cells of " + std::to_string(size_x) + " m x " + std::to_string(size_z) +
                         " m. All must be positive.");
    std::mt19937 random(seed);
    const bool irregular = cells == GridCells::irregular_triangles;
    const VecX x = grid_positions(columns, rows, size_x, size_z, irregular, random);
    Geometry g =
        polygon_geometry(std::size_t(x.size()) / 3, grid_faces(columns, rows, cells, random),
                         cells == GridCells::quads ? 4 : 3);
    g.set_positions(x);

    Attribute uv = make_attribute("uv", Owner::vertex, Storage::real32, 3, g.vertex_count());
    uv.type_info = "texturecoord";
    for (std::size_t v = 0; v < g.vertex_count(); ++v) {
        const Vec3 p = x.segment<3>(3 * Eigen::Index(g.vertex_point()[v]));
        uv.set_number(v, 0, p.x() + size_x / 2);
        uv.set_number(v, 1, size_z / 2 - p.z());
    }
    g.set(std::move(uv));

    const int first_of_top = rows * (columns + 1);
    std::vector<int> top;
    for (int i = 0; i <= columns; ++i) top.push_back(first_of_top + i);
    add_group(g, "top", top);
    add_group(g, "corners", {0, columns, first_of_top, first_of_top + columns});
    return g;
}

} // namespace selvage
