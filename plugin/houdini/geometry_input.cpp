#include "plugin/houdini/geometry_input.h"

#include "core/base/error.h"
#include "plugin/houdini/curve_part.h"
#include "plugin/houdini/volume_input.h"

#include <GA/GA_Primitive.h>
#include <GEO/GEO_PrimPolySoup.h>

#include <fmt/format.h>

namespace selvage::houdini
{
namespace
{

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
    std::vector<GA_Offset> vertex_offsets; ///< of each corner, for vertex attributes
};

void add_corner(const GU_Detail& gdp, GA_Offset vertex, Topology& t)
{
    t.vertex_offsets.push_back(vertex);
    t.vertex_point.push_back(std::int32_t(gdp.pointIndex(gdp.vertexPoint(vertex))));
}

void add_corners(const GU_Detail& gdp, GA_Offset primitive, Topology& t)
{
    const GA_OffsetListRef list = gdp.getPrimitiveVertexList(primitive);
    for (GA_Size i = 0; i < list.size(); ++i) add_corner(gdp, list(i), t);
}

/// Polygons of a soup share vertices: its list has each once, in any order. Here every corner of
/// every polygon gets one of its own.
void add_polygons(const GU_Detail& gdp, GA_Offset primitive, Primitive& p, Topology& t)
{
    const auto& soup = static_cast<const GEO_PrimPolySoup&>(*gdp.getPrimitive(primitive));
    p.soup_first = std::int64_t(t.soup_sizes.size());
    p.soup_count = soup.getPolygonCount();
    for (GEO_PrimPolySoup::PolygonIterator it(soup); !it.atEnd(); ++it) {
        const GA_Size corners = it.getVertexCount();
        t.soup_sizes.push_back(std::int32_t(corners));
        for (GA_Size i = 0; i < corners; ++i) add_corner(gdp, it.getVertexOffset(i), t);
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
        p.first = std::int64_t(t.vertex_point.size());
        if (type == GA_PRIMPOLY) {
            p.type = PrimitiveType::polygon;
            p.closed = gdp.getPrimitiveClosedFlag(offset);
            add_corners(gdp, offset, t);
        } else if (type == GA_PRIMTETRAHEDRON) {
            p.type = PrimitiveType::tetrahedron;
            add_corners(gdp, offset, t);
        } else if (type == GA_PRIMPOLYSOUP) {
            p.type = PrimitiveType::polygon_soup;
            add_polygons(gdp, offset, p, t);
        } else {
            const std::string name = gdp.getPrimitive(offset)->getTypeDef().getToken().c_str();
            throw InputError(fmt::format("{}: primitive {} is of type {}, which cannot be "
                                         "simulated. {}.",
                                         who, i, name, remedy_for(name)));
        }
        p.count = std::int64_t(t.vertex_point.size()) - p.first;
        t.primitives.push_back(p);
    }
    return t;
}

std::uint64_t hash_of(const Topology& t, GA_Size points)
{
    ContentHash hash;
    hash.add(t.vertex_point);
    hash.add(t.soup_sizes);
    for (const Primitive& p : t.primitives) {
        const std::int64_t key[3] = {std::int64_t(p.type), p.closed, p.count};
        hash.add(key, sizeof key);
    }
    hash.add(std::uint64_t(points));
    return hash.value();
}

} // namespace

ObjectKind kind_of(const GU_Detail& gdp)
{
    if (gdp.containsPrimitiveType(GA_PRIMTETRAHEDRON)) return ObjectKind::solid;
    for (GA_Index i = 0; i < gdp.getNumPrimitives(); ++i) {
        const GA_Offset offset = gdp.primitiveOffset(i);
        if (gdp.getPrimitiveTypeId(offset) != GA_PRIMPOLY || gdp.getPrimitiveClosedFlag(offset))
            return ObjectKind::cloth;
    }
    return gdp.getNumPrimitives() > 0 ? ObjectKind::hair : ObjectKind::cloth;
}

bool has_curves(const GU_Detail& gdp)
{
    for (GA_Index i = 0; i < gdp.getNumPrimitives(); ++i) {
        const GA_Offset offset = gdp.primitiveOffset(i);
        if (gdp.getPrimitiveTypeId(offset) == GA_PRIMPOLY && !gdp.getPrimitiveClosedFlag(offset))
            return true;
    }
    return false;
}

ConvertedInput convert_input(const GU_Detail& gdp, const ConvertedInput* before,
                             const std::string& who, InputDepth depth)
{
    ConvertedInput out;
    out.topology_ids = compat::topology_ids(gdp);
    const bool same_topology = before && before->topology_ids == out.topology_ids;
    if (same_topology) {
        out.bare = before->bare;
        out.topology_hash = before->topology_hash;
        out.vertex_offsets = before->vertex_offsets;
    } else {
        Topology t = read_topology(gdp, who);
        out.topology_hash = hash_of(t, gdp.getNumPoints());
        out.vertex_offsets =
            std::make_shared<const std::vector<GA_Offset>>(std::move(t.vertex_offsets));
        std::vector<std::int32_t> own(t.vertex_point.size()); // vertices are numbered as they come
        for (std::size_t i = 0; i < own.size(); ++i) own[i] = std::int32_t(i);
        Geometry bare;
        bare.set_topology(std::size_t(gdp.getNumPoints()), std::move(t.vertex_point),
                          std::move(own), std::move(t.soup_sizes), std::move(t.primitives));
        out.bare = std::make_shared<const Geometry>(std::move(bare));
    }
    Geometry g = *out.bare;
    ContentHash hash;
    hash.add(out.topology_hash);
    out.attributes = read_attributes(gdp, depth, *out.vertex_offsets,
                                     same_topology ? &before->attributes : nullptr, g, hash);
    out.content_hash = hash.value();
    out.geometry = std::make_shared<const Geometry>(std::move(g));
    return out;
}

namespace
{

std::uint64_t hash_of(const std::vector<Volume>& volumes)
{
    ContentHash hash;
    for (const Volume& v : volumes) {
        hash.add(v.name);
        hash.add(std::uint64_t(v.kind));
        if (!v.field) continue;
        const DistanceSamples& s = v.field->samples();
        hash.add(s.axes.data(), sizeof(double) * 9);
        hash.add(s.origin.data(), sizeof(double) * 3);
        hash.add(&s.background, sizeof s.background);
        hash.add(s.first_block.data(), sizeof(int) * 3);
        hash.add(s.block_count.data(), sizeof(int) * 3);
        hash.add(s.block);
        hash.add(s.values);
    }
    return hash.value();
}

} // namespace

ConvertedInput convert_colliders(const GU_Detail& gdp, const ConvertedInput* before,
                                 const std::string& who, InputDepth depth, const VolumeNames& names)
{
    const GA_Size volumes = gdp.countPrimitiveType(GA_PRIMVDB);
    if (volumes == 0) return convert_input(gdp, before, who, depth);
    if (volumes < gdp.getNumPrimitives() && names.distance.empty())
        throw InputError(fmt::format(
            "{}: {} of {} primitives are volumes (VDB), the others are not. Name the volume that "
            "collides in Colliders > Grid, or keep one kind with a Blast node.",
            who, volumes, gdp.getNumPrimitives()));
    ConvertedInput out;
    out.topology_ids = compat::topology_ids(gdp);
    if (before && before->topology_ids == out.topology_ids && before->volumes == names)
        return *before;
    Geometry g;
    g.volumes = read_volumes(gdp, names, who);
    out.volumes = names;
    out.topology_hash = 1; // any voxels will do
    out.content_hash = hash_of(g.volumes);
    out.geometry = std::make_shared<const Geometry>(std::move(g));
    return out;
}

std::string left_out_message(const Geometry& geometry, ObjectKind kind, bool coupled,
                             const std::string& who)
{
    std::vector<std::uint8_t> used(geometry.point_count(), 0);
    bool curves = false;
    for (const Primitive& p : geometry.primitives()) {
        curves = curves || is_curve(p);
        if (!coupled && is_curve(p) != (kind == ObjectKind::hair)) continue;
        if (p.type == PrimitiveType::polygon && p.count < 3) continue;
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
    const bool hair_beside = curves && !coupled && kind != ObjectKind::hair;
    return fmt::format(
        "{}: {} points (first: point {}) belong to no {} and are not simulated; "
        "they follow the input. Remove them with a Clean node if that is not meant{}.",
        who, count, first, kind == ObjectKind::hair ? "open curve" : "polygon",
        hair_beside ? ", or set Solver > Method to barrier to simulate open curves "
                      "as hair together with the polygons"
                    : "");
}

} // namespace selvage::houdini
