#include "plugin/houdini/geometry_input.h"

#include "core/base/error.h"

#include <GA/GA_AIFTuple.h>
#include <GA/GA_Handle.h>
#include <GEO/GEO_PrimPolySoup.h>

#include <fmt/format.h>

#include <cstring>

namespace selvage::houdini
{
namespace
{

/// What the solver reads (docs/conventions.md), and the shapes it takes.
constexpr const char* point_attributes[] = {"v",           "mass",
                                            "stopped",     "rest",
                                            "rest_blend",  "rest_scale",
                                            "uv",          "materialuv",
                                            "id",          "pscale",
                                            "friction",    "layer",
                                            "disableself", "collisionignore",
                                            "stiffness",   "restlength",
                                            "orient"};
constexpr const char* vertex_attributes[] = {"materialuv", "uv"};

class Hash
{
public:
    void add(const void* data, std::size_t bytes)
    {
        const auto* p = static_cast<const unsigned char*>(data);
        for (; bytes >= 8; bytes -= 8, p += 8) {
            std::uint64_t word;
            std::memcpy(&word, p, 8);
            mix(word);
        }
        std::uint64_t rest = bytes;
        for (; bytes > 0; --bytes, ++p) rest = rest << 8 | *p;
        mix(rest);
    }
    template <class T> void add(const std::vector<T>& v) { add(v.data(), v.size() * sizeof(T)); }
    void add(const std::string& s) { add(s.data(), s.size()); }
    std::uint64_t value() const { return h_; }

private:
    void mix(std::uint64_t word)
    {
        h_ = (h_ ^ word) * 0x9e3779b97f4a7c15ull;
        h_ ^= h_ >> 29;
    }
    std::uint64_t h_ = 0xcbf29ce484222325ull;
};

/// The node that turns a primitive of this type into something that can be simulated.
std::string remedy_for(const std::string& type)
{
    const auto starts = [&](const char* prefix) { return type.rfind(prefix, 0) == 0; };
    if (starts("Packed") || starts("Alembic") || starts("Agent"))
        return "Unpack it with an Unpack node";
    if (starts("VDB") || starts("Volume"))
        return "Turn it into polygons with a Convert VDB or Convert Volume node";
    if (starts("NURB") || starts("Bezier") || starts("Mesh") || starts("Sphere") ||
        starts("Tube") || starts("Circle") || starts("Meta"))
        return "Turn it into polygons with a Convert node";
    return "Remove it with a Blast or Delete node";
}

struct Topology {
    std::vector<std::int32_t> vertex_point, soup_sizes;
    std::vector<Primitive> primitives;
    std::vector<GA_Offset> vertex_offsets; ///< of each vertex, for vertex attributes
};

void add_vertices(const GU_Detail& gdp, GA_Offset primitive, Primitive& p, Topology& t)
{
    const GA_OffsetListRef list = gdp.getPrimitiveVertexList(primitive);
    p.first = std::int64_t(t.vertex_point.size());
    p.count = list.size();
    for (GA_Size i = 0; i < list.size(); ++i) {
        t.vertex_offsets.push_back(list(i));
        t.vertex_point.push_back(std::int32_t(gdp.pointIndex(gdp.vertexPoint(list(i)))));
    }
}

Topology read_topology(const GU_Detail& gdp, const std::string& who)
{
    Topology t;
    const GA_Size count = gdp.getNumPrimitives();
    t.primitives.reserve(std::size_t(count));
    t.vertex_point.reserve(std::size_t(gdp.getNumVertices()));
    t.vertex_offsets.reserve(std::size_t(gdp.getNumVertices()));
    for (GA_Index i = 0; i < count; ++i) {
        const GA_Offset offset = gdp.primitiveOffset(i);
        const GA_PrimitiveTypeId type = gdp.getPrimitiveTypeId(offset);
        Primitive p;
        if (type == GA_PRIMPOLY) {
            p.type = PrimitiveType::polygon;
            p.closed = gdp.getPrimitiveClosedFlag(offset);
        } else if (type == GA_PRIMTETRAHEDRON) {
            p.type = PrimitiveType::tetrahedron;
        } else if (type == GA_PRIMPOLYSOUP) {
            p.type = PrimitiveType::polygon_soup;
            const auto* soup = static_cast<const GEO_PrimPolySoup*>(gdp.getPrimitive(offset));
            p.soup_first = std::int64_t(t.soup_sizes.size());
            p.soup_count = soup->getPolygonCount();
            for (GEO_PrimPolySoup::PolygonIterator it(*soup); !it.atEnd(); ++it)
                t.soup_sizes.push_back(std::int32_t(it.getVertexCount()));
        } else {
            const std::string name = gdp.getPrimitive(offset)->getTypeDef().getToken().c_str();
            throw InputError(fmt::format("{}: primitive {} is of type {}, which cannot be "
                                         "simulated. {}.",
                                         who, i, name, remedy_for(name)));
        }
        add_vertices(gdp, offset, p, t);
        t.primitives.push_back(p);
    }
    return t;
}

Storage storage_of(GA_Storage s)
{
    switch (s) {
    case GA_STORE_BOOL: return Storage::boolean;
    case GA_STORE_UINT8: return Storage::uint8;
    case GA_STORE_INT8: return Storage::int8;
    case GA_STORE_INT16: return Storage::int16;
    case GA_STORE_INT32: return Storage::int32;
    case GA_STORE_INT64: return Storage::int64;
    case GA_STORE_REAL64: return Storage::real64;
    default: return Storage::real32;
    }
}

template <class T, class Handle>
void copy_values(const GA_Attribute& from, const std::vector<GA_Offset>* offsets, Attribute& to)
{
    auto& values = std::get<std::vector<T>>(to.values);
    const int n = to.tuple_size;
    const Handle handle(&from);
    for (int c = 0; c < n; ++c) {
        if (!offsets) {
            handle.getBlockFromIndices(0, GA_Size(values.size()) / n, values.data() + c, n, c);
            continue;
        }
        for (std::size_t i = 0; i < offsets->size(); ++i)
            values[i * std::size_t(n) + std::size_t(c)] = T(handle.get((*offsets)[i], c));
    }
}

/// All points in index order, or the given vertices. 16-bit reals come as 32.
std::shared_ptr<const Attribute> read_attribute(const GA_Attribute& from, Owner owner,
                                                std::size_t elements,
                                                const std::vector<GA_Offset>* offsets, Hash& hash)
{
    const GA_AIFTuple* tuple = from.getAIFTuple();
    const Storage storage = storage_of(tuple->getStorage(&from));
    Attribute a =
        make_attribute(from.getName().c_str(), owner, storage, from.getTupleSize(), elements);
    if (storage == Storage::real32) {
        copy_values<float, GA_ROHandleF>(from, offsets, a);
        hash.add(std::get<std::vector<float>>(a.values));
    } else if (storage == Storage::real64) {
        copy_values<double, GA_ROHandleD>(from, offsets, a);
        hash.add(std::get<std::vector<double>>(a.values));
    } else {
        const GA_ROHandleID handle(&from);
        const GA_IndexMap& map = from.getIndexMap();
        for (std::size_t i = 0; i < elements; ++i)
            for (int c = 0; c < a.tuple_size; ++c) {
                const int64 value =
                    handle.get(offsets ? (*offsets)[i] : map.offsetFromIndex(GA_Index(i)), c);
                a.set_number(i, c, double(value));
                hash.add(&value, sizeof value);
            }
    }
    hash.add(a.name);
    return std::make_shared<const Attribute>(std::move(a));
}

/// All three components at once: positions are most of what is read.
std::shared_ptr<const Attribute> read_positions(const GU_Detail& gdp, Hash& hash)
{
    const GA_Attribute& P = *gdp.getP();
    const std::size_t n = std::size_t(gdp.getNumPoints());
    if (P.getAIFTuple()->getStorage(&P) == GA_STORE_REAL64)
        return read_attribute(P, Owner::point, n, nullptr, hash);
    static_assert(sizeof(UT_Vector3F) == 3 * sizeof(float));
    Attribute a = make_attribute("P", Owner::point, Storage::real32, 3, n);
    a.type_info = "point";
    auto& values = std::get<std::vector<float>>(a.values);
    GA_ROHandleV3(&P).getBlockFromIndices(0, GA_Size(n),
                                          reinterpret_cast<UT_Vector3F*>(values.data()));
    hash.add(values);
    return std::make_shared<const Attribute>(std::move(a));
}

void read_groups(const GU_Detail& gdp, Geometry& g, Hash& hash)
{
    const GA_PointGroup* group = nullptr;
    GA_FOR_ALL_POINTGROUPS(&gdp, group)
    {
        Group out;
        out.name = group->getName().c_str();
        out.member.assign(std::size_t(gdp.getNumPoints()), 0);
        for (GA_Index i = 0; i < gdp.getNumPoints(); ++i)
            out.member[std::size_t(i)] = group->containsIndex(i);
        hash.add(out.name);
        hash.add(out.member);
        g.set_group(std::move(out));
    }
}

} // namespace

ConvertedInput convert_input(const GU_Detail& gdp, const ConvertedInput* before,
                             const std::string& who)
{
    ConvertedInput out;
    out.topology_ids = compat::topology_ids(gdp);
    Hash hash;
    if (before && before->topology_ids == out.topology_ids) {
        out.bare = before->bare;
        out.topology_hash = before->topology_hash;
        out.vertex_offsets = before->vertex_offsets;
    } else {
        Topology t = read_topology(gdp, who);
        Hash topology;
        topology.add(t.vertex_point);
        topology.add(t.soup_sizes);
        for (const Primitive& p : t.primitives) {
            const std::int64_t key[3] = {std::int64_t(p.type), p.closed, p.count};
            topology.add(key, sizeof key);
        }
        const GA_Size points = gdp.getNumPoints();
        topology.add(&points, sizeof points);
        out.topology_hash = topology.value();
        out.vertex_offsets =
            std::make_shared<const std::vector<GA_Offset>>(std::move(t.vertex_offsets));
        std::vector<std::int32_t> own(t.vertex_point.size()); // vertices are numbered as they come
        for (std::size_t i = 0; i < own.size(); ++i) own[i] = std::int32_t(i);
        Geometry bare;
        bare.set_topology(std::size_t(points), std::move(t.vertex_point), std::move(own),
                          std::move(t.soup_sizes), std::move(t.primitives));
        out.bare = std::make_shared<const Geometry>(std::move(bare));
    }
    Geometry g = *out.bare;
    hash.add(&out.topology_hash, sizeof out.topology_hash);
    g.set(read_positions(gdp, hash));
    for (const char* name : point_attributes)
        if (const GA_Attribute* a = gdp.findPointAttribute(name); a && a->getAIFTuple())
            g.set(read_attribute(*a, Owner::point, g.point_count(), nullptr, hash));
    for (const char* name : vertex_attributes)
        if (const GA_Attribute* a = gdp.findVertexAttribute(name); a && a->getAIFTuple())
            g.set(read_attribute(*a, Owner::vertex, g.vertex_count(), out.vertex_offsets.get(),
                                 hash));
    read_groups(gdp, g, hash);
    out.content_hash = hash.value();
    out.geometry = std::make_shared<const Geometry>(std::move(g));
    return out;
}

std::string left_out_message(const Geometry& geometry, const std::string& who)
{
    std::vector<std::uint8_t> used(geometry.point_count(), 0);
    for (const Primitive& p : geometry.primitives()) {
        if (p.type == PrimitiveType::polygon && (!p.closed || p.count < 3)) continue;
        for (std::int64_t k = 0; k < p.count; ++k) {
            const std::int32_t v = geometry.primitive_vertices()[std::size_t(p.first + k)];
            used[std::size_t(geometry.vertex_point()[std::size_t(v)])] = 1;
        }
    }
    std::size_t count = 0, first = 0;
    for (std::size_t i = used.size(); i-- > 0;)
        if (!used[i]) {
            ++count;
            first = i;
        }
    if (count == 0) return "";
    return fmt::format(
        "{}: {} points (first: point {}) belong to no polygon and are not simulated; "
        "they follow the input. Remove them with a Clean node if that is not meant.",
        who, count, first);
}

} // namespace selvage::houdini
