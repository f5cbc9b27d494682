#include "core/io/geo_attribute_reader.h"

#include "core/base/error.h"
#include "core/io/geo_pages.h"
#include "core/io/json_writer.h"

namespace selvage
{
namespace
{

/// What the definition says: scope, kind, name and options.
struct Definition {
    std::string kind, name, scope = "public", type_info, options_json;
};

/// "options" without the type, which has a field of its own: {"type": {"type": "string", "value":
/// "normal"}, ...}.
void read_options(JsonReader& in, Definition& d)
{
    JsonWriter rest(JsonWriter::Encoding::text);
    rest.begin_map();
    bool any = false;
    in.enter_pairs();
    for (std::string key; in.next_key(key);) {
        if (key == "type" && in.peek() == JsonReader::Kind::map) {
            in.enter_map();
            for (std::string inner; in.next_key(inner);) {
                if (inner == "value" && in.peek() == JsonReader::Kind::string)
                    d.type_info = in.string();
                else
                    in.skip();
            }
        } else {
            any = true;
            rest.key(key);
            copy_json(in, rest);
        }
    }
    rest.end_map();
    if (any) d.options_json = rest.take();
}

Definition read_definition(JsonReader& in)
{
    Definition d;
    in.enter_pairs();
    for (std::string key; in.next_key(key);) {
        if (key == "scope")
            d.scope = in.string();
        else if (key == "type")
            d.kind = in.string();
        else if (key == "name")
            d.name = in.string();
        else if (key == "options")
            read_options(in, d);
        else
            in.skip();
    }
    return d;
}

std::vector<std::string> read_texts(JsonReader& in, bool dictionaries)
{
    std::vector<std::string> texts;
    in.enter_array();
    while (!in.at_end()) {
        in.budget().charge(1, sizeof(std::string), "strings");
        texts.push_back(dictionaries ? json_text(in) : std::string(in.string()));
    }
    return texts;
}

/// Element arrays: [[...], [...]], each flat or an array of tuples.
template <class T> void read_arrays(JsonReader& in, std::vector<T>& out, Attribute& a)
{
    in.enter_array();
    if (in.peek() == JsonReader::Kind::string) { // ["size", 1, "storage", "int32", "arrays", [..]]
        for (std::string key; in.next_key(key);) {
            if (key == "arrays" || key == "tuples" || key == "values")
                read_arrays(in, out, a);
            else
                in.skip();
        }
        return;
    }
    a.array_offsets.assign(1, 0);
    while (!in.at_end()) {
        read_flat(in, out);
        if (out.size() % std::size_t(a.tuple_size) != 0)
            in.fail("Array " + std::to_string(a.array_offsets.size() - 1) +
                    " is not a whole number of tuples of " + std::to_string(a.tuple_size));
        a.array_offsets.push_back(std::int64_t(out.size()));
    }
}

void check_text_indices(JsonReader& in, const Attribute& a)
{
    const auto count = std::int32_t(a.texts.size());
    for (const std::int32_t t : std::get<std::vector<std::int32_t>>(a.values))
        if (t < -1 || t >= count)
            in.fail("String number " + std::to_string(t) + " of " + std::to_string(count));
}

/// Dictionaries of a single element may come without indices.
void number_texts(Attribute& a, std::size_t elements)
{
    if (a.is_array) {
        a.array_offsets.assign(elements + 1, 0);
        return;
    }
    auto& values = std::get<std::vector<std::int32_t>>(a.values);
    values.assign(elements, -1);
    for (std::size_t i = 0; i < elements && i < a.texts.size(); ++i) values[i] = std::int32_t(i);
}

struct Kind {
    bool known = false, text = false, dictionary = false, array = false;
};

Kind kind_of(const std::string& name)
{
    Kind k;
    k.array = name == "arraydata" || name == "stringarray" || name == "dictarray";
    k.dictionary = name == "dict" || name == "dictarray";
    k.text = k.dictionary || name == "string" || name == "stringarray";
    k.known = k.array || k.text || name == "numeric";
    return k;
}

void read_data(JsonReader& in, Attribute& a, Kind kind, std::size_t elements)
{
    bool have_values = false;
    Storage storage = Storage::real32;
    in.enter_pairs();
    for (std::string key; in.next_key(key);) {
        if (key == "size") {
            const std::int64_t size = in.integer();
            if (size < 1 || size > 100000) in.fail("Tuple size " + std::to_string(size));
            a.tuple_size = int(size);
        } else if (key == "storage") {
            const std::string name(in.string());
            if (!kind.text) storage = storage_from_name(name);
        } else if (key == "defaults") {
            a.defaults_json = json_text(in);
        } else if (key == "strings" || key == "dicts") {
            kind.text = true;
            kind.dictionary = key == "dicts";
            a.texts = read_texts(in, kind.dictionary);
        } else if (key == "values" || key == "indices") {
            a.storage = kind.dictionary ? Storage::dict : kind.text ? Storage::string : storage;
            if (is_text(a.storage) != kind.text) in.fail("Unexpected storage");
            a.values = make_attribute("", a.owner, a.storage, 1, 0).values;
            std::visit(
                [&](auto& values) {
                    if (kind.array)
                        read_arrays(in, values, a);
                    else
                        read_pages(in, values, elements, a.tuple_size);
                },
                a.values);
            have_values = true;
        } else {
            in.skip();
        }
    }
    if (!have_values && !kind.text) in.fail("There are no values");
    if (!have_values) {
        in.budget().charge(elements, 8, "elements");
        a.storage = kind.dictionary ? Storage::dict : Storage::string;
        a.values = std::vector<std::int32_t>();
        a.tuple_size = 1;
        number_texts(a, elements);
    }
    if (kind.text) check_text_indices(in, a);
    if (a.size() != elements)
        in.fail("There are values for " + std::to_string(a.size()) + " of " +
                std::to_string(elements) + " elements");
}

/// What is left of the array entered last, as an array.
std::string rest_json(JsonReader& in)
{
    JsonWriter rest(JsonWriter::Encoding::text);
    rest.begin_array();
    while (!in.at_end()) copy_json(in, rest);
    rest.end_array();
    return rest.take();
}

const char* owner_name(Owner owner)
{
    constexpr const char* names[] = {"Vertex", "Point", "Primitive", "Detail"};
    return names[int(owner)];
}

} // namespace

const char* usual_geo_defaults(Storage storage)
{
    if (is_text(storage)) return "";
    return is_real(storage) ? R"(["size",1,"storage","fpreal64","values",[0.0]])"
                            : R"(["size",1,"storage","int64","values",[0]])";
}

std::variant<Attribute, OpaqueAttribute> read_geo_attribute(JsonReader& in, Owner owner,
                                                            std::size_t elements)
{
    in.enter_array();
    const Definition d = read_definition(in);
    const Kind kind = kind_of(d.kind);
    if (!kind.known)
        return OpaqueAttribute{d.name,      owner,          d.kind,        d.scope,
                               d.type_info, d.options_json, rest_json(in), elements};
    Attribute a;
    a.owner = owner;
    a.name = d.name;
    a.scope = d.scope;
    a.type_info = d.type_info;
    a.options_json = d.options_json;
    a.is_array = kind.array;
    try {
        read_data(in, a, kind, elements);
    } catch (const InputError& e) {
        throw InputError(std::string(owner_name(owner)) + " attribute '" + d.name.substr(0, 80) +
                         "': " + e.what());
    }
    while (!in.at_end()) in.skip();
    if (a.defaults_json == usual_geo_defaults(a.storage)) a.defaults_json.clear();
    return a;
}

} // namespace selvage
