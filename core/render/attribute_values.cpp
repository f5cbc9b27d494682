#include "core/render/attribute_values.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace selvage
{
namespace
{

constexpr Owner search_order[] = {Owner::vertex, Owner::point, Owner::primitive, Owner::detail};
constexpr std::size_t values_per_call = 20000;
constexpr int whole_vector = -1;

struct Request {
    std::string name;
    int component = whole_vector;
};

/// "P.y" → P, 1. A dot followed by anything but a component belongs to the name.
Request parse_request(const std::string& text)
{
    const std::size_t dot = text.rfind('.');
    if (dot == std::string::npos || dot + 1 == text.size()) return {text};
    const std::string part = text.substr(dot + 1);
    const std::string letters = "xyzw", colors = "rgba";
    if (part.size() == 1 && letters.find(part) != std::string::npos)
        return {text.substr(0, dot), int(letters.find(part))};
    if (part.size() == 1 && colors.find(part) != std::string::npos)
        return {text.substr(0, dot), int(colors.find(part))};
    if (part.size() <= 3 && part.find_first_not_of("0123456789") == std::string::npos)
        return {text.substr(0, dot), std::atoi(part.c_str())};
    return {text};
}

bool is_number(const Attribute& a) { return !a.is_array && !is_text(a.storage); }

double value_of(const Attribute& a, std::size_t i, int component)
{
    if (component != whole_vector) return a.number(i, component);
    if (a.tuple_size == 1) return a.number(i);
    double square = 0;
    for (int c = 0; c < a.tuple_size; ++c) square += a.number(i, c) * a.number(i, c);
    return std::sqrt(square);
}

/// The whole text first: attribute names of hosts may contain dots.
const Attribute* find_requested(const Geometry& geometry, Request& request, const std::string& text)
{
    for (const Owner owner : search_order)
        if (const Attribute* a = geometry.find(owner, text)) {
            request = {text};
            return a;
        }
    for (const Owner owner : search_order)
        if (const Attribute* a = geometry.find(owner, request.name)) return a;
    return nullptr;
}

} // namespace

float AttributeValues::at(const DrawnCorner& corner, std::int32_t primitive) const
{
    switch (owner) {
    case Owner::vertex: return number[std::size_t(corner.vertex)];
    case Owner::point: return number[std::size_t(corner.point)];
    case Owner::primitive: return number[std::size_t(primitive)];
    case Owner::detail: break;
    }
    return number[0];
}

std::optional<AttributeValues> attribute_values(const Geometry& geometry, const std::string& text)
{
    Request request = parse_request(text);
    const Attribute* a = find_requested(geometry, request, text);
    if (!a) return std::nullopt;
    if (!is_number(*a))
        throw InputError("Attribute '" + a->name + "' cannot be shown as colour: it holds " +
                         (a->is_array ? "arrays" : "text") +
                         ". Choose one of: " + colorable_attributes(geometry) + ".");
    if (request.component >= a->tuple_size)
        throw InputError("Attribute '" + a->name + "' has " + std::to_string(a->tuple_size) +
                         " component(s); '" + text + "' asks for one beyond them.");
    AttributeValues out;
    out.owner = a->owner;
    out.number.resize(geometry.element_count(a->owner));
    for (std::size_t i = 0; i < out.number.size(); ++i)
        out.number[i] = float(value_of(*a, i, request.component));
    return out;
}

std::string colorable_attributes(const Geometry& geometry)
{
    std::string list;
    for (const auto& a : geometry.attributes())
        if (is_number(*a)) list += (list.empty() ? "" : ", ") + a->name;
    return list.empty() ? "none" : list;
}

AttributeUnit attribute_unit(const std::string& text)
{
    const Request request = parse_request(text);
    const std::string& name = request.name;
    if (name.find("strain") != std::string::npos) return {"%", 100};
    if (name == "sv_gap" || name == "thickness") return {"mm", 1000};
    if (name == "v") return {"m/s", 1};
    if (name == "P" || name == "rest" || name == "pscale" || name == "width") return {"m", 1};
    if (name == "mass") return {"kg", 1};
    return {};
}

void RangeFinder::add(const AttributeValues& values)
{
    const std::size_t stride = values.number.size() / values_per_call + 1;
    for (std::size_t i = 0; i < values.number.size(); i += stride)
        if (std::isfinite(values.number[i])) sample_.push_back(values.number[i]);
}

std::pair<double, double> RangeFinder::range(ColorMapKind map) const
{
    if (sample_.empty()) return {0, 1};
    std::vector<float> sorted = sample_;
    std::sort(sorted.begin(), sorted.end());
    const auto percentile = [&](double part) {
        return double(sorted[std::size_t(std::lround(part * double(sorted.size() - 1)))]);
    };
    double low = percentile(0.01), high = percentile(0.99);
    if (!(high > low)) low = sorted.front(), high = sorted.back();
    if (map == ColorMapKind::diverging) {
        high = std::max(std::abs(low), std::abs(high));
        low = -high;
    }
    if (!(high > low)) {
        const double half = std::max(0.5 * std::abs(low), 1e-6);
        low -= half, high += half;
    }
    return {low, high};
}

Coloring resolve_coloring(const Coloring& coloring, const RangeFinder& found)
{
    Coloring out = coloring;
    if (out.map == ColorMapKind::automatic) {
        // A few small negative values (rounding) do not make a signed quantity.
        const auto plain = found.range(ColorMapKind::sequential);
        const double low = out.low.value_or(plain.first), high = out.high.value_or(plain.second);
        const bool is_signed = low < 0 && high > 0 && -low > 0.05 * high && high > 0.05 * -low;
        out.map = is_signed ? ColorMapKind::diverging : ColorMapKind::sequential;
    }
    const auto range = found.range(out.map);
    if (!out.low) out.low = range.first;
    if (!out.high) out.high = range.second;
    if (!(*out.high > *out.low))
        throw InputError("The colour range " + std::to_string(*out.low) + " to " +
                         std::to_string(*out.high) + " is empty. Give a larger upper bound.");
    return out;
}

} // namespace selvage
