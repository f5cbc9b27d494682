#include "core/io/geo_writer.h"

#include "core/io/geo_attribute_reader.h"
#include "core/io/geo_primitive_writer.h"
#include "core/io/json_reader.h"
#include "core/io/json_writer.h"

#include <algorithm>

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
    void attribute(const OpaqueAttribute& a);
    template <class AnyAttribute> void definition(const AnyAttribute& a, const std::string& kind);
    void values(const Attribute& a);
    void arrays(const Attribute& a);
    void texts(const Attribute& a);
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

template <class AnyAttribute>
void GeoWriter::definition(const AnyAttribute& a, const std::string& kind)
{
    out_.begin_array();
    out_.string("scope");
    out_.string(a.scope);
    out_.string("type");
    out_.string(kind);
    out_.string("name");
    out_.string(a.name);
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
    out_.end_array();
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
    definition(a, kinds[kind]);

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

void GeoWriter::attribute(const OpaqueAttribute& a)
{
    out_.begin_array();
    definition(a, a.kind);
    ReadBudget budget(a.data_json.size());
    JsonReader reader(a.data_json, budget);
    reader.enter_array();
    while (!reader.at_end()) copy_json(reader, out_);
    out_.end_array();
}

void GeoWriter::attributes(Owner owner, const char* section)
{
    bool any = false;
    const auto open_section = [&] {
        if (!any) {
            out_.string(section);
            out_.begin_array();
        }
        any = true;
    };
    for (const auto& a : g_.attributes()) {
        if (a->owner != owner) continue;
        open_section();
        attribute(*a);
    }
    for (const OpaqueAttribute& a : g_.opaque_attributes()) {
        if (a.owner != owner || a.elements != g_.element_count(owner)) continue;
        open_section();
        attribute(a);
    }
    if (any) out_.end_array();
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
    write_geo_primitives(g_, out_);
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
