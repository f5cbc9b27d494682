#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace selvage
{

class JsonReader;

/// Builds Houdini's JSON, as text or binary, in memory. Separators are the writer's business; in
/// maps, keys and values alternate.
class JsonWriter
{
public:
    enum class Encoding { text, binary };
    explicit JsonWriter(Encoding encoding);

    bool binary() const { return binary_; }
    void begin_array();
    void end_array();
    void begin_map();
    void end_map();
    void key(std::string_view name); ///< of a map; in ordered maps keys are plain strings
    void string(std::string_view text);
    void integer(std::int64_t value);
    void real(double value); ///< text: the shortest digits that read back to the same bits
    void boolean(bool value);
    void null();

    /// An array of numbers; binary: one block. T as in Attribute (uint16_t: bits of 16-bit reals).
    /// Text keeps every bit except the sign and payload of NaNs.
    template <class T> void numbers(const T* values, std::size_t count);
    /// The same as an array of arrays of `size` numbers.
    template <class T> void tuples(const T* values, std::size_t count, int size);

    /// Room for so many more bytes.
    void reserve(std::size_t bytes);
    std::string take() { return std::move(out_); }

private:
    void separate();
    void length(std::uint64_t value);
    template <class T> void put(T value);
    template <class T> void append_number(T value);

    bool binary_;
    bool first_ = true;
    std::string out_;
};

/// Copies the next value, whatever it is, from one encoding to the other.
void copy_json(JsonReader& from, JsonWriter& to);

/// The next value as JSON text.
std::string json_text(JsonReader& from);

} // namespace selvage
