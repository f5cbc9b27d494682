#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace selvage
{

/// Which elements an attribute or a group belongs to (Houdini's order).
enum class Owner { vertex, point, primitive, detail };

/// Names as in Houdini's files: "int32", "fpreal32", "string" ...
enum class Storage {
    boolean,
    int8,
    uint8,
    int16,
    int32,
    int64,
    real16,
    real32,
    real64,
    string,
    dict
};

bool is_integer(Storage);
bool is_real(Storage);
bool is_text(Storage); ///< string and dict: values are indices into Attribute::texts

/// One named column of values, kept in the type it was stored in, so that what Selvage does not
/// understand passes through bit for bit.
///
/// Fixed-size: element i has the components values[i*tuple_size .. ]. Array attributes: element i
/// has values[array_offsets[i] .. array_offsets[i+1]], each array a whole number of tuples.
struct Attribute {
    std::string name;
    Owner owner = Owner::point;
    Storage storage = Storage::real32;
    int tuple_size = 1;
    bool is_array = false;

    /// real16 is held as its 16 bits (uint16_t); boolean as uint8_t; text as int32_t indices.
    std::variant<std::vector<std::int8_t>, std::vector<std::uint8_t>, std::vector<std::int16_t>,
                 std::vector<std::uint16_t>, std::vector<std::int32_t>, std::vector<std::int64_t>,
                 std::vector<float>, std::vector<double>>
        values;
    std::vector<std::int64_t> array_offsets; ///< element count + 1 entries when is_array
    std::vector<std::string> texts;          ///< distinct strings (dict: JSON text); index -1 is ""

    /// Carried for hosts, not interpreted here.
    std::string scope = "public"; ///< public, private or group
    std::string type_info;        ///< "point", "vector", "normal", "color", "quaternion" ... or ""
    std::string options_json;     ///< the rest of Houdini's "options" object, as JSON text
    std::string defaults_json;    ///< Houdini's "defaults", as JSON text

    /// Number of elements that have a value.
    std::size_t size() const;
    void resize(std::size_t elements); ///< fixed-size attributes only; new values are zero

    /// Component c of element i as a number (0 for text); fixed-size attributes only.
    double number(std::size_t i, int c = 0) const;
    void set_number(std::size_t i, int c, double value);
    std::int64_t integer(std::size_t i, int c = 0) const;
    const std::string& text(std::size_t i, int c = 0) const;
    void set_text(std::size_t i, int c, const std::string& value);
};

/// An attribute of a kind that is not interpreted (index pairs such as boneCapture, blobs): kept as
/// it was in the file, so that it passes through to Houdini's formats while the elements that it
/// belongs to stay the same.
struct OpaqueAttribute {
    std::string name;
    Owner owner = Owner::point;
    std::string kind; ///< Houdini's name for it: "indexpair"
    std::string scope = "public";
    std::string type_info;
    std::string options_json;
    std::string data_json;    ///< what follows the definition, as a JSON array
    std::size_t elements = 0; ///< that it was stored for
};

/// An empty attribute of the right value type for its storage.
Attribute make_attribute(std::string name, Owner owner, Storage storage, int tuple_size,
                         std::size_t elements);

/// Houdini's names: "int32", "fpreal32", ...; parse throws InputError on an unknown one.
const char* storage_name(Storage);
Storage storage_from_name(const std::string& name);

} // namespace selvage
