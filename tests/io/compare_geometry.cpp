#include "tests/io/compare_geometry.h"

#include <cstring>

namespace selvage::test
{
namespace
{

constexpr Owner owners[] = {Owner::vertex, Owner::point, Owner::primitive, Owner::detail};

template <class T> bool same_bits(const std::vector<T>& a, const std::vector<T>& b)
{
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

bool same_values(const Attribute& a, const Attribute& b)
{
    if (a.values.index() != b.values.index()) return false;
    return std::visit(
        [&](const auto& v) { return same_bits(v, std::get<std::decay_t<decltype(v)>>(b.values)); },
        a.values);
}

std::string attribute_difference(const Attribute& a, const Attribute& b, Compare how)
{
    if (a.name != b.name) return "name " + a.name + " / " + b.name;
    const std::string where = "attribute " + a.name + ": ";
    if (a.storage != b.storage || a.tuple_size != b.tuple_size || a.is_array != b.is_array)
        return where + "type";
    if (!same_values(a, b)) return where + "values";
    if (a.is_array && a.array_offsets != b.array_offsets) return where + "array offsets";
    if (a.texts != b.texts) return where + "texts";
    if (a.scope != b.scope || a.type_info != b.type_info) return where + "scope or type info";
    if (how == Compare::content) return "";
    if (a.options_json != b.options_json) return where + "options";
    if (a.defaults_json != b.defaults_json) return where + "defaults";
    return "";
}

template <class Range, class Get> auto of_owner(const Range& range, Owner owner, Get get)
{
    std::vector<std::decay_t<decltype(get(range[0]))>> out;
    for (const auto& item : range)
        if (get(item)->owner == owner) out.push_back(get(item));
    return out;
}

} // namespace

std::string difference(const Geometry& a, const Geometry& b, Compare how)
{
    if (!a.same_topology(b)) return "topology";
    for (const Owner owner : owners) {
        const auto get = [](const auto& p) { return p.get(); };
        const auto left = of_owner(a.attributes(), owner, get);
        const auto right = of_owner(b.attributes(), owner, get);
        if (left.size() != right.size())
            return "number of attributes of owner " + std::to_string(int(owner));
        for (std::size_t i = 0; i < left.size(); ++i)
            if (auto d = attribute_difference(*left[i], *right[i], how); !d.empty()) return d;

        const auto address = [](const Group& g) { return &g; };
        const auto g = of_owner(a.groups(), owner, address);
        const auto h = of_owner(b.groups(), owner, address);
        if (g.size() != h.size()) return "number of groups";
        for (std::size_t i = 0; i < g.size(); ++i)
            if (g[i]->name != h[i]->name || g[i]->member != h[i]->member ||
                g[i]->ordered != h[i]->ordered || g[i]->order != h[i]->order ||
                g[i]->options_json != h[i]->options_json)
                return "group " + g[i]->name;
    }
    if (a.opaque_attributes().size() != b.opaque_attributes().size())
        return "number of attributes of other kinds";
    for (std::size_t i = 0; i < a.opaque_attributes().size(); ++i) {
        const OpaqueAttribute &p = a.opaque_attributes()[i], &q = b.opaque_attributes()[i];
        if (p.name != q.name || p.kind != q.kind || p.owner != q.owner ||
            p.data_json != q.data_json || p.elements != q.elements)
            return "attribute " + p.name;
    }
    if (a.edge_groups().size() != b.edge_groups().size()) return "number of edge groups";
    for (std::size_t i = 0; i < a.edge_groups().size(); ++i) {
        const EdgeGroup &g = a.edge_groups()[i], &h = b.edge_groups()[i];
        if (g.name != h.name || g.edges != h.edges || g.options_json != h.options_json)
            return "edge group " + g.name;
    }
    if (how == Compare::everything && a.info_json != b.info_json) return "info";
    return "";
}

} // namespace selvage::test
