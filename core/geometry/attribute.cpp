#include "core/geometry/attribute.h"

#include "core/base/error.h"

#include <Eigen/Core>

namespace selvage
{
namespace
{

constexpr const char* storage_names[] = {"bool",     "int8",   "uint8",    "int16",
                                         "int32",    "int64",  "fpreal16", "fpreal32",
                                         "fpreal64", "string", "dict"};

const std::string no_text;

} // namespace

bool is_integer(Storage s) { return s <= Storage::int64; }
bool is_real(Storage s) { return s >= Storage::real16 && s <= Storage::real64; }
bool is_text(Storage s) { return s >= Storage::string; }

const char* storage_name(Storage s) { return storage_names[int(s)]; }

Storage storage_from_name(const std::string& name)
{
    for (int i = 0; i < int(std::size(storage_names)); ++i)
        if (name == storage_names[i]) return Storage(i);
    throw InputError("Unknown attribute storage '" + name + "'.");
}

Attribute make_attribute(std::string name, Owner owner, Storage storage, int tuple_size,
                         std::size_t elements)
{
    Attribute a;
    a.name = std::move(name);
    a.owner = owner;
    a.storage = storage;
    a.tuple_size = tuple_size;
    switch (storage) {
    case Storage::int8: a.values = std::vector<std::int8_t>(); break;
    case Storage::boolean:
    case Storage::uint8: a.values = std::vector<std::uint8_t>(); break;
    case Storage::int16: a.values = std::vector<std::int16_t>(); break;
    case Storage::real16: a.values = std::vector<std::uint16_t>(); break;
    case Storage::int32:
    case Storage::string:
    case Storage::dict: a.values = std::vector<std::int32_t>(); break;
    case Storage::int64: a.values = std::vector<std::int64_t>(); break;
    case Storage::real32: a.values = std::vector<float>(); break;
    case Storage::real64: a.values = std::vector<double>(); break;
    }
    a.resize(elements);
    return a;
}

std::size_t Attribute::size() const
{
    if (is_array) return array_offsets.empty() ? 0 : array_offsets.size() - 1;
    return std::visit([](const auto& v) { return v.size(); }, values) / std::size_t(tuple_size);
}

void Attribute::resize(std::size_t elements)
{
    if (is_array) {
        const std::int64_t last = array_offsets.empty() ? 0 : array_offsets.back();
        array_offsets.resize(elements + 1, last);
        return;
    }
    const bool text = is_text(storage);
    std::visit(
        [&](auto& v) {
            using T = typename std::decay_t<decltype(v)>::value_type;
            v.resize(elements * std::size_t(tuple_size), text ? T(-1) : T(0));
        },
        values);
}

double Attribute::number(std::size_t i, int c) const
{
    const std::size_t k = i * std::size_t(tuple_size) + std::size_t(c);
    if (storage == Storage::real16)
        return float(
            Eigen::numext::bit_cast<Eigen::half>(std::get<std::vector<std::uint16_t>>(values)[k]));
    return std::visit([&](const auto& v) { return double(v[k]); }, values);
}

void Attribute::set_number(std::size_t i, int c, double value)
{
    const std::size_t k = i * std::size_t(tuple_size) + std::size_t(c);
    if (storage == Storage::real16) {
        std::get<std::vector<std::uint16_t>>(values)[k] =
            Eigen::numext::bit_cast<std::uint16_t>(Eigen::half(float(value)));
        return;
    }
    std::visit(
        [&](auto& v) { v[k] = static_cast<typename std::decay_t<decltype(v)>::value_type>(value); },
        values);
}

std::int64_t Attribute::integer(std::size_t i, int c) const
{
    const std::size_t k = i * std::size_t(tuple_size) + std::size_t(c);
    return std::visit([&](const auto& v) { return std::int64_t(v[k]); }, values);
}

const std::string& Attribute::text(std::size_t i, int c) const
{
    const std::int64_t t = integer(i, c);
    return t < 0 || t >= std::int64_t(texts.size()) ? no_text : texts[std::size_t(t)];
}

void Attribute::set_text(std::size_t i, int c, const std::string& value)
{
    const auto found = std::find(texts.begin(), texts.end(), value);
    const auto index = std::int32_t(found - texts.begin());
    if (found == texts.end()) texts.push_back(value);
    std::get<std::vector<std::int32_t>>(values)[i * std::size_t(tuple_size) + std::size_t(c)] =
        index;
}

} // namespace selvage
