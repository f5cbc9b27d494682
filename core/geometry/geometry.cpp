#include "core/geometry/geometry.h"

#include "core/base/error.h"

#include <numeric>

namespace selvage
{
namespace
{

const char* owner_name(Owner owner)
{
    constexpr const char* names[] = {"vertex", "point", "primitive", "detail"};
    return names[int(owner)];
}

template <class Range> auto find_named(Range& range, Owner owner, const std::string& name)
{
    return std::find_if(range.begin(), range.end(),
                        [&](const auto& a) { return a->owner == owner && a->name == name; });
}

} // namespace

std::size_t Group::count() const
{
    return std::size_t(std::count_if(member.begin(), member.end(), [](auto m) { return m != 0; }));
}

std::size_t Geometry::element_count(Owner owner) const
{
    switch (owner) {
    case Owner::vertex: return vertex_count();
    case Owner::point: return point_count_;
    case Owner::primitive: return primitive_count();
    case Owner::detail: return 1;
    }
    return 0;
}

bool Geometry::same_topology(const Geometry& other) const
{
    if (point_count_ != other.point_count_) return false;
    if (topology_ == other.topology_) return true;
    const auto same = [](const Primitive& a, const Primitive& b) {
        return a.type == b.type && a.closed == b.closed && a.first == b.first &&
               a.count == b.count && a.soup_first == b.soup_first && a.soup_count == b.soup_count;
    };
    const Topology &a = *topology_, &b = *other.topology_;
    return a.vertex_point == b.vertex_point && a.primitive_vertices == b.primitive_vertices &&
           a.soup_polygon_sizes == b.soup_polygon_sizes &&
           a.primitives.size() == b.primitives.size() &&
           std::equal(a.primitives.begin(), a.primitives.end(), b.primitives.begin(), same);
}

std::vector<std::int32_t> Geometry::points_of(const Primitive& primitive) const
{
    std::vector<std::int32_t> points;
    for (std::int64_t i = primitive.first; i < primitive.first + primitive.count; ++i)
        points.push_back(
            topology_->vertex_point[std::size_t(topology_->primitive_vertices[std::size_t(i)])]);
    return points;
}

std::optional<std::size_t> Geometry::first_different_primitive(const Geometry& other) const
{
    if (same_topology(other)) return std::nullopt;
    const auto sizes = [](const Geometry& g, const Primitive& p) {
        const auto first = g.topology_->soup_polygon_sizes.begin() + p.soup_first;
        return std::vector<std::int32_t>(first, first + p.soup_count);
    };
    const std::vector<Primitive>&a = primitives(), &b = other.primitives();
    const std::size_t both = std::min(a.size(), b.size());
    for (std::size_t k = 0; k < both; ++k)
        if (a[k].type != b[k].type || a[k].closed != b[k].closed ||
            points_of(a[k]) != other.points_of(b[k]) || sizes(*this, a[k]) != sizes(other, b[k]))
            return k;
    if (a.size() != b.size()) return both;
    return std::nullopt;
}

Geometry::Topology& Geometry::own_topology()
{
    if (topology_.use_count() > 1) topology_ = std::make_shared<Topology>(*topology_);
    return *topology_;
}

void Geometry::resize_elements(Owner owner)
{
    const std::size_t n = element_count(owner);
    for (auto& a : attributes_)
        if (a->owner == owner && a->size() != n) {
            auto copy = std::make_shared<Attribute>(*a);
            copy->resize(n);
            a = copy;
        }
    for (auto& g : groups_)
        if (g.owner == owner) g.member.resize(n, 0);
}

void Geometry::set_point_count(std::size_t count)
{
    point_count_ = count;
    if (!find(Owner::point, "P")) {
        Attribute P = make_attribute("P", Owner::point, Storage::real32, 3, count);
        P.type_info = "point";
        set(std::move(P));
    }
    resize_elements(Owner::point);
}

void Geometry::append_vertices(const std::vector<int>& points, Primitive primitive)
{
    for (const int p : points)
        if (p < 0 || std::size_t(p) >= point_count_)
            throw InputError("Primitive " + std::to_string(primitive_count()) +
                             " refers to point " + std::to_string(p) + " of " +
                             std::to_string(point_count_) + ".");
    Topology& t = own_topology();
    primitive.first = std::int64_t(t.primitive_vertices.size());
    primitive.count = std::int64_t(points.size());
    for (const int p : points) {
        t.primitive_vertices.push_back(std::int32_t(t.vertex_point.size()));
        t.vertex_point.push_back(p);
    }
    t.primitives.push_back(primitive);
    resize_elements(Owner::vertex);
    resize_elements(Owner::primitive);
}

std::size_t Geometry::add_polygon(const std::vector<int>& points, bool closed)
{
    Primitive p;
    p.closed = closed;
    append_vertices(points, p);
    return primitive_count() - 1;
}

std::size_t Geometry::add_tetrahedron(const std::array<int, 4>& points)
{
    Primitive p;
    p.type = PrimitiveType::tetrahedron;
    append_vertices({points.begin(), points.end()}, p);
    return primitive_count() - 1;
}

std::size_t Geometry::add_soup(const std::vector<std::vector<int>>& polygons)
{
    Primitive p;
    p.type = PrimitiveType::polygon_soup;
    p.soup_first = std::int64_t(topology_->soup_polygon_sizes.size());
    p.soup_count = std::int64_t(polygons.size());
    std::vector<int> points;
    for (const auto& polygon : polygons) {
        own_topology().soup_polygon_sizes.push_back(std::int32_t(polygon.size()));
        points.insert(points.end(), polygon.begin(), polygon.end());
    }
    append_vertices(points, p);
    return primitive_count() - 1;
}

void Geometry::set_topology(std::size_t points, std::vector<std::int32_t> vertex_point,
                            std::vector<std::int32_t> primitive_vertices,
                            std::vector<std::int32_t> soup_polygon_sizes,
                            std::vector<Primitive> primitives)
{
    // The text is built only where it is needed: there are millions of vertices.
    const auto check = [](bool ok, const auto& what) {
        if (!ok) throw InputError("Broken geometry: " + what() + ".");
    };
    for (std::size_t v = 0; v < vertex_point.size(); ++v)
        check(vertex_point[v] >= 0 && std::size_t(vertex_point[v]) < points, [&] {
            return "vertex " + std::to_string(v) + " refers to point " +
                   std::to_string(vertex_point[v]) + " of " + std::to_string(points);
        });
    for (const std::int32_t v : primitive_vertices)
        check(v >= 0 && std::size_t(v) < vertex_point.size(), [&] {
            return "a primitive refers to vertex " + std::to_string(v) + " of " +
                   std::to_string(vertex_point.size());
        });
    for (std::size_t i = 0; i < primitives.size(); ++i) {
        const Primitive& p = primitives[i];
        const auto inside = [](std::int64_t first, std::int64_t count, std::size_t size) {
            return first >= 0 && count >= 0 && first <= std::int64_t(size) &&
                   count <= std::int64_t(size) - first;
        };
        check(inside(p.first, p.count, primitive_vertices.size()) &&
                  inside(p.soup_first, p.soup_count, soup_polygon_sizes.size()),
              [&] {
                  return "primitive " + std::to_string(i) + " has vertices outside the vertex list";
              });
        if (p.type == PrimitiveType::polygon_soup) {
            std::int64_t sum = 0;
            for (std::int64_t s = 0; s < p.soup_count; ++s) {
                const std::int64_t n = soup_polygon_sizes[std::size_t(p.soup_first + s)];
                check(n >= 0, [&] {
                    return "polygon soup " + std::to_string(i) + " has a negative polygon size";
                });
                sum += n;
            }
            check(sum == p.count, [&] {
                return "polygon soup " + std::to_string(i) + " and its vertex count differ";
            });
        }
        check(p.type != PrimitiveType::tetrahedron || p.count == 4, [&] {
            return "tetrahedron " + std::to_string(i) + " has " + std::to_string(p.count) +
                   " vertices";
        });
    }
    topology_ =
        std::make_shared<Topology>(Topology{std::move(vertex_point), std::move(primitive_vertices),
                                            std::move(soup_polygon_sizes), std::move(primitives)});
    set_point_count(points);
    resize_elements(Owner::vertex);
    resize_elements(Owner::primitive);
}

const Attribute* Geometry::find(Owner owner, const std::string& name) const
{
    const auto it = find_named(attributes_, owner, name);
    return it == attributes_.end() ? nullptr : it->get();
}

const Attribute& Geometry::get(Owner owner, const std::string& name) const
{
    if (const Attribute* a = find(owner, name)) return *a;
    throw InputError(std::string("The geometry has no ") + owner_name(owner) + " attribute '" +
                     name + "'.");
}

void Geometry::set(Attribute attribute)
{
    set(std::make_shared<const Attribute>(std::move(attribute)));
}

void Geometry::set(std::shared_ptr<const Attribute> attribute)
{
    if (attribute->size() != element_count(attribute->owner))
        throw InputError(std::string(owner_name(attribute->owner)) + " attribute '" +
                         attribute->name + "' has " + std::to_string(attribute->size()) +
                         " values for " + std::to_string(element_count(attribute->owner)) +
                         " elements.");
    const auto it = find_named(attributes_, attribute->owner, attribute->name);
    if (it == attributes_.end())
        attributes_.push_back(std::move(attribute));
    else
        *it = std::move(attribute);
}

void Geometry::remove(Owner owner, const std::string& name)
{
    const auto it = find_named(attributes_, owner, name);
    if (it != attributes_.end()) attributes_.erase(it);
}

VecX Geometry::vectors(const std::string& name) const
{
    const Attribute& a = get(Owner::point, name);
    if (a.tuple_size < 3 || a.is_array || is_text(a.storage))
        throw InputError("Point attribute '" + name + "' is not a 3-vector.");
    VecX out(3 * Eigen::Index(point_count_));
    if (a.storage == Storage::real32 && a.tuple_size == 3) {
        const auto& v = std::get<std::vector<float>>(a.values);
        out = Eigen::Map<const Eigen::VectorXf>(v.data(), Eigen::Index(v.size())).cast<double>();
        return out;
    }
    for (std::size_t i = 0; i < point_count_; ++i)
        for (int c = 0; c < 3; ++c) out[3 * Eigen::Index(i) + c] = a.number(i, c);
    return out;
}

void Geometry::set_vectors(const std::string& name, const VecX& values,
                           const std::string& type_info, Storage storage)
{
    const Attribute* old = find(Owner::point, name);
    if (old && old->storage == Storage::real64) storage = Storage::real64;
    Attribute a = make_attribute(name, Owner::point, storage, 3, std::size_t(values.size()) / 3);
    a.type_info = type_info;
    if (old) {
        a.options_json = old->options_json;
        a.scope = old->scope;
        a.type_info = old->type_info;
    }
    if (storage == Storage::real32) {
        auto& v = std::get<std::vector<float>>(a.values);
        Eigen::Map<Eigen::VectorXf>(v.data(), Eigen::Index(v.size())) = values.cast<float>();
    } else {
        auto& v = std::get<std::vector<double>>(a.values);
        Eigen::Map<VecX>(v.data(), Eigen::Index(v.size())) = values;
    }
    set(std::move(a));
}

void Geometry::set_scalars(const std::string& name, const VecX& values, Storage storage)
{
    Attribute a = make_attribute(name, Owner::point, storage, 1, std::size_t(values.size()));
    if (auto* v = std::get_if<std::vector<float>>(&a.values))
        Eigen::Map<Eigen::VectorXf>(v->data(), values.size()) = values.cast<float>();
    else
        for (Eigen::Index i = 0; i < values.size(); ++i) a.set_number(std::size_t(i), 0, values[i]);
    set(std::move(a));
}

const Group* Geometry::find_group(Owner owner, const std::string& name) const
{
    for (const Group& g : groups_)
        if (g.owner == owner && g.name == name) return &g;
    return nullptr;
}

void Geometry::set_group(Group group)
{
    group.member.resize(element_count(group.owner), 0);
    for (Group& g : groups_)
        if (g.owner == group.owner && g.name == group.name) {
            g = std::move(group);
            return;
        }
    groups_.push_back(std::move(group));
}

void Geometry::set_edge_group(EdgeGroup group)
{
    for (EdgeGroup& g : edge_groups_)
        if (g.name == group.name) {
            g = std::move(group);
            return;
        }
    edge_groups_.push_back(std::move(group));
}

} // namespace selvage
