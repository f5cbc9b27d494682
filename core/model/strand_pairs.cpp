#include "core/model/strand_pairs.h"

#include <algorithm>

namespace selvage
{
namespace
{

struct Place {
    int strand = -1;
    double at = 0; ///< [m] along it
    bool held = false;
};

std::vector<Place> strand_places(const Scene& scene, int vertex_count)
{
    std::vector<Place> places(static_cast<std::size_t>(vertex_count));
    int strands = 0;
    for (const Hair& hair : scene.hairs)
        for (std::size_t s = 0; s < std::size_t(hair.strand_count()); ++s, ++strands) {
            const int begin = hair.strand_begin[s], end = hair.strand_begin[s + 1];
            double at = 0;
            for (int k = begin; k < end; ++k) {
                places[std::size_t(hair.first_vertex + hair.points[std::size_t(k)])] = {
                    strands, at, held_point(hair, int(s), k - begin)};
                at += hair.rest_length[k];
            }
        }
    return places;
}

/// What the sides of a pair are made of.
struct Side {
    bool prescribed = false, held = false, all_held = true;
};

} // namespace

PairFilter strand_pair_filter(const Scene& scene, const ContactMesh& mesh, PairFilter others)
{
    if (scene.hairs.empty()) return others;
    return [&mesh, places = strand_places(scene, mesh.vertex_count()),
            others = std::move(others)](PairKind kind, std::int32_t a, std::int32_t b) {
        std::int32_t v[4];
        const int n = pair_vertices(mesh, kind, {a, b}, v),
                  split = kind == PairKind::edge_edge ? 2 : 1;
        Side sides[2];
        for (int i = 0; i < n; ++i) {
            Side& side = sides[i >= split];
            const Place& place = places[std::size_t(v[i])];
            side.prescribed = side.prescribed || !mesh.simulated(v[i]);
            side.held = side.held || place.held;
            side.all_held = side.all_held && (place.held || !mesh.simulated(v[i]));
        }
        if (sides[0].all_held && sides[1].all_held) return false;
        if ((sides[0].prescribed && sides[1].held) || (sides[1].prescribed && sides[0].held))
            return false;
        const Place &first = places[std::size_t(v[0])], &last = places[std::size_t(v[n - 1])];
        if (first.strand >= 0 && first.strand == last.strand) {
            double apart = infinity;
            for (int i = 0; i < split; ++i)
                for (int j = split; j < n; ++j)
                    apart = std::min(apart, std::abs(places[std::size_t(v[i])].at -
                                                     places[std::size_t(v[j])].at));
            if (!(apart > 2 * (mesh.thickness(v[0]) + mesh.thickness(v[n - 1])))) return false;
        }
        return !others || others(kind, a, b);
    };
}

std::vector<ReleasedVertex> without_roots(const Scene& scene, std::vector<ReleasedVertex> vertices)
{
    if (scene.hairs.empty() || vertices.empty()) return vertices;
    const std::vector<Place> places = strand_places(scene, scene.vertex_count());
    vertices.erase(
        std::remove_if(vertices.begin(), vertices.end(),
                       [&](const ReleasedVertex& r) { return places[std::size_t(r.vertex)].held; }),
        vertices.end());
    return vertices;
}

} // namespace selvage
