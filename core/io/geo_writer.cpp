#include "core/io/geo_writer.h"

#include "core/io/geo_attribute_reader.h"
#include "core/io/json_reader.h"
#include "core/io/json_writer.h"

#include <algorithm>
#include <unordered_map>

namespace selvage
{
namespace
{

class GeoWriter
{
public:
    GeoWriter(const Geometry& g, GeoEncoding encoding)
        : g_(g),
          out_(encoding == GeoEncoding::binary ? JsonWriter::Encoding::binary
                                               : JsonWriter::Encoding::text)
    {
    }
    std::string write();

private:
    void json(const std::string& text);
    void count(const char* key, std::size_t n);
    void attributes(Owner owner, const char* section);
    void attribute(const Attribute& a);
    void options(const Attribute& a);
    void values(const Attribute& a);
    void arrays(const Attribute& a);
    void texts(const Attribute& a);
    void primitives();
    std::size_t run_end(std::size_t first) const;
    void run(std::size_t first, std::size_t last);
    void single(const Primitive& p);
    void soup(const Primitive& p);
    void groups(Owner owner, const char* section);
    void edge_groups();

    const Geometry& g_;
    JsonWriter out_;
};

/// JSON kept as text, in the encoding of this file.
void GeoWriter::json(const std::string& text)
{
    ReadBudget budget(text.size());
    JsonReader reader(text, budget);
    copy_json(reader, out_);
}

void GeoWriter::count(const char* key, std::size_t n)
{
    out_.string(key);
    out_.integer(std::int64_t(n));
}

void GeoWriter::options(const Attribute& a)
{
    out_.string("options");
    out_.begin_map();
    if (!a.type_info.empty()) {
        out_.key("type");
        out_.begin_map();
        out_.key("type");
        out_.string("string");
        out_.key("value");
        out_.string(a.type_info);
        out_.end_map();
    }
    if (!a.options_json.empty()) {
        ReadBudget budget(a.options_json.size());
        JsonReader reader(a.options_json, budget);
        reader.enter_map();
        for (std::string key; reader.next_key(key);) {
            out_.key(key);
            copy_json(reader, out_);
        }
    }
    out_.end_map();
}

void GeoWriter::values(const Attribute& a)
{
    const bool text = is_text(a.storage);
    out_.string(text ? "indices" : "values");
    out_.begin_array();
    count("size", std::size_t(a.tuple_size));
    out_.string("storage");
    out_.string(text ? "int32" : storage_name(a.storage));
    std::visit(
        [&](const auto& v) {
            if (out_.binary()) {
                count("pagesize", 1024);
                out_.string("rawpagedata");
                out_.numbers(v.data(), v.size());
            } else if (a.tuple_size == 1) {
                out_.string("arrays");
                out_.begin_array();
                out_.numbers(v.data(), v.size());
                out_.end_array();
            } else {
                out_.string("tuples");
                out_.tuples(v.data(), a.size(), a.tuple_size);
            }
        },
        a.values);
    out_.end_array();
}

void GeoWriter::arrays(const Attribute& a)
{
    out_.string(is_text(a.storage) ? "indices" : "values");
    out_.begin_array();
    std::visit(
        [&](const auto& v) {
            for (std::size_t i = 0; i + 1 < a.array_offsets.size(); ++i) {
                const std::int64_t first = a.array_offsets[i];
                out_.numbers(v.data() + first, std::size_t(a.array_offsets[i + 1] - first));
            }
        },
        a.values);
    out_.end_array();
}

void GeoWriter::texts(const Attribute& a)
{
    const bool dict = a.storage == Storage::dict;
    out_.string(dict ? "dicts" : "strings");
    out_.begin_array();
    for (const std::string& t : a.texts) {
        if (dict)
            json(t.empty() ? "{}" : t);
        else
            out_.string(t);
    }
    out_.end_array();
}

void GeoWriter::attribute(const Attribute& a)
{
    const char* kinds[] = {"numeric", "string", "dict", "arraydata", "stringarray", "dictarray"};
    const int kind = (a.is_array ? 3 : 0) + (a.storage == Storage::string ? 1 : 0) +
                     (a.storage == Storage::dict ? 2 : 0);
    out_.begin_array();
    out_.begin_array();
    out_.string("scope");
    out_.string(a.scope);
    out_.string("type");
    out_.string(kinds[kind]);
    out_.string("name");
    out_.string(a.name);
    options(a);
    out_.end_array();

    out_.begin_array();
    count("size", std::size_t(a.tuple_size));
    out_.string("storage");
    out_.string(is_text(a.storage) ? "int32" : storage_name(a.storage));
    const std::string defaults =
        !a.defaults_json.empty() || a.is_array ? a.defaults_json : usual_geo_defaults(a.storage);
    if (!defaults.empty()) {
        out_.string("defaults");
        json(defaults);
    }
    if (is_text(a.storage)) texts(a);
    if (a.is_array)
        arrays(a);
    else
        values(a);
    out_.end_array();
    out_.end_array();
}

void GeoWriter::attributes(Owner owner, const char* section)
{
    bool any = false;
    for (const auto& a : g_.attributes()) {
        if (a->owner != owner) continue;
        if (!any) {
            out_.string(section);
            out_.begin_array();
        }
        any = true;
        attribute(*a);
    }
    if (any) out_.end_array();
}

/// One past the last primitive of the run that starts here: same kind, vertices consecutive.
std::size_t GeoWriter::run_end(std::size_t first) const
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

void GeoWriter::run(std::size_t first, std::size_t last)
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

void GeoWriter::single(const Primitive& p)
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
void GeoWriter::soup(const Primitive& p)
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

void GeoWriter::primitives()
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

void GeoWriter::groups(Owner owner, const char* section)
{
    bool any = false;
    for (const Group& group : g_.groups()) {
        if (group.owner != owner) continue;
        if (!any) {
            out_.string(section);
            out_.begin_array();
        }
        any = true;
        out_.begin_array();
        out_.begin_array();
        out_.string("name");
        out_.string(group.name);
        if (!group.options_json.empty()) {
            out_.string("options");
            json(group.options_json);
        }
        out_.end_array();
        out_.begin_array();
        out_.string("selection");
        out_.begin_array();
        if (group.ordered) {
            out_.string("ordered");
            out_.numbers(group.order.data(), group.order.size());
        } else {
            out_.string("unordered");
            out_.begin_array();
            out_.string("boolRLE");
            out_.begin_array();
            for (std::size_t i = 0; i < group.member.size();) {
                const bool in = group.member[i] != 0;
                std::size_t end = i;
                while (end < group.member.size() && (group.member[end] != 0) == in) ++end;
                out_.integer(std::int64_t(end - i));
                out_.boolean(in);
                i = end;
            }
            out_.end_array();
            out_.end_array();
        }
        out_.end_array();
        out_.end_array();
        out_.end_array();
    }
    if (any) out_.end_array();
}

void GeoWriter::edge_groups()
{
    if (g_.edge_groups().empty()) return;
    out_.string("edgegroups");
    out_.begin_array();
    for (const EdgeGroup& group : g_.edge_groups()) {
        out_.begin_array();
        out_.begin_array();
        out_.string("name");
        out_.string(group.name);
        if (!group.options_json.empty()) {
            out_.string("options");
            json(group.options_json);
        }
        out_.end_array();
        out_.begin_array();
        out_.string("points");
        out_.begin_array();
        for (const auto& edge : group.edges)
            for (const std::int64_t p : edge) out_.integer(p);
        out_.end_array();
        out_.end_array();
        out_.end_array();
    }
    out_.end_array();
}

std::string GeoWriter::write()
{
    std::size_t estimate = 4096 + 4 * g_.vertex_count();
    for (const auto& a : g_.attributes())
        estimate += std::visit([](const auto& v) { return v.size() * sizeof(v[0]); }, a->values);
    out_.reserve(out_.binary() ? estimate : 2 * estimate);

    out_.begin_array();
    out_.string("fileversion");
    out_.string("16.0.450"); // the oldest Houdini that wrote files of this form
    out_.string("hasindex");
    out_.boolean(false);
    count("pointcount", g_.point_count());
    count("vertexcount", g_.vertex_count());
    count("primitivecount", g_.primitive_count());
    if (!g_.info_json.empty()) {
        out_.string("info");
        json(g_.info_json);
    }
    out_.string("topology");
    out_.begin_array();
    out_.string("pointref");
    out_.begin_array();
    out_.string("indices");
    out_.numbers(g_.vertex_point().data(), g_.vertex_count());
    out_.end_array();
    out_.end_array();
    out_.string("attributes");
    out_.begin_array();
    attributes(Owner::vertex, "vertexattributes");
    attributes(Owner::point, "pointattributes");
    attributes(Owner::primitive, "primitiveattributes");
    attributes(Owner::detail, "globalattributes");
    out_.end_array();
    primitives();
    groups(Owner::point, "pointgroups");
    groups(Owner::vertex, "vertexgroups");
    groups(Owner::primitive, "primitivegroups");
    edge_groups();
    out_.end_array();
    return out_.take();
}

} // namespace

std::string write_geo(const Geometry& geometry, GeoEncoding encoding)
{
    return GeoWriter(geometry, encoding).write();
}

} // namespace selvage
