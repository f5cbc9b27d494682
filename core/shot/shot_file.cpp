#include "core/shot/shot_file.h"

#include "core/base/error.h"
#include "core/base/nearest_name.h"
#include "core/io/atomic_file.h"
#include "core/shot/file_source.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <set>

namespace selvage
{
namespace
{

using Json = nlohmann::ordered_json;

/// A key that holds an object of its own scope.
struct Nested {
    const char* key;
    ParameterSet* set;
};

[[noreturn]] void unknown_key(const std::string& where, const std::string& key,
                              std::vector<std::string> known)
{
    const std::string nearest = nearest_name(key, known);
    throw InputError(fmt::format("{}unknown key '{}'.{}", where, key,
                                 nearest.empty() ? " 'selvage parameters' lists all keys."
                                                 : " Did you mean '" + nearest + "'?"));
}

/// Fills `set` and the nested sets from one JSON object; `lists` are keys left to the caller.
void read_object(const Json& object, ParameterSet& set, const std::vector<Nested>& nested,
                 const std::vector<std::string>& lists, const std::string& where)
{
    if (!object.is_object()) throw InputError(where + "must be an object { … }.");
    for (const auto& [key, value] : object.items()) {
        if (std::find(lists.begin(), lists.end(), key) != lists.end()) continue;
        const auto inner = std::find_if(nested.begin(), nested.end(),
                                        [&](const Nested& n) { return key == n.key; });
        if (inner != nested.end()) {
            read_object(value, *inner->set, {}, {}, where + key + ": ");
            continue;
        }
        if (!find_parameter(set.scope(), key)) {
            std::vector<std::string> known = parameter_names(set.scope());
            known.insert(known.end(), lists.begin(), lists.end());
            for (const Nested& n : nested) known.emplace_back(n.key);
            unknown_key(where, key, std::move(known));
        }
        set.set_json(key, value.dump(), where);
    }
}

std::vector<Nested> nested_of(ClothSetup& c)
{
    return {{"pins", &c.pins},
            {"rest", &c.rest_parameters},
            {"local_space", &c.local_space},
            {"pressure", &c.pressure}};
}

std::vector<Nested> nested_of(SolidSetup& s) { return {{"pins", &s.pins}}; }
std::vector<Nested> nested_of(ColliderSetup& c) { return {{"plane", &c.plane}}; }
template <class Setup> std::vector<Nested> nested_of(Setup&) { return {}; }
ParameterSet& main_set(ClothSetup& c) { return c.cloth; }
ParameterSet& main_set(SolidSetup& s) { return s.solid; }
ParameterSet& main_set(HairSetup& h) { return h.hair; }
ParameterSet& main_set(ColliderSetup& c) { return c.collider; }
ParameterSet& main_set(PairSetup& p) { return p.pair; }
ParameterSet& main_set(AttachmentSetup& a) { return a.attachment; }
ParameterSet& main_set(SeamSetup& s) { return s.seam; }
ParameterSet& main_set(ConstraintsSetup& c) { return c.constraints; }

/// Whether an object does without a key that others need.
bool may_lack(const ColliderSetup& c, std::string_view key)
{
    return key == "geometry" && c.is_plane();
}
template <class Setup> bool may_lack(const Setup&, std::string_view) { return false; }

template <class Setup>
void read_list(const Json& shot, const char* key, const char* what, std::vector<Setup>& out)
{
    if (!shot.contains(key)) return;
    const Json& list = shot.at(key);
    if (!list.is_array())
        throw InputError(fmt::format("'{}' must be a list [ … ] of objects.", key));
    for (std::size_t i = 0; i < list.size(); ++i) {
        Setup setup;
        const bool named =
            list[i].is_object() && list[i].contains("name") && list[i]["name"].is_string();
        const std::string where =
            named ? fmt::format("{} '{}': ", what, list[i]["name"].template get<std::string>())
                  : fmt::format("{} {}: ", what, i + 1);
        read_object(list[i], main_set(setup), nested_of(setup), {}, where);
        for (const char* required : {"name", "geometry", "a", "b"})
            if (find_parameter(main_set(setup).scope(), required) &&
                main_set(setup).text(required).empty() && !may_lack(setup, required))
                throw InputError(fmt::format("{}'{}' is missing.", where, required));
        out.push_back(std::move(setup));
    }
}

/// "cape.pins.stiffness" below "cloth": the object (or *), then a nested scope, then the key.
template <class Setup>
void override_object(std::vector<Setup>& objects, const std::string& rest, const std::string& value,
                     const std::string& where)
{
    const std::size_t dot = rest.find('.');
    if (dot == std::string::npos)
        throw InputError(where + "name the object and its key, as in cloth.cape.material=denim.");
    const std::string name = rest.substr(0, dot);
    std::string key = rest.substr(dot + 1);
    bool found = false;
    for (Setup& object : objects) {
        if (name != "*" && object.name() != name) continue;
        found = true;
        ParameterSet* set = &main_set(object);
        const std::size_t inner = key.find('.');
        if (inner != std::string::npos) {
            const std::vector<Nested> nested = nested_of(object);
            const auto it = std::find_if(nested.begin(), nested.end(), [&](const Nested& n) {
                return key.substr(0, inner) == n.key;
            });
            if (it == nested.end()) {
                std::vector<std::string> known;
                for (const Nested& n : nested) known.emplace_back(n.key);
                unknown_key(where, key.substr(0, inner), known);
            }
            set = it->set;
        }
        set->set_text(inner == std::string::npos ? key : key.substr(inner + 1), value, where);
    }
    if (found) return;
    std::vector<std::string> names;
    for (const Setup& object : objects) names.push_back(object.name());
    throw InputError(fmt::format("{}there is no object '{}'. The shot has {}.", where, name,
                                 names.empty() ? "none of this kind"
                                               : fmt::format("'{}'", fmt::join(names, "', '"))));
}

void apply_override(SessionSetup& setup, const std::string& key, const std::string& value)
{
    const std::string where = fmt::format("--set {}={}: ", key, value);
    const std::size_t dot = key.find('.');
    const std::string head = key.substr(0, dot);
    const std::string rest = dot == std::string::npos ? "" : key.substr(dot + 1);
    if (dot == std::string::npos) return setup.shot.set_text(key, value, where);
    if (head == "solver") return setup.solver.set_text(rest, value, where);
    if (head == "collision") return setup.collision.set_text(rest, value, where);
    if (head == "preroll") return setup.preroll.set_text(rest, value, where);
    if (head == "cloth") return override_object(setup.cloths, rest, value, where);
    if (head == "solids" || head == "solid")
        return override_object(setup.solids, rest, value, where);
    if (head == "hair") return override_object(setup.hairs, rest, value, where);
    if (head == "colliders" || head == "collider")
        return override_object(setup.colliders, rest, value, where);
    if (head == "pairs" || head == "pair") return override_object(setup.pairs, rest, value, where);
    if (head == "turbulence") return setup.turbulence.set_text(rest, value, where);
    if (head == "attachments" || head == "attachment")
        return override_object(setup.attachments, rest, value, where);
    if (head == "seams" || head == "seam") return override_object(setup.seams, rest, value, where);
    if (head == "constraints") return override_object(setup.constraints, rest, value, where);
    unknown_key(where, head,
                {"solver", "collision", "preroll", "turbulence", "cloth", "solids", "hair",
                 "colliders", "pairs", "attachments", "seams", "constraints"});
}

class SourceOpener
{
public:
    explicit SourceOpener(std::string folder) : folder_(std::move(folder)) {}

    /// Null for an empty path; the same file is opened once, so that it is read once.
    std::shared_ptr<GeometrySource> open(const std::string& path)
    {
        if (!path.empty()) over_the_shot_.insert(full_path(path));
        return open_for_the_start(path);
    }
    /// The same for what is read before the first frame only.
    std::shared_ptr<GeometrySource> open_for_the_start(const std::string& path)
    {
        if (path.empty()) return nullptr;
        const std::string full = full_path(path);
        std::shared_ptr<GeometrySource>& source = opened_[full];
        if (!source) source = std::make_shared<FileSource>(full);
        return source;
    }
    const std::set<std::string>& over_the_shot() const { return over_the_shot_; }

private:
    std::string full_path(const std::string& path) const
    {
        return (std::filesystem::path(folder_) / path).lexically_normal().string();
    }

    std::string folder_;
    std::map<std::string, std::shared_ptr<GeometrySource>> opened_;
    std::set<std::string> over_the_shot_;
};

void open_sources(Shot& shot)
{
    SourceOpener opener(shot.folder);
    for (ClothSetup& c : shot.setup.cloths) {
        c.geometry = opener.open(c.cloth.text("geometry"));
        c.initial = opener.open_for_the_start(c.cloth.text("initial"));
        c.pin_target = opener.open(c.pins.text("target"));
        c.rest = opener.open(c.rest_parameters.text("geometry"));
        c.frame_of_reference = opener.open(c.local_space.text("geometry"));
    }
    for (SolidSetup& s : shot.setup.solids) {
        s.geometry = opener.open(s.solid.text("geometry"));
        s.initial = opener.open_for_the_start(s.solid.text("initial"));
        s.pin_target = opener.open(s.pins.text("target"));
    }
    for (HairSetup& h : shot.setup.hairs) {
        h.geometry = opener.open(h.hair.text("geometry"));
        h.rest = opener.open(h.hair.text("rest"));
    }
    for (ColliderSetup& c : shot.setup.colliders)
        c.geometry = opener.open(c.collider.text("geometry"));
    for (AttachmentSetup& a : shot.setup.attachments) {
        a.constraints = opener.open(a.attachment.text("constraints"));
        a.to_geometry = opener.open(a.attachment.text("to_geometry"));
    }
    for (SeamSetup& s : shot.setup.seams) s.constraints = opener.open(s.seam.text("constraints"));
    for (ConstraintsSetup& c : shot.setup.constraints)
        c.geometry = opener.open(c.constraints.text("geometry"));
    shot.inputs.assign(opener.over_the_shot().begin(), opener.over_the_shot().end());
}

/// Comments are allowed; a key that stands twice in an object, of which parsers take the last, is
/// not.
Json parse_json(const std::string& text, const std::string& path)
{
    if (nested_too_deeply(text))
        throw InputError(fmt::format("{}: brackets are nested deeper than any shot needs.", path));
    std::vector<std::set<std::string>> keys; // of the objects that are open
    const auto watch = [&](int /*depth*/, Json::parse_event_t event, Json& parsed) {
        if (event == Json::parse_event_t::object_start) keys.emplace_back();
        if (event == Json::parse_event_t::object_end) keys.pop_back();
        if (event == Json::parse_event_t::key &&
            !keys.back().insert(parsed.get<std::string>()).second)
            throw InputError(fmt::format("{}: '{}' stands twice in the same object.", path,
                                         parsed.get<std::string>()));
        return true;
    };
    try {
        return Json::parse(text, watch, true, /*ignore_comments*/ true);
    } catch (const Json::exception& e) {
        throw InputError(fmt::format("{}: not valid JSON: {}.", path, e.what()));
    }
}

} // namespace

std::string Shot::output_path(const std::string& object) const
{
    std::string out =
        (std::filesystem::path(folder) / setup.shot.text("output")).lexically_normal().string();
    const std::string token = "$NAME";
    for (std::size_t at = out.find(token); at != std::string::npos;
         at = out.find(token, at + object.size()))
        out.replace(at, token.size(), object);
    return out;
}

std::string Shot::fingerprint() const
{
    SessionSetup s = setup; // without what changes how much is asked for, not what happens
    s.shot.set("frames", Vec3(s.first_frame(), s.first_frame(), 0));
    s.shot.set("output", std::string());
    s.shot.set("cache_limit", 0.0);
    return s.fingerprint();
}

Shot parse_shot(const std::string& text, const std::string& path, const Overrides& overrides)
{
    Shot shot;
    shot.path = path;
    shot.folder = std::filesystem::absolute(path).parent_path().string();
    const Json json = parse_json(text, path);
    try {
        SessionSetup& s = shot.setup;
        read_object(json, s.shot,
                    {{"solver", &s.solver},
                     {"collision", &s.collision},
                     {"preroll", &s.preroll},
                     {"turbulence", &s.turbulence}},
                    {"cloth", "solids", "hair", "colliders", "pairs", "attachments", "seams",
                     "constraints"},
                    "");
        read_list(json, "cloth", "Cloth", s.cloths);
        read_list(json, "solids", "Solid", s.solids);
        read_list(json, "hair", "Hair", s.hairs);
        read_list(json, "colliders", "Collider", s.colliders);
        read_list(json, "pairs", "Pair", s.pairs);
        read_list(json, "attachments", "Attachment", s.attachments);
        read_list(json, "seams", "Seam", s.seams);
        read_list(json, "constraints", "Constraints", s.constraints);
        for (const auto& [key, value] : overrides) apply_override(s, key, value);
    } catch (const InputError& e) {
        throw InputError(fmt::format("{}: {}", path, e.what()));
    }
    open_sources(shot);
    return shot;
}

Shot read_shot(const std::string& path, const Overrides& overrides)
{
    std::string text;
    try {
        text = read_file(path);
    } catch (const FileError& e) {
        throw FileError(std::string(e.what()) + " A shot file (.json) is needed.");
    }
    return parse_shot(text, path, overrides);
}

} // namespace selvage
