#include "plugin/houdini/attribute_input.h"

#include "plugin/houdini/compat.h"

#include <GA/GA_AIFTuple.h>
#include <GA/GA_AttributeDict.h>
#include <GA/GA_ElementGroup.h>
#include <GA/GA_GBMacros.h>
#include <GA/GA_Handle.h>

#include <algorithm>

namespace selvage::houdini
{
namespace
{

/// Numbers that only show: a new colour does not make a new simulation.
constexpr const char* cosmetic[] = {"Cd", "N", "Alpha", "Pw", "tangentu", "tangentv"};
/// What the session samples over the shot besides P: directors of roots, and rest shapes.
constexpr const char* followed[] = {"orient", "rest"};
/// Texts that the solver reads: what a primitive is, and what a point collides with.
constexpr const char* texts[] = {"type", "constraint_type", "collisionignore", "collisiongroup"};

template <class List> bool listed(const List& list, const std::string& name)
{
    return std::any_of(std::begin(list), std::end(list), [&](const char* n) { return name == n; });
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
    default: return Storage::real32; // also 16-bit reals
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

/// All three components at once: positions are most of what is read.
void copy_vectors(const GA_Attribute& from, Attribute& to)
{
    static_assert(sizeof(UT_Vector3F) == 3 * sizeof(float));
    auto& values = std::get<std::vector<float>>(to.values);
    GA_ROHandleV3(&from).getBlockFromIndices(0, GA_Size(to.size()),
                                             reinterpret_cast<UT_Vector3F*>(values.data()));
}

void copy_integers(const GA_Attribute& from, const std::vector<GA_Offset>* offsets, Attribute& to)
{
    const GA_ROHandleID handle(&from);
    const GA_IndexMap& map = from.getIndexMap();
    const std::size_t elements = to.size(), n = std::size_t(to.tuple_size);
    std::visit(
        [&](auto& values) {
            using T = typename std::decay_t<decltype(values)>::value_type;
            for (std::size_t i = 0; i < elements; ++i) {
                const GA_Offset o = offsets ? (*offsets)[i] : map.offsetFromIndex(GA_Index(i));
                for (std::size_t c = 0; c < n; ++c) values[i * n + c] = T(handle.get(o, int(c)));
            }
        },
        to.values);
}

std::uint64_t hash_of(const Attribute& a)
{
    ContentHash hash;
    hash.add(a.name);
    std::visit([&](const auto& values) { hash.add(values); }, a.values);
    for (const std::string& text : a.texts) hash.add(text);
    return hash.value();
}

/// All elements in index order, or the given vertices.
Attribute read_numbers(const GA_Attribute& from, Owner owner, std::size_t elements,
                       const std::vector<GA_Offset>* offsets)
{
    const Storage storage = storage_of(from.getAIFTuple()->getStorage(&from));
    Attribute a =
        make_attribute(from.getName().c_str(), owner, storage, from.getTupleSize(), elements);
    if (a.name == "P") a.type_info = "point";
    if (storage == Storage::real32 && a.tuple_size == 3 && !offsets)
        copy_vectors(from, a);
    else if (storage == Storage::real32)
        copy_values<float, GA_ROHandleF>(from, offsets, a);
    else if (storage == Storage::real64)
        copy_values<double, GA_ROHandleD>(from, offsets, a);
    else
        copy_integers(from, offsets, a);
    return a;
}

Attribute read_texts(const GA_Attribute& from, Owner owner, std::size_t elements)
{
    Attribute a = make_attribute(from.getName().c_str(), owner, Storage::string, 1, elements);
    const GA_ROHandleS handle(&from);
    const GA_IndexMap& map = from.getIndexMap();
    for (std::size_t i = 0; i < elements; ++i)
        a.set_text(i, 0, compat::text_of(handle.get(map.offsetFromIndex(GA_Index(i)))));
    return a;
}

class Reader
{
public:
    Reader(const ReadAttributes* before, Geometry& to, ContentHash& hash)
        : before_(before), to_(to), hash_(hash)
    {
    }
    template <class Read> void add(const GA_Attribute& from, Owner owner, Read&& read)
    {
        const std::pair<Owner, std::string> key(owner, from.getName().c_str());
        ReadAttributes::Entry& entry = out.entries[key];
        if (before_)
            if (const auto old = before_->entries.find(key);
                old != before_->entries.end() && old->second.id == from.getDataId())
                entry = old->second;
        if (!entry.attribute || from.getDataId() == GA_INVALID_DATAID ||
            entry.attribute->size() != to_.element_count(owner)) {
            entry.attribute = std::make_shared<const Attribute>(read());
            entry.id = from.getDataId();
            entry.hash = hash_of(*entry.attribute);
        }
        hash_.add(entry.hash);
        to_.set(entry.attribute);
    }
    ReadAttributes out;

private:
    const ReadAttributes* before_;
    Geometry& to_;
    ContentHash& hash_;
};

void read_groups(const GU_Detail& gdp, Geometry& g, ContentHash& hash)
{
    const GU_Detail* detail = &gdp; // a macro may want a plain name
    const GA_PointGroup* group = nullptr;
    GA_FOR_ALL_POINTGROUPS(detail, group)
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

ReadAttributes read_attributes(const GU_Detail& gdp, InputDepth depth,
                               const std::vector<GA_Offset>& vertex_offsets,
                               const ReadAttributes* before, Geometry& to, ContentHash& hash)
{
    Reader reader(before, to, hash);
    const auto add_numbers = [&](const GA_Attribute& a, Owner owner) {
        const auto* offsets = owner == Owner::vertex ? &vertex_offsets : nullptr;
        reader.add(a, owner,
                   [&] { return read_numbers(a, owner, to.element_count(owner), offsets); });
    };
    add_numbers(*gdp.getP(), Owner::point);
    if (depth == InputDepth::followed) {
        for (const char* name : followed)
            if (const GA_Attribute* a = gdp.findFloatTuple(GA_ATTRIB_POINT, name, 3))
                add_numbers(*a, Owner::point);
        return std::move(reader.out);
    }

    const auto add_all = [&](const GA_AttributeDict& attributes, Owner owner) {
        for (GA_AttributeDict::iterator it = attributes.begin(GA_SCOPE_PUBLIC); !it.atEnd(); ++it) {
            const GA_Attribute& a = *it.attrib();
            const std::string name = a.getName().c_str();
            if (a.getAIFTuple() && name != "P" && !listed(cosmetic, name))
                add_numbers(a, owner);
            else if (owner != Owner::vertex && a.getAIFSharedStringTuple() && listed(texts, name))
                reader.add(a, owner, [&] { return read_texts(a, owner, to.element_count(owner)); });
        }
    };
    add_all(gdp.pointAttribs(), Owner::point);
    add_all(gdp.vertexAttribs(), Owner::vertex);
    add_all(gdp.primitiveAttribs(), Owner::primitive);
    add_all(gdp.attribs(), Owner::detail);
    read_groups(gdp, to, hash);
    return std::move(reader.out);
}

} // namespace selvage::houdini
