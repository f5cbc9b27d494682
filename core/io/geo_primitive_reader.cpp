#include "core/io/geo_primitive_reader.h"

#include "core/base/error.h"

#include <algorithm>

namespace selvage
{
namespace
{

class PrimitiveReader
{
public:
    PrimitiveReader(JsonReader& in, std::size_t vertex_count) : in_(in), vertices_(vertex_count) {}

    GeoPrimitives read()
    {
        in_.enter_array();
        while (!in_.at_end()) entry();
        return std::move(out_);
    }

private:
    struct Head {
        std::string type, run_type;
        std::vector<std::string> varying;
        bool closed = true;
    };

    void entry();
    Head head();
    void run(const Head& head);
    void one(const std::string& type, const Head& head);
    void polygon_run(bool closed, bool tetrahedra);
    void soup();
    void soup_polygons(const std::vector<std::int64_t>& vertices);
    Primitive& add(PrimitiveType type, bool closed, std::size_t count);
    [[noreturn]] void unsupported(const std::string& type) const;

    JsonReader& in_;
    std::size_t vertices_;
    GeoPrimitives out_;
};

PrimitiveReader::Head PrimitiveReader::head()
{
    Head h;
    in_.enter_pairs();
    for (std::string key; in_.next_key(key);) {
        if (key == "type") {
            h.type = in_.string();
        } else if (key == "runtype") {
            h.run_type = in_.string();
        } else if (key == "varyingfields") {
            in_.enter_array();
            while (!in_.at_end()) h.varying.emplace_back(in_.string());
        } else if (key == "uniformfields") {
            in_.enter_pairs();
            for (std::string field; in_.next_key(field);) {
                if (field == "closed")
                    h.closed = in_.boolean();
                else
                    in_.skip();
            }
        } else {
            in_.skip();
        }
    }
    return h;
}

void PrimitiveReader::unsupported(const std::string& type) const
{
    const auto has = [&](const char* word) { return type.find(word) != std::string::npos; };
    const char* remedy = "Convert it to polygons with a Convert SOP";
    if (has("Packed") || has("Alembic") || has("Agent"))
        remedy = "Add an Unpack SOP";
    else if (has("VDB") || has("Volume"))
        remedy = "Convert it to polygons with a Convert VDB SOP";
    else if (has("Part"))
        remedy = "Delete the particle system primitive and keep its points (Add SOP)";
    throw InputError("Primitive " + std::to_string(out_.primitives.size()) + " is of type '" +
                     type.substr(0, 80) + "', which Selvage does not read. " + remedy +
                     " before writing the file.");
}

Primitive& PrimitiveReader::add(PrimitiveType type, bool closed, std::size_t count)
{
    Primitive p;
    p.type = type;
    p.closed = closed;
    p.first = std::int64_t(out_.vertices.size());
    p.count = std::int64_t(count);
    out_.primitives.push_back(p);
    return out_.primitives.back();
}

void PrimitiveReader::entry()
{
    in_.enter_array();
    const Head h = head();
    if (h.type == "run")
        run(h);
    else if (h.type == "Polygon_run" || h.type == "p_r")
        polygon_run(true, false);
    else if (h.type == "PolygonCurve_run" || h.type == "c_r")
        polygon_run(false, false);
    else if (h.type == "Tetrahedron_run" || h.type == "t_r")
        polygon_run(true, true);
    else if (h.type == "PolySoup")
        soup();
    else if (h.type == "Poly" || h.type == "Polygon" || h.type == "PolygonCurve" ||
             h.type == "Tetrahedron")
        one(h.type, h);
    else
        unsupported(h.type);
    while (!in_.at_end()) in_.skip();
}

/// ["vertex", [0, 1, 2], "closed", true]
void PrimitiveReader::one(const std::string& type, const Head& h)
{
    bool closed = h.closed && type != "PolygonCurve";
    const std::size_t first = out_.vertices.size();
    in_.enter_pairs();
    for (std::string key; in_.next_key(key);) {
        if (key == "vertex")
            in_.append_numbers(out_.vertices);
        else if (key == "closed")
            closed = in_.boolean();
        else
            in_.skip();
    }
    const std::size_t count = out_.vertices.size() - first;
    const bool tetrahedron = type == "Tetrahedron";
    add(tetrahedron ? PrimitiveType::tetrahedron : PrimitiveType::polygon, closed, count).first =
        std::int64_t(first);
}

/// Before Houdini 16: ["type","run","runtype","Poly","varyingfields",["vertex"],...], [[[0,1,2]],
/// [[3,4,5]], ...]: per primitive the varying fields in order.
void PrimitiveReader::run(const Head& h)
{
    if (h.run_type != "Poly" && h.run_type != "Tetrahedron") unsupported(h.run_type);
    std::vector<std::string> fields = h.varying;
    if (fields.empty()) fields.emplace_back("vertex");
    const auto type = h.run_type == "Poly" ? PrimitiveType::polygon : PrimitiveType::tetrahedron;
    in_.enter_array();
    while (!in_.at_end()) {
        const std::size_t first = out_.vertices.size();
        bool closed = h.closed;
        in_.enter_array();
        for (std::size_t f = 0; !in_.at_end(); ++f) {
            if (f >= fields.size()) in_.fail("A primitive has more fields than its run");
            if (fields[f] == "vertex")
                in_.append_numbers(out_.vertices);
            else if (fields[f] == "closed")
                closed = in_.boolean();
            else
                in_.skip();
        }
        add(type, closed, out_.vertices.size() - first).first = std::int64_t(first);
    }
}

/// Since Houdini 16: consecutive vertices cut into primitives, counts plain or as (count,
/// repetitions).
void PrimitiveReader::polygon_run(bool closed, bool tetrahedra)
{
    std::int64_t start = 0, count = -1;
    std::vector<std::int64_t> sizes, rle;
    in_.enter_pairs();
    for (std::string key; in_.next_key(key);) {
        if (key == "startvertex" || key == "s_v")
            start = in_.integer();
        else if (key == "nprimitives" || key == "n_p")
            count = in_.integer();
        else if (key == "nvertices" || key == "n_v")
            in_.append_numbers(sizes);
        else if (key == "nvertices_rle" || key == "r_v")
            in_.append_numbers(rle);
        else
            in_.skip();
    }
    for (const std::int64_t s : sizes) {
        rle.push_back(s);
        rle.push_back(1);
    }
    if (tetrahedra) rle = {4, count};
    if (rle.size() % 2 != 0) in_.fail("Odd number of run lengths");
    const auto limit = std::int64_t(vertices_);
    std::int64_t vertex = start;
    const std::size_t before = out_.primitives.size();
    if (start < 0 || start > limit) in_.fail("A run starts outside the vertices");
    for (std::size_t i = 0; i < rle.size(); i += 2) {
        const std::int64_t size = rle[i], repeat = rle[i + 1];
        if (size < 0 || repeat < 0 || (size > 0 && repeat > (limit - vertex) / size))
            in_.fail("A run of primitives has more vertices than there are");
        in_.budget().charge(std::size_t(repeat), 2 * sizeof(Primitive), "primitives");
        in_.budget().charge(std::size_t(size * repeat), 2 * sizeof(std::int32_t), "vertices");
        for (std::int64_t p = 0; p < repeat; ++p) {
            add(tetrahedra ? PrimitiveType::tetrahedron : PrimitiveType::polygon, closed,
                std::size_t(size));
            for (std::int64_t v = 0; v < size; ++v) out_.vertices.push_back(std::int32_t(vertex++));
        }
    }
    if (count >= 0 && out_.primitives.size() - before != std::size_t(count))
        in_.fail("A run of " + std::to_string(count) + " primitives describes " +
                 std::to_string(out_.primitives.size() - before));
}

/// ["vertex", [...], "polyinfo", [[4, 3], [5, 2], [0, 1, 2, 3, ...]]]: five quads, then two
/// triangles, as indices into the soup's own vertex list, which polygons share.
void PrimitiveReader::soup()
{
    std::vector<std::int64_t> vertices;
    bool polygons = false;
    in_.enter_pairs();
    for (std::string key; in_.next_key(key);) {
        if (key == "vertex") {
            in_.append_numbers(vertices);
        } else if (key == "polyinfo") {
            if (polygons) in_.fail("A polygon soup has two lists of polygons");
            polygons = true;
            soup_polygons(vertices);
        } else {
            in_.skip();
        }
    }
    if (!polygons) in_.fail("A polygon soup has no polygons");
}

void PrimitiveReader::soup_polygons(const std::vector<std::int64_t>& vertices)
{
    std::vector<std::int64_t> sizes, counts, indices;
    in_.enter_array();
    in_.append_numbers(sizes);
    in_.append_numbers(counts);
    in_.append_numbers(indices);
    while (!in_.at_end()) in_.skip();
    if (sizes.size() != counts.size()) in_.fail("A polygon soup's lists differ in length");

    Primitive& soup = add(PrimitiveType::polygon_soup, true, indices.size());
    soup.soup_first = std::int64_t(out_.soup_polygon_sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] < 0 || sizes[i] > std::int64_t(indices.size()) || counts[i] < 0)
            in_.fail("A polygon soup has a polygon of impossible size");
        in_.budget().charge(std::size_t(counts[i]), 2 * sizeof(std::int32_t), "polygons");
        out_.soup_polygon_sizes.insert(out_.soup_polygon_sizes.end(), std::size_t(counts[i]),
                                       std::int32_t(sizes[i]));
    }
    soup.soup_count = std::int64_t(out_.soup_polygon_sizes.size()) - soup.soup_first;
    for (const std::int64_t i : indices) {
        if (i < 0 || i >= std::int64_t(vertices.size()))
            in_.fail("A polygon soup refers to a vertex it does not have");
        const std::int64_t v = vertices[std::size_t(i)];
        if (v < 0 || v >= std::int64_t(vertices_))
            in_.fail("A polygon soup refers to vertex " + std::to_string(v));
        out_.vertices.push_back(std::int32_t(v));
    }
}

} // namespace

GeoPrimitives read_geo_primitives(JsonReader& in, std::size_t vertex_count)
{
    return PrimitiveReader(in, vertex_count).read();
}

} // namespace selvage
