#include "core/session/parameter_set.h"

#include "core/base/error.h"
#include "core/base/nearest_name.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace selvage
{
namespace
{

using Json = nlohmann::json;
using T = ParameterType;

[[noreturn]] void refuse(const Parameter& p, const std::string& where, const std::string& got)
{
    throw InputError(fmt::format("{}'{}' must be {}{}, not {}.", where, p.name,
                                 p.type == T::choice ? "one of " : "",
                                 p.type == T::choice ? p.choices : type_name(p.type), got));
}

const Parameter& require_parameter(const std::string& scope, const std::string& name,
                                   const std::string& where)
{
    if (const Parameter* p = find_parameter(scope, name)) return *p;
    const std::string nearest = nearest_name(name, parameter_names(scope));
    throw InputError(fmt::format("{}unknown key '{}'.{}", where, name,
                                 nearest.empty() ? " 'selvage parameters' lists all keys."
                                                 : " Did you mean '" + nearest + "'?"));
}

Vec3 vector_of(const Parameter& p, const Json& value, const std::string& where)
{
    const std::size_t n = p.type == T::frame_range ? 2 : 3;
    if (!value.is_array() || value.size() != n) refuse(p, where, value.dump());
    Vec3 v = Vec3::Zero();
    for (std::size_t i = 0; i < n; ++i) {
        if (!value[i].is_number()) refuse(p, where, value.dump());
        v[Eigen::Index(i)] = value[i].get<double>();
    }
    return v;
}

std::vector<Vec2> curve_of(const Parameter& p, const Json& value, const std::string& where)
{
    if (!value.is_array()) refuse(p, where, value.dump());
    std::vector<Vec2> curve;
    for (const Json& pair : value) {
        if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number() || !pair[1].is_number())
            refuse(p, where, value.dump());
        curve.emplace_back(pair[0].get<double>(), pair[1].get<double>());
    }
    return curve;
}

/// Discarded where the text is no JSON, or none that is safe to look into.
Json parsed_or_discarded(const std::string& text)
{
    if (nested_too_deeply(text)) return Json(Json::value_t::discarded);
    return Json::parse(text, nullptr, /*allow_exceptions*/ false);
}

ParameterValue value_of(const Parameter& p, const Json& value, const std::string& where);

AnimatedValue keys_of(const Parameter& p, const Json& value, const std::string& where)
{
    if (!p.animatable) throw InputError(fmt::format("{}'{}' cannot be animated.", where, p.name));
    const Json& keys = value.at("keys");
    if (value.size() != 1 || !keys.is_array() || keys.empty())
        throw InputError(fmt::format("{}'{}' must look like {{\"keys\": [[frame, value], ...]}}.",
                                     where, p.name));
    AnimatedValue out;
    for (const Json& key : keys) {
        if (!key.is_array() || key.size() != 2 || !key[0].is_number())
            throw InputError(
                fmt::format("{}'{}': a key is [frame, value], not {}.", where, p.name, key.dump()));
        if (key[1].is_object()) refuse(p, where, key[1].dump()); // keys within keys
        const ParameterValue v = value_of(p, key[1], where);
        const Vec3 entry =
            std::holds_alternative<Vec3>(v) ? std::get<Vec3>(v) : Vec3(std::get<double>(v), 0, 0);
        if (!out.keys.empty() && key[0].get<double>() <= out.keys.back().first)
            throw InputError(fmt::format("{}'{}': key frames must ascend.", where, p.name));
        out.keys.emplace_back(key[0].get<double>(), entry);
    }
    return out;
}

ParameterValue value_of(const Parameter& p, const Json& value, const std::string& where)
{
    if (value.is_object() && value.contains("keys")) return keys_of(p, value, where);
    switch (p.type) {
    case T::boolean:
        if (value.is_boolean()) return value.get<bool>() ? 1.0 : 0.0;
        break;
    case T::integer:
    case T::real:
        if (value.is_number()) return value.get<double>();
        break;
    case T::vector3:
    case T::frame_range: return vector_of(p, value, where);
    case T::curve: return curve_of(p, value, where);
    case T::choice:
    case T::text:
    case T::path:
        if (value.is_string()) return value.get<std::string>();
        break;
    }
    refuse(p, where, value.dump());
}

void check_number(const Parameter& p, double x, const std::string& where)
{
    if (!std::isfinite(x)) refuse(p, where, fmt::format("{}", x));
    if (p.type == T::integer && x != std::floor(x)) refuse(p, where, fmt::format("{}", x));
    if (x < p.low || x > p.high)
        throw InputError(fmt::format(
            "{}'{}' = {:g}{}{} is out of range ({} … {:g}).", where, p.name, x,
            p.unit.empty() ? "" : " ", p.unit,
            p.low == std::numeric_limits<double>::min() ? "above 0" : fmt::format("{:g}", p.low),
            p.high));
}

void check(const Parameter& p, const ParameterValue& value, const std::string& where)
{
    if (const auto* x = std::get_if<double>(&value)) return check_number(p, *x, where);
    if (const auto* v = std::get_if<Vec3>(&value)) {
        for (int i = 0; i < 3; ++i) check_number(p, (*v)[i], where);
        if (p.type == T::frame_range &&
            ((*v)[0] > (*v)[1] || (*v)[0] != std::floor((*v)[0]) || (*v)[1] != std::floor((*v)[1])))
            throw InputError(fmt::format(
                "{}'{}' must be two whole frames, the first not after the last.", where, p.name));
    }
    if (const auto* curve = std::get_if<std::vector<Vec2>>(&value))
        for (const Vec2& point : *curve)
            for (int i = 0; i < 2; ++i) check_number(p, point[i], where);
    if (const auto* a = std::get_if<AnimatedValue>(&value))
        for (const auto& [frame, v] : a->keys)
            for (int i = 0; i < (p.type == T::vector3 ? 3 : 1); ++i) check_number(p, v[i], where);
    if (const auto* s = std::get_if<std::string>(&value); s && p.type == T::choice) {
        const std::string padded = fmt::format(",{},", p.choices);
        if (s->empty() || padded.find("," + *s + ",") == std::string::npos)
            refuse(p, where, "\"" + *s + "\"");
    }
}

/// Equal values give equal texts.
std::string value_text(const ParameterValue* value)
{
    if (!value) return "";
    if (const auto* x = std::get_if<double>(value)) return fmt::format("{}", *x);
    if (const auto* s = std::get_if<std::string>(value)) return Json(*s).dump();
    if (const auto* v = std::get_if<Vec3>(value))
        return fmt::format("[{},{},{}]", (*v)[0], (*v)[1], (*v)[2]);
    if (const auto* curve = std::get_if<std::vector<Vec2>>(value)) {
        std::string points;
        for (const Vec2& p : *curve) points += fmt::format("({},{})", p[0], p[1]);
        return points;
    }
    std::string keys;
    for (const auto& [f, v] : std::get<AnimatedValue>(*value).keys)
        keys += fmt::format("({}:{},{},{})", f, v[0], v[1], v[2]);
    return keys;
}

} // namespace

bool nested_too_deeply(std::string_view json)
{
    constexpr int deepest = 32;
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (quoted && c == '\\') ++i;
        if (c == '"') quoted = !quoted;
        if (quoted) continue;
        if (c == '[' || c == '{') ++depth;
        if (c == ']' || c == '}') --depth;
        if (depth > deepest) return true;
    }
    return false;
}

Vec3 AnimatedValue::at(double frame) const
{
    const auto after = std::upper_bound(keys.begin(), keys.end(), frame,
                                        [](double f, const auto& key) { return f < key.first; });
    if (after == keys.begin()) return keys.front().second;
    if (after == keys.end()) return keys.back().second;
    const auto before = after - 1;
    const double s = (frame - before->first) / (after->first - before->first);
    return (1 - s) * before->second + s * after->second;
}

void ParameterSet::set(const std::string& name, ParameterValue value, const std::string& where)
{
    check(require_parameter(scope_, name, where), value, where);
    values_[name] = std::move(value);
}

void ParameterSet::set_json(const std::string& name, const std::string& json,
                            const std::string& where)
{
    const Parameter& p = require_parameter(scope_, name, where);
    const Json parsed = parsed_or_discarded(json);
    if (parsed.is_discarded()) refuse(p, where, json);
    set(name, value_of(p, parsed, where), where);
}

void ParameterSet::set_text(const std::string& name, const std::string& text,
                            const std::string& where)
{
    const Parameter& p = require_parameter(scope_, name, where);
    const bool wants_text = p.type == T::text || p.type == T::path || p.type == T::choice;
    const Json parsed = parsed_or_discarded(text);
    const bool use_text = wants_text ? !parsed.is_string() : parsed.is_discarded();
    set(name, value_of(p, use_text ? Json(text) : parsed, where), where);
}

const ParameterValue* ParameterSet::find(const std::string& name) const
{
    const auto it = values_.find(name);
    if (it != values_.end()) return &it->second;
    static const std::map<std::string, ParameterValue> defaults = [] {
        std::map<std::string, ParameterValue> all;
        for (const Parameter& p : parameter_table())
            if (!p.default_value.empty())
                all[fmt::format("{}/{}", p.scope, p.name)] =
                    value_of(p, Json::parse(p.default_value), "");
        return all;
    }();
    const auto standard = defaults.find(scope_ + "/" + name);
    return standard == defaults.end() ? nullptr : &standard->second;
}

bool ParameterSet::animated(const std::string& name) const
{
    const ParameterValue* v = find(name);
    return v && std::holds_alternative<AnimatedValue>(*v);
}

bool ParameterSet::any_animated() const
{
    return std::any_of(values_.begin(), values_.end(), [](const auto& entry) {
        return std::holds_alternative<AnimatedValue>(entry.second);
    });
}

double ParameterSet::real(const std::string& name, double frame) const
{
    const ParameterValue* v = find(name);
    if (!v) throw InputError(fmt::format("'{}' is not set.", name));
    if (const auto* a = std::get_if<AnimatedValue>(v)) return a->at(frame)[0];
    return std::get<double>(*v);
}

int ParameterSet::integer(const std::string& name) const { return int(real(name)); }

Vec3 ParameterSet::vector(const std::string& name, double frame) const
{
    const ParameterValue* v = find(name);
    if (!v) throw InputError(fmt::format("'{}' is not set.", name));
    if (const auto* a = std::get_if<AnimatedValue>(v)) return a->at(frame);
    return std::get<Vec3>(*v);
}

const std::string& ParameterSet::text(const std::string& name) const
{
    static const std::string nothing;
    const ParameterValue* v = find(name);
    return v ? std::get<std::string>(*v) : nothing;
}

std::vector<Vec2> ParameterSet::curve(const std::string& name) const
{
    const ParameterValue* v = find(name);
    return v ? std::get<std::vector<Vec2>>(*v) : std::vector<Vec2>();
}

std::string ParameterSet::fingerprint() const
{
    std::string out = scope_ + "{";
    for (const auto& [name, value] : values_) out += name + "=" + value_text(&value) + ";";
    return out + "}";
}

int ParameterSet::agree_until(const ParameterSet& a, const ParameterSet& b, int first, int last)
{
    constexpr int samples_per_frame = 8; // keys may lie between frames
    int until = last;
    for (const std::string& name : parameter_names(a.scope())) {
        const ParameterValue *va = a.find(name), *vb = b.find(name);
        if (value_text(va) == value_text(vb)) continue;
        const bool moves = a.animated(name) || b.animated(name);
        if (!moves || !va || !vb) return first - 1;
        const auto value_at = [&](const ParameterSet& s, double frame) {
            return find_parameter(a.scope(), name)->type == T::vector3
                       ? s.vector(name, frame)
                       : Vec3(s.real(name, frame), 0, 0);
        };
        for (int k = 0; k <= (until - first) * samples_per_frame; ++k) {
            const double frame = first + double(k) / samples_per_frame;
            if (value_at(a, frame) == value_at(b, frame)) continue;
            until = std::min(until, int(std::ceil(frame)) - 1);
            break;
        }
    }
    return until;
}

} // namespace selvage
