#include "tests/io/rich_geometry.h"

#include <cmath>
#include <limits>

namespace selvage::test
{
namespace
{

constexpr Storage numeric[] = {Storage::boolean, Storage::int8,   Storage::uint8,
                               Storage::int16,   Storage::int32,  Storage::int64,
                               Storage::real16,  Storage::real32, Storage::real64};

/// Values that use the whole range of the storage.
void fill(Attribute& a)
{
    std::visit(
        [&](auto& v) {
            using T = typename std::decay_t<decltype(v)>::value_type;
            for (std::size_t i = 0; i < v.size(); ++i) {
                if constexpr (std::is_same_v<T, std::uint16_t>)
                    v[i] = std::uint16_t(0x3c00 + 37 * i); // 16-bit reals from 1.0 up
                else if constexpr (std::is_floating_point_v<T>)
                    v[i] = T(1) / T(3 + i) * (i % 2 ? T(-1e-30) : T(1e20));
                else if (a.storage == Storage::boolean)
                    v[i] = T(i % 2);
                else
                    v[i] = i % 3 == 0   ? std::numeric_limits<T>::min()
                           : i % 3 == 1 ? std::numeric_limits<T>::max()
                                        : T(i);
            }
        },
        a.values);
}

void add_arrays(Geometry& g)
{
    Attribute numbers = make_attribute("weights", Owner::point, Storage::real32, 2, 0);
    numbers.is_array = true;
    std::vector<float> values;
    numbers.array_offsets.assign(1, 0);
    for (std::size_t i = 0; i < g.point_count(); ++i) {
        for (std::size_t k = 0; k < 2 * (i % 3); ++k) values.push_back(float(i) + 0.1f * float(k));
        numbers.array_offsets.push_back(std::int64_t(values.size()));
    }
    numbers.values = values;
    g.set(numbers);

    Attribute names = make_attribute("names", Owner::detail, Storage::string, 1, 0);
    names.is_array = true;
    names.texts = {"hip", "chest \"upper\"\n\ttab", "\xc3\xa9t\xc3\xa9", ""};
    names.values = std::vector<std::int32_t>{0, 1, 2, 1, 3, -1};
    names.array_offsets = {0, 6};
    g.set(names);
}

void add_texts(Geometry& g)
{
    Attribute name =
        make_attribute("name", Owner::primitive, Storage::string, 1, g.primitive_count());
    for (std::size_t i = 0; i < name.size(); i += 2)
        name.set_text(i, 0, i % 4 ? "piece" : "left/right");
    g.set(name);
    Attribute pair = make_attribute("pair", Owner::vertex, Storage::string, 2, g.vertex_count());
    pair.set_text(1, 1, "b");
    g.set(pair);
    Attribute dict = make_attribute("settings", Owner::detail, Storage::dict, 1, 1);
    dict.set_text(0, 0, R"({"count":{"type":"int","value":3},"list":[1.5,null,true,"x"]})");
    g.set(dict);
}

void add_groups(Geometry& g)
{
    Group pins;
    pins.name = "pins";
    pins.member = {1, 0, 1, 1};
    g.set_group(pins);
    Group path;
    path.name = "path";
    path.ordered = true;
    path.order = {5, 2, 7};
    path.member.assign(g.point_count(), 0);
    for (const auto i : path.order) path.member[std::size_t(i)] = 1;
    g.set_group(path);
    Group faces;
    faces.name = "faces";
    faces.owner = Owner::primitive;
    faces.member = {0, 1};
    g.set_group(faces);
    Group corners;
    corners.name = "corners";
    corners.owner = Owner::vertex;
    corners.member.assign(g.vertex_count(), 1);
    g.set_group(corners);
    g.set_edge_group({"seam", {{{0, 1}}, {{1, 2}}}, ""});
}

} // namespace

Geometry rich_geometry()
{
    Geometry g;
    g.set_point_count(12);
    g.add_polygon({0, 1, 2});
    g.add_polygon({2, 1, 3, 4});
    g.add_polygon({0, 1, 2, 3, 4});
    g.add_polygon({5, 6, 7, 8}, false);
    g.add_polygon({8, 9}, false);
    g.add_tetrahedron({0, 1, 2, 3});
    g.add_tetrahedron({4, 5, 6, 7});
    g.add_soup({{0, 1, 2, 3}, {4, 5, 6}, {7, 8, 9, 10}});
    // Vertices out of order and shared between polygons of a soup.
    std::vector<Primitive> primitives = g.primitives();
    std::vector<std::int32_t> vertices = g.primitive_vertices();
    std::swap(vertices[0], vertices[2]);
    vertices.back() = vertices[vertices.size() - 11];
    g.set_topology(12, g.vertex_point(), vertices, g.soup_polygon_sizes(), primitives);
    VecX x(36);
    for (int i = 0; i < 36; ++i) x[i] = std::sin(i * 1.7) * std::pow(10, i % 7 - 3);
    g.set_positions(x);

    for (const Owner owner : {Owner::vertex, Owner::point, Owner::primitive, Owner::detail})
        for (const Storage storage : numeric)
            for (const int size : {1, 3}) {
                Attribute a =
                    make_attribute(std::string("a_") + storage_name(storage) + std::to_string(size),
                                   owner, storage, size, g.element_count(owner));
                fill(a);
                g.set(a);
            }
    Attribute N = make_attribute("N", Owner::vertex, Storage::real32, 3, g.vertex_count());
    N.type_info = "normal";
    N.options_json = R"({"custom":{"type":"bool","value":true},"scale":0.1})";
    N.defaults_json = R"(["size",3,"storage","fpreal64","values",[0.0,1.0,0.0]])";
    N.scope = "private";
    g.set(N);
    add_arrays(g);
    add_texts(g);
    add_groups(g);
    g.info_json = R"({"software":"test \\ \"q\"","bounds":[-1.0,2.5,1e+30,0.1],"n":3})";
    OpaqueAttribute capture;
    capture.name = "boneCapture";
    capture.kind = "indexpair";
    capture.data_json = R"(["size",2,"values",[[0,0.25],[1,0.75]],{"path":"hips"}])";
    capture.elements = g.point_count();
    g.add_opaque(capture);
    return g;
}

Geometry plain_geometry()
{
    Geometry g;
    g.set_point_count(7);
    g.add_polygon({0, 1, 2});
    g.add_polygon({2, 1, 3, 4});
    g.add_polygon({4, 3, 5, 6, 2});
    g.add_polygon({0, 5, 6}, false);
    VecX x(21);
    for (int i = 0; i < 21; ++i) x[i] = std::cos(i * 2.3) / 3;
    g.set_positions(x);
    Attribute uv = make_attribute("uv", Owner::vertex, Storage::real32, 3, g.vertex_count());
    Attribute N = make_attribute("N", Owner::vertex, Storage::real32, 3, g.vertex_count());
    N.type_info = "normal";
    for (std::size_t i = 0; i < 12; ++i) // the corners of the polygons
        for (int c = 0; c < 3; ++c) {
            uv.set_number(i, c, 0.1 * double(i) + c);
            N.set_number(i, c, i % 3 == std::size_t(c));
        }
    g.set(uv);
    g.set(N);
    Group left, all;
    left.name = "left";
    left.owner = all.owner = Owner::primitive;
    left.member = {1, 0, 1, 0};
    all.name = "all";
    all.member = {1, 1, 1, 0};
    g.set_group(left);
    g.set_group(all);
    return g;
}

Geometry grid_geometry(int n)
{
    std::vector<std::int32_t> points, vertices;
    std::vector<Primitive> primitives;
    for (int j = 0; j + 1 < n; ++j)
        for (int i = 0; i + 1 < n; ++i) {
            Primitive p;
            p.first = std::int64_t(points.size());
            p.count = 4;
            primitives.push_back(p);
            for (const int k : {j * n + i, j * n + i + 1, (j + 1) * n + i + 1, (j + 1) * n + i}) {
                vertices.push_back(std::int32_t(points.size()));
                points.push_back(k);
            }
        }
    Geometry g;
    const auto count = std::size_t(n) * std::size_t(n);
    g.set_topology(count, points, vertices, {}, primitives);
    VecX x(3 * Eigen::Index(count)), v(3 * Eigen::Index(count));
    for (Eigen::Index i = 0; i < Eigen::Index(count); ++i) {
        x.segment<3>(3 * i) =
            Vec3(double(i % n) / n, 0.1 * std::sin(0.01 * double(i)), double(i / n) / n);
        v.segment<3>(3 * i) = Vec3(0.1 * std::cos(0.3 * double(i)), -9.81 / 24, 0);
    }
    g.set_positions(x);
    g.set_vectors("v", v);
    g.set_scalars("pscale", VecX::Constant(Eigen::Index(count), 0.001));
    Attribute id = make_attribute("id", Owner::point, Storage::int32, 1, count);
    for (std::size_t i = 0; i < count; ++i) id.set_number(i, 0, double(i));
    g.set(id);
    Attribute uv = make_attribute("uv", Owner::vertex, Storage::real32, 3, g.vertex_count());
    for (std::size_t i = 0; i < g.vertex_count(); ++i) {
        uv.set_number(i, 0, double(points[i] % n) / n);
        uv.set_number(i, 1, double(points[i] / n) / n);
    }
    g.set(uv);
    return g;
}

} // namespace selvage::test
