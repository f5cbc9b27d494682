#include "core/io/geo_primitive_writer.h"

#include <algorithm>
#include <unordered_map>

namespace selvage
{
namespace
{

class PrimitiveWriter
{
public:
    PrimitiveWriter(const Geometry& g, JsonWriter& out) : g_(g), out_(out) {}
    void write();

private:
    void count(const char* key, std::size_t n);
    std::size_t run_end(std::size_t first) const;
    void run(std::size_t first, std::size_t last);
    void single(const Primitive& p);
    void soup(const Primitive& p);

    const Geometry& g_;
    JsonWriter& out_;
};

void PrimitiveWriter::count(const char* key, std::size_t n)
{
    out_.string(key);
    out_.integer(std::int64_t(n));
}

/// One past the last primitive of the run that starts here: same kind, vertices consecutive.
std::size_t PrimitiveWriter::run_end(std::size_t first) const
{
    const auto& list = g_.primitives();
    const auto& vertices = g_.primitive_vertices();
    if (list[first].type == PrimitiveType::polygon_soup) return first;
    std::int64_t next = list[first].count ? vertices[std::size_t(list[first].first)] : 0;
    std::size_t last = first;
    for (; last < list.size(); ++last) {
        const Primitive& p = list[last];
        if (p.type != list[first].type || p.closed != list[first].closed) break;
        bool consecutive = p.count > 0;
        for (std::int64_t k = 0; k < p.count && consecutive; ++k)
            consecutive = vertices[std::size_t(p.first + k)] == next + k;
        if (!consecutive) break;
        next += p.count;
    }
    return last;
}

void PrimitiveWriter::run(std::size_t first, std::size_t last)
{
    const auto& list = g_.primitives();
    const bool tetrahedra = list[first].type == PrimitiveType::tetrahedron;
    const bool closed = list[first].closed;
    const bool shorthand = out_.binary();
    out_.begin_array();
    out_.begin_array();
    out_.string("type");
    out_.string(tetrahedra  ? "Tetrahedron_run"
                : shorthand ? (closed ? "p_r" : "c_r")
                : closed    ? "Polygon_run"
                            : "PolygonCurve_run");
    out_.end_array();
    out_.begin_array();
    const bool names = !shorthand || tetrahedra;
    count(names ? "startvertex" : "s_v",
          std::size_t(g_.primitive_vertices()[std::size_t(list[first].first)]));
    count(names ? "nprimitives" : "n_p", last - first);
    if (!tetrahedra) {
        std::vector<std::int32_t> rle;
        for (std::size_t i = first; i < last; ++i) {
            const auto size = std::int32_t(list[i].count);
            if (rle.empty() || rle[rle.size() - 2] != size)
                rle.insert(rle.end(), {size, 1});
            else
                ++rle.back();
        }
        out_.string(names ? "nvertices_rle" : "r_v");
        out_.numbers(rle.data(), rle.size());
    }
    out_.end_array();
    out_.end_array();
}

void PrimitiveWriter::single(const Primitive& p)
{
    const bool polygon = p.type == PrimitiveType::polygon;
    out_.begin_array();
    out_.begin_array();
    out_.string("type");
    out_.string(polygon ? "Poly" : "Tetrahedron");
    out_.end_array();
    out_.begin_array();
    out_.string("vertex");
    out_.numbers(g_.primitive_vertices().data() + p.first, std::size_t(p.count));
    if (polygon) {
        out_.string("closed");
        out_.boolean(p.closed);
    }
    out_.end_array();
    out_.end_array();
}

/// The soup's own vertex list holds each vertex once; polygons refer to that list.
void PrimitiveWriter::soup(const Primitive& p)
{
    std::vector<std::int32_t> vertices, sizes, counts, indices;
    std::unordered_map<std::int32_t, std::int32_t> number;
    for (std::int64_t k = 0; k < p.count; ++k) {
        const std::int32_t v = g_.primitive_vertices()[std::size_t(p.first + k)];
        const auto [it, fresh] = number.try_emplace(v, std::int32_t(vertices.size()));
        if (fresh) vertices.push_back(v);
        indices.push_back(it->second);
    }
    for (std::int64_t s = 0; s < p.soup_count; ++s) {
        const std::int32_t size = g_.soup_polygon_sizes()[std::size_t(p.soup_first + s)];
        if (sizes.empty() || sizes.back() != size) {
            sizes.push_back(size);
            counts.push_back(0);
        }
        ++counts.back();
    }
    out_.begin_array();
    out_.begin_array();
    out_.string("type");
    out_.string("PolySoup");
    out_.end_array();
    out_.begin_array();
    out_.string("vertex");
    out_.numbers(vertices.data(), vertices.size());
    out_.string("polyinfo");
    out_.begin_array();
    out_.numbers(sizes.data(), sizes.size());
    out_.numbers(counts.data(), counts.size());
    out_.numbers(indices.data(), indices.size());
    out_.end_array();
    out_.end_array();
    out_.end_array();
}

void PrimitiveWriter::write()
{
    out_.string("primitives");
    out_.begin_array();
    const auto& list = g_.primitives();
    for (std::size_t i = 0; i < list.size();) {
        const std::size_t last = run_end(i);
        if (last > i)
            run(i, last);
        else if (list[i].type == PrimitiveType::polygon_soup)
            soup(list[i]);
        else
            single(list[i]);
        i = std::max(last, i + 1);
    }
    out_.end_array();
}

} // namespace

void write_geo_primitives(const Geometry& geometry, JsonWriter& out)
{
    PrimitiveWriter(geometry, out).write();
}

} // namespace selvage
