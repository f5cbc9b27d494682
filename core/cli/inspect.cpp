#include "core/cli/command.h"
#include "core/cli/sequence_input.h"

#include "core/geometry/mesh_topology.h"
#include "core/geometry/triangulate.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace selvage::cli
{
namespace
{

using Json = nlohmann::ordered_json;

const char* owner_name(Owner owner)
{
    constexpr const char* names[] = {"vertex", "point", "primitive", "detail"};
    return names[int(owner)];
}

Json counts_of(const Geometry& g)
{
    int polygons = 0, curves = 0, soups = 0, tets = 0;
    for (const Primitive& p : g.primitives()) {
        if (p.type == PrimitiveType::polygon) ++(p.closed ? polygons : curves);
        if (p.type == PrimitiveType::polygon_soup) ++soups;
        if (p.type == PrimitiveType::tetrahedron) ++tets;
    }
    return {{"points", g.point_count()},
            {"vertices", g.vertex_count()},
            {"primitives", g.primitive_count()},
            {"polygons", polygons},
            {"curves", curves},
            {"polygon_soups", soups},
            {"tetrahedra", tets}};
}

Json bounds_of(const Geometry& g)
{
    Json out = Json::object();
    if (g.point_count() == 0) return out;
    const VecX x = g.positions();
    const auto points = x.reshaped(3, x.size() / 3);
    const Vec3 low = points.rowwise().minCoeff(), high = points.rowwise().maxCoeff();
    out["low"] = {low[0], low[1], low[2]};
    out["high"] = {high[0], high[1], high[2]};
    out["finite"] = x.allFinite();
    return out;
}

/// (point, edge point, edge point)
Json json_list(const std::vector<Vec3i>& t_junctions)
{
    Json list = Json::array();
    for (const Vec3i& t : t_junctions) list.push_back({t[0], t[1], t[2]});
    return list;
}

Json mesh_of(const Geometry& g)
{
    const MeshTopology mesh = mesh_topology(triangulate(g).triangles);
    const VecX x = g.point_count() > 0 ? g.positions() : VecX();
    SeamReport seams;
    if (x.size() > 0 && x.allFinite()) {
        const auto points = x.reshaped(3, x.size() / 3);
        const double size = (points.rowwise().maxCoeff() - points.rowwise().minCoeff()).norm();
        seams = find_open_seams(mesh, x, 1e-6 * size); // as simulate judges it
    }
    return {{"triangles", mesh.triangles.size()},
            {"edges", mesh.edges.size()},
            {"hinges", mesh.hinges.size()},
            {"boundary_edges", mesh.boundary_edges.size()},
            {"nonmanifold_edges", mesh.nonmanifold_edges.size()},
            {"flipped_edges", mesh.flipped_edges.size()},
            {"open_seam_points", seams.coincident_points.size()},
            {"t_junctions", json_list(seams.t_junctions)}};
}

Json inspect_geometry(const Geometry& g)
{
    Json out = {{"counts", counts_of(g)}, {"bounds", bounds_of(g)}, {"mesh", mesh_of(g)}};
    out["attributes"] = Json::array();
    for (const auto& a : g.attributes())
        out["attributes"].push_back({{"owner", owner_name(a->owner)},
                                     {"name", a->name},
                                     {"storage", storage_name(a->storage)},
                                     {"size", a->tuple_size},
                                     {"array", a->is_array},
                                     {"type", a->type_info}});
    for (const OpaqueAttribute& a : g.opaque_attributes())
        out["attributes"].push_back({{"owner", owner_name(a.owner)},
                                     {"name", a.name},
                                     {"storage", a.kind},
                                     {"size", 1},
                                     {"array", false},
                                     {"type", "passed through"}});
    out["groups"] = Json::array();
    for (const Group& group : g.groups())
        out["groups"].push_back(
            {{"owner", owner_name(group.owner)}, {"name", group.name}, {"count", group.count()}});
    for (const EdgeGroup& group : g.edge_groups())
        out["groups"].push_back(
            {{"owner", "edge"}, {"name", group.name}, {"count", group.edges.size()}});
    out["volumes"] = Json::array();
    for (const Volume& v : g.volumes) {
        constexpr const char* kinds[] = {"signed distance", "fog", "other"};
        Json entry = {{"name", v.name}, {"kind", kinds[int(v.kind)]}};
        if (v.field) {
            entry["voxel_size"] = v.field->voxel_size();
            entry["band"] = v.field->background();
            entry["lipschitz"] = v.field->lipschitz();
        }
        out["volumes"].push_back(std::move(entry));
    }
    return out;
}

void print_text(const Json& j)
{
    const Json& c = j["counts"];
    fmt::print(
        "{} points, {} vertices, {} primitives ({} polygons, {} curves, {} soups, {} tetrahedra)\n",
        c["points"].get<std::size_t>(), c["vertices"].get<std::size_t>(),
        c["primitives"].get<std::size_t>(), c["polygons"].get<int>(), c["curves"].get<int>(),
        c["polygon_soups"].get<int>(), c["tetrahedra"].get<int>());
    if (j["bounds"].contains("low"))
        fmt::print("bounds {} … {}{}\n", j["bounds"]["low"].dump(), j["bounds"]["high"].dump(),
                   j["bounds"]["finite"].get<bool>() ? "" : "  (some positions are not finite)");
    const Json& m = j["mesh"];
    fmt::print("{} triangles, {} hinges, {} boundary edges, {} non-manifold edges\n",
               m["triangles"].get<std::size_t>(), m["hinges"].get<std::size_t>(),
               m["boundary_edges"].get<std::size_t>(), m["nonmanifold_edges"].get<std::size_t>());
    if (m["open_seam_points"].get<std::size_t>() > 0)
        fmt::print("{} pairs of border points lie on each other but are not connected\n",
                   m["open_seam_points"].get<std::size_t>());
    if (const Json& t = m["t_junctions"]; !t.empty())
        fmt::print("{} T-junctions: border point {} lies inside the edge ({}, {}) without being "
                   "connected to it\n",
                   t.size(), t[0][0].get<int>(), t[0][1].get<int>(), t[0][2].get<int>());
    for (const Json& a : j["attributes"])
        fmt::print("  {:<10} {:<20} {}{}[{}] {}\n", a["owner"].get<std::string>(),
                   a["name"].get<std::string>(), a["storage"].get<std::string>(),
                   a["array"].get<bool>() ? " array" : "", a["size"].get<int>(),
                   a["type"].get<std::string>());
    for (const Json& g : j["groups"])
        fmt::print("  {:<10} group {:<14} {} members\n", g["owner"].get<std::string>(),
                   g["name"].get<std::string>(), g["count"].get<std::size_t>());
    for (const Json& v : j["volumes"])
        fmt::print("  {:<10} {:<20} {}\n", "volume", v["name"].get<std::string>(),
                   v["kind"].get<std::string>() +
                       (v.contains("band")
                            ? fmt::format(", voxels of {:.4g}, narrow band of {:.4g}, steepness at "
                                          "most {:.3g}",
                                          v["voxel_size"].get<double>(), v["band"].get<double>(),
                                          v["lipschitz"].get<double>())
                            : ""));
}

} // namespace

void add_inspect(CLI::App& app, Run& run)
{
    struct Arguments {
        std::string input;
        bool json = false;
    };
    auto a = std::make_shared<Arguments>();
    CLI::App* c = app.add_subcommand("inspect", "Say what is in a geometry file");
    c->add_option("geometry", a->input, "File, or sequence (its first frame)")->required();
    c->add_flag("--json", a->json, "As JSON");
    c->callback([a, &run] {
        run = [a] {
            const SequenceInput input(a->input);
            const Json j = inspect_geometry(input.read(input.frames().front()));
            if (a->json)
                fmt::print("{}\n", j.dump(2, ' ', false, Json::error_handler_t::replace));
            else
                print_text(j);
            return int(exit_done);
        };
    });
}

} // namespace selvage::cli
