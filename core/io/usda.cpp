#include "core/io/usda.h"

#include "core/base/error.h"
#include "core/io/atomic_file.h"
#include "core/io/usda_samples.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>

namespace selvage
{
namespace
{

/// Which elements of the geometry one USD prim shows, in its order.
struct Part {
    bool curves = false;
    std::vector<std::int32_t> counts;     // vertices of each face or curve
    std::vector<std::int32_t> vertices;   // vertex numbers, face by face
    std::vector<std::int32_t> points;     // curves: point of each vertex; mesh: unused
    std::vector<std::int32_t> primitives; // primitive number of each face or curve
};

Part make_part(const Geometry& g, bool curves)
{
    Part part;
    part.curves = curves;
    for (std::size_t i = 0; i < g.primitive_count(); ++i) {
        const Primitive& p = g.primitives()[i];
        if (p.type == PrimitiveType::tetrahedron)
            throw InputError("Primitive " + std::to_string(i) +
                             " is a tetrahedron, which is not written to USD. Write .bgeo.sc, or "
                             "convert tetrahedra to polygons.");
        const bool soup = p.type == PrimitiveType::polygon_soup;
        if ((!soup && !p.closed) != curves) continue;
        std::int64_t at = p.first;
        for (std::int64_t s = 0; s < (soup ? p.soup_count : 1); ++s) {
            const auto n = std::int32_t(soup ? g.soup_polygon_sizes()[std::size_t(p.soup_first + s)]
                                             : p.count);
            part.counts.push_back(n);
            part.primitives.push_back(std::int32_t(i));
            for (std::int32_t k = 0; k < n; ++k)
                part.vertices.push_back(g.primitive_vertices()[std::size_t(at++)]);
        }
    }
    for (const std::int32_t v : part.vertices)
        part.points.push_back(g.vertex_point()[std::size_t(v)]);
    return part;
}

std::string int_list(const std::vector<std::int32_t>& values)
{
    std::string out = "[";
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i) out += ", ";
        out += std::to_string(values[i]);
    }
    return out + "]";
}

void append_string(std::string& out, const std::string& text)
{
    out += '"';
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += '\\', out += c;
        else if (c == '\n')
            out += "\\n";
        else if (static_cast<unsigned char>(c) >= 0x20)
            out += c;
        else
            out += ' ';
    }
    out += '"';
}

/// One value: 1.5, (1, 2, 3) or "text".
void append_value(std::string& out, const Attribute& a, std::size_t i, int components, double scale)
{
    if (components > 1) out += '(';
    for (int c = 0; c < components; ++c) {
        if (c) out += ", ";
        if (is_text(a.storage))
            append_string(out, a.text(i, c));
        else if (is_integer(a.storage))
            out += std::to_string(a.integer(i, c));
        else if (a.storage == Storage::real64)
            append_usd_number(out, scale * a.number(i, c));
        else
            append_usd_number(out, float(scale * a.number(i, c)));
    }
    if (components > 1) out += ')';
}

/// The attribute's values in the order of the part.
std::string value_list(const Attribute& a, const Part& part, int components, double scale = 1)
{
    const std::vector<std::int32_t>* order = nullptr;
    if (a.owner == Owner::vertex) order = &part.vertices;
    if (a.owner == Owner::primitive) order = &part.primitives;
    if (a.owner == Owner::point && part.curves) order = &part.points;
    const std::size_t n = order ? order->size() : a.size();
    std::string out = "[";
    out.reserve(n * std::size_t(components) * 12);
    for (std::size_t i = 0; i < n; ++i) {
        if (i) out += ", ";
        append_value(out, a, order ? std::size_t((*order)[i]) : i, components, scale);
    }
    return out + "]";
}

std::string extent(const Attribute& P, const Part& part)
{
    double low[3] = {infinity, infinity, infinity}, high[3] = {-infinity, -infinity, -infinity};
    const std::size_t n = part.curves ? part.points.size() : P.size();
    for (std::size_t i = 0; i < n; ++i)
        for (int c = 0; c < 3; ++c) {
            const double x = P.number(part.curves ? std::size_t(part.points[i]) : i, c);
            low[c] = std::min(low[c], x);
            high[c] = std::max(high[c], x);
        }
    std::string out = "[";
    for (const double* corner : {low, high}) {
        out += corner == low ? "(" : ", (";
        for (int c = 0; c < 3; ++c) {
            if (c) out += ", ";
            append_usd_number(out, n ? float(corner[c]) : 0.0f);
        }
        out += ')';
    }
    return out + "]";
}

const char* interpolation(Owner owner, bool curves)
{
    switch (owner) {
    case Owner::vertex: return curves ? "vertex" : "faceVarying";
    case Owner::point: return "vertex";
    case Owner::primitive: return "uniform";
    case Owner::detail: return "constant";
    }
    return "constant";
}

/// "float3", "int", "string" ..., or "" where USD has nothing for it.
std::string type_name(const Attribute& a)
{
    if (a.is_array || a.storage == Storage::dict || a.tuple_size > 4) return "";
    const std::string size = a.tuple_size > 1 ? std::to_string(a.tuple_size) : "";
    if (a.storage == Storage::string) return a.tuple_size == 1 ? "string" : "";
    if (is_integer(a.storage)) {
        if (a.storage == Storage::int64) return a.tuple_size == 1 ? "int64" : "";
        return "int" + size;
    }
    const std::string precision = a.storage == Storage::real64 ? "double" : "float";
    if (a.tuple_size == 3) {
        const std::string suffix = a.storage == Storage::real64 ? "3d" : "3f";
        for (const char* role : {"point", "vector", "normal", "color"})
            if (a.type_info == role) return role + suffix;
    }
    return precision + size;
}

} // namespace

std::string usd_identifier(const std::string& text)
{
    std::string out;
    for (const char c : text)
        out += std::isalnum(static_cast<unsigned char>(c)) || c == '_' ? c : '_';
    if (out.empty() || std::isdigit(static_cast<unsigned char>(out[0]))) out.insert(0, "_");
    return out;
}

struct UsdaWriter::Impl {
    struct Prim {
        Part part;
        std::string folder; // for samples that do not fit into memory
        std::vector<std::pair<std::string, std::unique_ptr<UsdaSamples>>> samples; // by key
        std::set<std::string> names;

        UsdaSamples& find(const std::string& key, const std::string& declaration,
                          const std::string& metadata)
        {
            for (auto& [k, s] : samples)
                if (k == key) return *s;
            samples.emplace_back(key, std::make_unique<UsdaSamples>(folder, declaration, metadata));
            return *samples.back().second;
        }
        void add(double frame, const Geometry& g);
        void add_attribute(double frame, const Attribute& a);
        void write(AtomicFile& out, const UsdaSettings& settings) const;
        std::string primvar_name(const std::string& wanted);
    };

    Impl(const std::string& p, UsdaSettings s) : path(p), settings(std::move(s)), file(p) {}

    std::string path;
    UsdaSettings settings;
    AtomicFile file;
    std::vector<Prim> prims;
    Geometry first;
    double first_frame = 0, last_frame = 0;
    bool started = false;
};

std::string UsdaWriter::Impl::Prim::primvar_name(const std::string& wanted)
{
    std::string name = usd_identifier(wanted);
    while (!names.insert(name).second) name += '_';
    return name;
}

void UsdaWriter::Impl::Prim::add_attribute(double frame, const Attribute& a)
{
    const std::string key = std::to_string(int(a.owner)) + a.name;
    const std::string meta = std::string(" (\n            interpolation = \"") +
                             interpolation(a.owner, part.curves) + "\"\n        )";
    const bool vector3 = is_real(a.storage) && !a.is_array && a.tuple_size >= 3;
    if (a.name == "P" && a.owner == Owner::point) {
        find(key, "point3f[] points", "").add(frame, value_list(a, part, 3));
        find("extent", "float3[] extent", "").add(frame, extent(a, part));
    } else if (a.name == "v" && a.owner == Owner::point && vector3) {
        find(key, "vector3f[] velocities", "").add(frame, value_list(a, part, 3));
    } else if (a.name == "N" && vector3 && a.owner <= Owner::point) {
        if (names.count("N") && !names.count(key)) return; // vertex normals came first
        names.insert({"N", key});
        find(key, "normal3f[] normals", meta).add(frame, value_list(a, part, 3));
    } else if (part.curves && a.name == "pscale" && a.owner == Owner::point && is_real(a.storage) &&
               a.tuple_size == 1) {
        find(key, "float[] widths", meta).add(frame, value_list(a, part, 1, 2));
    } else if (const std::string type = type_name(a); !type.empty()) {
        std::string declaration;
        int components = a.tuple_size;
        const auto known = std::find_if(samples.begin(), samples.end(),
                                        [&](const auto& s) { return s.first == key; });
        if (a.name == "uv" && is_real(a.storage) && a.tuple_size >= 2) {
            components = 2;
            if (known == samples.end()) declaration = "texCoord2f[] primvars:" + primvar_name("st");
        } else if (known == samples.end()) {
            const bool colour = a.name == "Cd" && vector3 && a.tuple_size == 3;
            declaration = (colour ? "color3f" : type) +
                          "[] primvars:" + primvar_name(colour ? "displayColor" : a.name);
        }
        find(key, declaration, meta).add(frame, value_list(a, part, components));
    }
}

void UsdaWriter::Impl::Prim::add(double frame, const Geometry& g)
{
    for (const auto& a : g.attributes()) add_attribute(frame, *a);
}

void UsdaWriter::Impl::Prim::write(AtomicFile& out, const UsdaSettings& settings) const
{
    if (part.curves) {
        out.write("    def BasisCurves \"curves\"\n    {\n"
                  "        uniform token type = \"linear\"\n"
                  "        uniform token wrap = \"nonperiodic\"\n"
                  "        int[] curveVertexCounts = " +
                  int_list(part.counts) + "\n");
    } else {
        out.write("    def Mesh \"mesh\"\n    {\n"
                  "        int[] faceVertexCounts = " +
                  int_list(part.counts) + "\n        int[] faceVertexIndices = " +
                  int_list(part.points) + "\n        uniform token orientation = \"" +
                  (settings.left_handed ? "leftHanded" : "rightHanded") +
                  "\"\n        uniform token subdivisionScheme = \"none\"\n");
    }
    for (const auto& [key, s] : samples) s->write(out);
    out.write("    }\n");
}

UsdaWriter::UsdaWriter(const std::string& path, UsdaSettings settings)
    : impl_(std::make_unique<Impl>(path, std::move(settings)))
{
}

UsdaWriter::~UsdaWriter() = default;

void UsdaWriter::add(double frame, const Geometry& g)
{
    Impl& w = *impl_;
    if (!w.started) {
        w.started = true;
        w.first = g;
        w.first_frame = frame;
        auto folder = std::filesystem::path(w.path).parent_path().string();
        if (folder.empty()) folder = ".";
        Part mesh = make_part(g, false), curves = make_part(g, true);
        if (!mesh.counts.empty() || curves.counts.empty()) {
            w.prims.emplace_back();
            w.prims.back().part = std::move(mesh);
            w.prims.back().folder = folder;
        }
        if (!curves.counts.empty()) {
            w.prims.emplace_back();
            w.prims.back().part = std::move(curves);
            w.prims.back().folder = folder;
        }
    } else if (frame <= w.last_frame) {
        throw InputError("'" + w.path + "': frame " + std::to_string(frame) +
                         " comes after frame " + std::to_string(w.last_frame) + ".");
    } else if (!g.same_topology(w.first)) {
        throw InputError("'" + w.path + "': frame " + std::to_string(frame) + " has " +
                         std::to_string(g.point_count()) + " points and " +
                         std::to_string(g.primitive_count()) + " primitives; frame " +
                         std::to_string(w.first_frame) + " has " +
                         std::to_string(w.first.point_count()) + " and " +
                         std::to_string(w.first.primitive_count()) +
                         ", or connects them differently. One USD file needs one topology.");
    }
    w.last_frame = frame;
    for (auto& prim : w.prims) prim.add(frame, g);
}

void UsdaWriter::finish()
{
    Impl& w = *impl_;
    const std::string name = usd_identifier(w.settings.name);
    std::string head = "#usda 1.0\n(\n    defaultPrim = \"" + name + "\"\n    endTimeCode = ";
    append_usd_number(head, w.last_frame);
    head += "\n    framesPerSecond = ";
    append_usd_number(head, w.settings.fps);
    head += "\n    metersPerUnit = 1\n    startTimeCode = ";
    append_usd_number(head, w.first_frame);
    head += "\n    timeCodesPerSecond = ";
    append_usd_number(head, w.settings.fps);
    head += "\n    upAxis = \"Y\"\n)\n\ndef Xform \"" + name + "\"\n{\n";
    w.file.write(head);
    for (const auto& prim : w.prims) prim.write(w.file, w.settings);
    w.file.write("}\n");
    w.file.commit();
}

} // namespace selvage
