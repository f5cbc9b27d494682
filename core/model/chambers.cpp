#include "core/model/chambers.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <map>
#include <numeric>

namespace selvage
{
namespace
{

/// Which piece each point belongs to: the smallest point number of the piece.
std::vector<int> pieces_of(const Cloth& cloth)
{
    std::vector<int> parent(std::size_t(cloth.point_count()));
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](int p) {
        while (parent[std::size_t(p)] != p)
            p = parent[std::size_t(p)] = parent[std::size_t(parent[std::size_t(p)])];
        return p;
    };
    for (const Vec3i& t : cloth.mesh.triangles)
        for (int k = 1; k < 3; ++k) {
            const int a = root(t[0]), b = root(t[k]);
            parent[std::size_t(std::max(a, b))] = std::min(a, b);
        }
    for (int p = 0; p < cloth.point_count(); ++p) parent[std::size_t(p)] = root(p);
    return parent;
}

void require_orientable(const Cloth& cloth)
{
    const MeshTopology& m = cloth.mesh;
    if (!m.nonmanifold_edges.empty())
        throw InputError(fmt::format(
            "Cloth '{}': pressure needs an inside, but three or more polygons meet at the edge "
            "between points {} and {}. Split the pieces there.",
            cloth.name, m.nonmanifold_edges[0][0], m.nonmanifold_edges[0][1]));
    if (!m.flipped_edges.empty())
        throw InputError(fmt::format(
            "Cloth '{}': pressure needs an outside, but the polygons at the edge between points {} "
            "and {} face opposite ways. Reverse one side (Reverse or PolyDoctor SOP).",
            cloth.name, m.flipped_edges[0][0], m.flipped_edges[0][1]));
}

/// Rims of the holes in the direction of their triangles, as cloth points.
std::vector<std::vector<int>> rims_of(const Cloth& cloth)
{
    std::map<std::pair<int, int>, int> directed; // edge of a triangle, and whether it has a twin
    for (const Vec3i& t : cloth.mesh.triangles)
        for (int k = 0; k < 3; ++k) directed[{t[k], t[(k + 1) % 3]}] = 1;
    std::multimap<int, int> next;
    for (const auto& [edge, one] : directed)
        if (!directed.count({edge.second, edge.first})) next.emplace(edge.first, edge.second);
    std::vector<std::vector<int>> rims;
    while (!next.empty()) {
        std::vector<int> rim;
        int p = next.begin()->first;
        for (auto it = next.find(p); it != next.end(); it = next.find(p)) {
            rim.push_back(p);
            p = it->second;
            next.erase(it);
        }
        rims.push_back(std::move(rim));
    }
    return rims;
}

} // namespace

std::vector<ClothChamber> make_chambers(const Cloth& cloth, int cloth_number,
                                        const ChamberChoice& choice, LogSink& log)
{
    require_orientable(cloth);
    const std::vector<std::vector<int>> rims = rims_of(cloth);
    if (!rims.empty() && !choice.close_holes)
        throw InputError(fmt::format(
            "Cloth '{}': pressure on an open cloth: it has {} holes (one through point {}). Close "
            "them (PolyFill SOP), or set pressure.close_holes to true.",
            cloth.name, rims.size(), rims[0][0]));
    if (!rims.empty())
        log.message(Severity::info, fmt::format("Cloth '{}': {} holes are closed for its pressure.",
                                                cloth.name, rims.size()));

    const std::vector<int> piece = pieces_of(cloth);
    std::map<int, ClothChamber> chambers;
    const auto chamber_at = [&](int point) -> Chamber& {
        ClothChamber& c = chambers[choice.per_piece ? piece[std::size_t(point)] : 0];
        c.cloth = cloth_number;
        return c.chamber;
    };
    for (const Vec3i& t : cloth.mesh.triangles) chamber_at(t[0]).triangles.push_back(t);
    for (const std::vector<int>& rim : rims) chamber_at(rim[0]).holes.push_back(rim);

    std::vector<ClothChamber> out;
    for (auto& [first, c] : chambers) {
        c.rest_volume = chamber_volume(c.chamber, cloth.x_rest);
        double area = 0;
        for (const Vec3i& t : c.chamber.triangles) {
            const Vec3 a = cloth.x_rest.segment<3>(3 * t[0]);
            const Vec3 b = cloth.x_rest.segment<3>(3 * t[1]) - a,
                       d = cloth.x_rest.segment<3>(3 * t[2]) - a;
            area += b.cross(d).norm() / 2;
        }
        const bool flat = std::abs(c.rest_volume) < 1e-6 * std::pow(area, 1.5);
        const bool inside_out = flat ? choice.flip : c.rest_volume < 0;
        if (inside_out) c.chamber.sign = -1;
        c.rest_volume = std::abs(c.rest_volume);
        for (Vec3i& t : c.chamber.triangles) t.array() += cloth.first_vertex;
        for (std::vector<int>& rim : c.chamber.holes)
            for (int& v : rim) v += cloth.first_vertex;
        out.push_back(std::move(c));
    }
    return out;
}

} // namespace selvage
