#include "core/io/geo_reader.h"

#include "core/base/error.h"
#include "core/io/geo_attribute_reader.h"
#include "core/io/geo_primitive_reader.h"
#include "core/io/json_reader.h"
#include "core/io/json_writer.h"

#include <algorithm>

namespace selvage
{
namespace
{

/// Reads the sections of a file in the order they come and puts the Geometry together at the end,
/// since attributes are stored before the primitives that they belong to.
class GeoReader
{
public:
    explicit GeoReader(JsonReader& in) : in_(in) {}

    Geometry read();

private:
    std::size_t count(const char* what);
    std::size_t elements(Owner owner) const;
    void topology();
    void attributes();
    void groups(Owner owner);
    void selection(Group& group, std::size_t n);
    void unordered(Group& group, std::size_t n);
    void edge_groups();
    void check_points() const;

    JsonReader& in_;
    Geometry out_;
    std::size_t points_ = 0, vertices_ = 0, primitives_ = 0;
    std::vector<std::int32_t> vertex_point_;
    GeoPrimitives built_;
    std::vector<Attribute> attributes_;
    std::vector<Group> groups_;
};

std::size_t GeoReader::count(const char* what)
{
    const std::int64_t n = in_.integer();
    if (n < 0 || n > 0x7fffffff) in_.fail(std::string("Impossible number of ") + what);
    return std::size_t(n);
}

std::size_t GeoReader::elements(Owner owner) const
{
    switch (owner) {
    case Owner::vertex: return vertices_;
    case Owner::point: return points_;
    case Owner::primitive: return primitives_;
    case Owner::detail: return 1;
    }
    return 0;
}

void GeoReader::topology()
{
    in_.enter_pairs();
    for (std::string key; in_.next_key(key);) {
        if (key != "pointref") {
            in_.skip();
            continue;
        }
        in_.enter_pairs();
        for (std::string inner; in_.next_key(inner);) {
            if (inner == "indices")
                in_.append_numbers(vertex_point_);
            else
                in_.skip();
        }
    }
    if (vertex_point_.size() != vertices_)
        in_.fail("There are " + std::to_string(vertex_point_.size()) + " of " +
                 std::to_string(vertices_) + " vertices");
}

void GeoReader::attributes()
{
    in_.enter_pairs();
    for (std::string key; in_.next_key(key);) {
        Owner owner = Owner::point;
        if (key == "vertexattributes")
            owner = Owner::vertex;
        else if (key == "primitiveattributes")
            owner = Owner::primitive;
        else if (key == "globalattributes")
            owner = Owner::detail;
        else if (key != "pointattributes") {
            in_.skip();
            continue;
        }
        in_.enter_array();
        while (!in_.at_end()) {
            auto a = read_geo_attribute(in_, owner, elements(owner));
            if (auto* opaque = std::get_if<OpaqueAttribute>(&a))
                out_.add_opaque(std::move(*opaque));
            else
                attributes_.push_back(std::get<Attribute>(std::move(a)));
        }
    }
}

/// "unordered": ["boolRLE", [count, value, ...]] or ["i8", [...]] with one entry for each element
/// or eight elements in a byte, lowest bit first.
void GeoReader::unordered(Group& group, std::size_t n)
{
    in_.enter_pairs();
    for (std::string key; in_.next_key(key);) {
        std::vector<std::int64_t> data;
        in_.append_numbers(data);
        if (key == "boolRLE") {
            std::size_t at = 0;
            for (std::size_t i = 0; i + 1 < data.size(); i += 2) {
                if (data[i] < 0 || std::size_t(data[i]) > n - at)
                    in_.fail("Group '" + group.name + "' has more members than elements");
                std::fill_n(group.member.begin() + std::ptrdiff_t(at), data[i],
                            std::uint8_t(data[i + 1] != 0));
                at += std::size_t(data[i]);
            }
        } else if (data.size() == n) {
            for (std::size_t i = 0; i < n; ++i) group.member[i] = data[i] != 0;
        } else if (data.size() == (n + 7) / 8) {
            for (std::size_t i = 0; i < n; ++i)
                group.member[i] = (std::uint64_t(data[i / 8]) >> (i % 8)) & 1;
        } else {
            in_.fail("Group '" + group.name + "' has " + std::to_string(data.size()) +
                     " entries for " + std::to_string(n) + " elements");
        }
    }
}

void GeoReader::selection(Group& group, std::size_t n)
{
    in_.enter_pairs();
    for (std::string key; in_.next_key(key);) {
        if (key == "unordered") {
            unordered(group, n);
        } else if (key == "ordered") {
            group.ordered = true;
            in_.append_numbers(group.order);
            for (const std::int64_t i : group.order) {
                if (i < 0 || std::size_t(i) >= n)
                    in_.fail("Group '" + group.name + "' refers to element " + std::to_string(i));
                group.member[std::size_t(i)] = 1;
            }
        } else {
            in_.skip();
        }
    }
}

void GeoReader::groups(Owner owner)
{
    const std::size_t n = elements(owner);
    in_.enter_array();
    while (!in_.at_end()) {
        Group group;
        group.owner = owner;
        in_.budget().charge(1, n + sizeof(Group), "groups");
        group.member.assign(n, 0);
        in_.enter_array();
        in_.enter_pairs();
        for (std::string key; in_.next_key(key);) {
            if (key == "name")
                group.name = in_.string();
            else if (key == "options")
                group.options_json = json_text(in_);
            else
                in_.skip();
        }
        if (!in_.at_end()) {
            in_.enter_pairs();
            for (std::string key; in_.next_key(key);) {
                if (key == "selection")
                    selection(group, n);
                else
                    in_.skip();
            }
            while (!in_.at_end()) in_.skip();
        }
        groups_.push_back(std::move(group));
    }
}

/// Each: [["name", ...], ["points", [a0, b0, a1, b1, ...]]].
void GeoReader::edge_groups()
{
    in_.enter_array();
    while (!in_.at_end()) {
        EdgeGroup group;
        std::vector<std::int64_t> ends;
        in_.enter_array();
        while (!in_.at_end()) {
            in_.enter_pairs();
            for (std::string key; in_.next_key(key);) {
                if (key == "name")
                    group.name = in_.string();
                else if (key == "options")
                    group.options_json = json_text(in_);
                else if (key == "points")
                    in_.append_numbers(ends);
                else
                    in_.skip();
            }
        }
        for (const std::int64_t p : ends)
            if (p < 0 || std::size_t(p) >= points_)
                in_.fail("Edge group '" + group.name + "' refers to point " + std::to_string(p));
        if (ends.size() % 2 != 0) in_.fail("Edge group '" + group.name + "' ends in half an edge");
        for (std::size_t i = 0; i < ends.size(); i += 2)
            group.edges.push_back({ends[i], ends[i + 1]});
        out_.set_edge_group(std::move(group));
    }
}

/// Positions of old files have a fourth component, the weight of spline vertices.
void split_weight(std::vector<Attribute>& attributes)
{
    for (std::size_t k = 0; k < attributes.size(); ++k) {
        Attribute& P = attributes[k];
        if (P.owner != Owner::point || P.name != "P") continue;
        if (!is_real(P.storage) || P.is_array || P.tuple_size < 3)
            throw InputError("Point attribute 'P' is not a vector of three reals.");
        if (P.tuple_size == 3) continue;
        const std::size_t n = P.size();
        Attribute position = make_attribute("P", Owner::point, P.storage, 3, n);
        Attribute weight = make_attribute("Pw", Owner::point, P.storage, 1, n);
        position.scope = P.scope;
        position.options_json = P.options_json;
        position.type_info = "point";
        bool weighted = false;
        for (std::size_t i = 0; i < n; ++i) {
            for (int c = 0; c < 3; ++c) position.set_number(i, c, P.number(i, c));
            weight.set_number(i, 0, P.number(i, 3));
            weighted |= P.number(i, 3) != 1;
        }
        P = std::move(position);
        if (weighted) attributes.push_back(std::move(weight));
    }
}

void GeoReader::check_points() const
{
    if (points_ == 0) return;
    for (const Attribute& a : attributes_)
        if (a.owner == Owner::point && a.name == "P") return;
    throw InputError("The file has " + std::to_string(points_) +
                     " points but no point attribute 'P'.");
}

Geometry GeoReader::read()
{
    if (in_.peek() != JsonReader::Kind::array) in_.fail("This is not Houdini geometry");
    in_.enter_array();
    bool counted = false;
    for (std::string key; in_.next_key(key);) {
        if (key == "pointcount") {
            points_ = count("points");
            counted = true;
        } else if (key == "vertexcount")
            vertices_ = count("vertices");
        else if (key == "primitivecount")
            primitives_ = count("primitives");
        else if (key == "info")
            out_.info_json = json_text(in_);
        else if (key == "topology")
            topology();
        else if (key == "attributes")
            attributes();
        else if (key == "primitives")
            built_ = read_geo_primitives(in_, vertices_);
        else if (key == "pointgroups")
            groups(Owner::point);
        else if (key == "vertexgroups")
            groups(Owner::vertex);
        else if (key == "primitivegroups")
            groups(Owner::primitive);
        else if (key == "edgegroups")
            edge_groups();
        else
            in_.skip();
    }
    if (!counted) in_.fail("This is not Houdini geometry: there is no point count");
    if (vertex_point_.size() != vertices_ || built_.primitives.size() != primitives_)
        throw InputError("The file says " + std::to_string(vertices_) + " vertices and " +
                         std::to_string(primitives_) + " primitives but has " +
                         std::to_string(vertex_point_.size()) + " and " +
                         std::to_string(built_.primitives.size()) + ".");
    check_points();
    split_weight(attributes_);
    in_.budget().charge(points_, 3 * sizeof(float), "points");
    out_.set_topology(points_, std::move(vertex_point_), std::move(built_.vertices),
                      std::move(built_.soup_polygon_sizes), std::move(built_.primitives));
    for (Attribute& a : attributes_) out_.set(std::move(a));
    for (Group& g : groups_) out_.set_group(std::move(g));
    return std::move(out_);
}

} // namespace

Geometry read_geo(std::string_view bytes)
{
    if (bytes.substr(0, 9) == "PGEOMETRY" || bytes.substr(0, 5) == "BgeoV")
        throw InputError("The file is in the format of Houdini 11 and earlier. Load it in a newer "
                         "Houdini and save it again.");
    ReadBudget budget(bytes.size());
    JsonReader in(bytes, budget);
    return GeoReader(in).read();
}

} // namespace selvage
