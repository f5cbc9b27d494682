#include "core/io/json_writer.h"

#include "core/io/half_real.h"
#include "core/io/json_reader.h"
#include "core/io/json_tokens.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <type_traits>

namespace selvage
{
namespace
{

template <class T> constexpr std::uint8_t uniform_type()
{
    if constexpr (std::is_same_v<T, std::int8_t>) return json_token::int8;
    if constexpr (std::is_same_v<T, std::int16_t>) return json_token::int16;
    if constexpr (std::is_same_v<T, std::uint16_t>) return json_token::real16;
    if constexpr (std::is_same_v<T, std::int32_t>) return json_token::int32;
    if constexpr (std::is_same_v<T, std::int64_t>) return json_token::int64;
    if constexpr (std::is_same_v<T, float>) return json_token::real32;
    return json_token::real64;
}

} // namespace

JsonWriter::JsonWriter(Encoding encoding) : binary_(encoding == Encoding::binary)
{
    if (binary_) out_ = json_token::binary_magic;
}

void JsonWriter::reserve(std::size_t bytes)
{
    if (out_.capacity() - out_.size() < bytes)
        out_.reserve(std::max(out_.size() + bytes, out_.capacity() * 2));
}

template <class T> void JsonWriter::put(T value)
{
    out_.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

void JsonWriter::length(std::uint64_t value)
{
    if (value <= json_token::largest_short_length) {
        put(std::uint8_t(value));
    } else if (value <= 0xffff) {
        put(json_token::length16);
        put(std::uint16_t(value));
    } else if (value <= 0xffffffff) {
        put(json_token::length32);
        put(std::uint32_t(value));
    } else {
        put(json_token::length64);
        put(value);
    }
}

void JsonWriter::separate()
{
    if (!binary_ && !first_) out_ += ',';
    first_ = false;
}

void JsonWriter::begin_array()
{
    separate();
    out_ += '[';
    first_ = true;
}

void JsonWriter::end_array()
{
    out_ += ']';
    first_ = false;
}

void JsonWriter::begin_map()
{
    separate();
    out_ += '{';
    first_ = true;
}

void JsonWriter::end_map()
{
    out_ += '}';
    first_ = false;
}

void JsonWriter::key(std::string_view name)
{
    string(name);
    if (binary_) return;
    out_ += ':';
    first_ = true; // no comma before the value
}

void JsonWriter::string(std::string_view text)
{
    separate();
    if (binary_) {
        put(json_token::string);
        length(text.size());
        out_ += text;
        return;
    }
    out_ += '"';
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out_ += '\\';
            out_ += c;
        } else if (static_cast<unsigned char>(c) >= 0x20) {
            out_ += c;
        } else if (c == '\n') {
            out_ += "\\n";
        } else if (c == '\t') {
            out_ += "\\t";
        } else {
            constexpr const char* hex = "0123456789abcdef";
            out_ += "\\u00";
            out_ += hex[c >> 4];
            out_ += hex[c & 15];
        }
    }
    out_ += '"';
}

template <class T> void JsonWriter::append_number(T value)
{
    if constexpr (std::is_same_v<T, std::uint16_t>) {
        append_number(half_to_float(value));
    } else {
        if constexpr (std::is_floating_point_v<T>) {
            if (std::isnan(value)) { // never "-nan", which not every reader takes
                out_ += "nan";
                return;
            }
        }
        char buffer[40];
        out_.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
    }
}

void JsonWriter::integer(std::int64_t value)
{
    separate();
    if (!binary_) {
        append_number(value);
    } else if (value == std::int8_t(value)) {
        put(json_token::int8);
        put(std::int8_t(value));
    } else if (value == std::int16_t(value)) {
        put(json_token::int16);
        put(std::int16_t(value));
    } else if (value == std::int32_t(value)) {
        put(json_token::int32);
        put(std::int32_t(value));
    } else {
        put(json_token::int64);
        put(value);
    }
}

void JsonWriter::real(double value)
{
    separate();
    if (binary_) {
        put(json_token::real64);
        put(value);
        return;
    }
    const std::size_t start = out_.size();
    append_number(value);
    // Keep it a real for the next reader.
    if (out_.find_first_of(".enN", start) == std::string::npos) out_ += ".0";
}

void JsonWriter::boolean(bool value)
{
    separate();
    if (binary_)
        put(value ? json_token::true_value : json_token::false_value);
    else
        out_ += value ? "true" : "false";
}

void JsonWriter::null()
{
    separate();
    if (binary_)
        put(json_token::null);
    else
        out_ += "null";
}

template <class T> void JsonWriter::numbers(const T* values, std::size_t count)
{
    if (!binary_) {
        begin_array();
        reserve(count * 8);
        for (std::size_t i = 0; i < count; ++i) {
            if (i) out_ += ',';
            append_number(values[i]);
        }
        end_array();
        return;
    }
    separate();
    put(json_token::uniform_array);
    if constexpr (std::is_same_v<T, std::uint8_t>) {
        // The reference does not list unsigned bytes among the types of uniform arrays.
        put(json_token::int16);
        length(count);
        for (std::size_t i = 0; i < count; ++i) put(std::int16_t(values[i]));
    } else {
        put(uniform_type<T>());
        length(count);
        reserve(count * sizeof(T));
        out_.append(reinterpret_cast<const char*>(values), count * sizeof(T));
    }
}

template <class T> void JsonWriter::tuples(const T* values, std::size_t count, int size)
{
    begin_array();
    for (std::size_t i = 0; i < count; ++i)
        numbers(values + i * std::size_t(size), std::size_t(size));
    end_array();
}

#define SELVAGE_INSTANTIATE(T)                                                                     \
    template void JsonWriter::numbers(const T*, std::size_t);                                      \
    template void JsonWriter::tuples(const T*, std::size_t, int);
SELVAGE_INSTANTIATE(std::int8_t)
SELVAGE_INSTANTIATE(std::uint8_t)
SELVAGE_INSTANTIATE(std::int16_t)
SELVAGE_INSTANTIATE(std::uint16_t)
SELVAGE_INSTANTIATE(std::int32_t)
SELVAGE_INSTANTIATE(std::int64_t)
SELVAGE_INSTANTIATE(float)
SELVAGE_INSTANTIATE(double)
#undef SELVAGE_INSTANTIATE

void copy_json(JsonReader& from, JsonWriter& to)
{
    using Kind = JsonReader::Kind;
    from.budget().charge(1, 16, "values"); // a packed boolean takes one bit there, a word here
    switch (from.peek()) {
    case Kind::null:
        from.null();
        to.null();
        break;
    case Kind::boolean: to.boolean(from.boolean()); break;
    case Kind::integer: to.integer(from.integer()); break;
    case Kind::real: to.real(from.real()); break;
    case Kind::string: to.string(from.string()); break;
    case Kind::array: // the reader limits the depth
        from.enter_array();
        to.begin_array();
        while (!from.at_end()) copy_json(from, to);
        to.end_array();
        break;
    case Kind::map: {
        from.enter_map();
        to.begin_map();
        for (std::string key; from.next_key(key);) {
            to.key(key);
            copy_json(from, to);
        }
        to.end_map();
        break;
    }
    case Kind::close:
    case Kind::finished: from.fail("A value is missing");
    }
}

std::string json_text(JsonReader& from)
{
    JsonWriter text(JsonWriter::Encoding::text);
    copy_json(from, text);
    return text.take();
}

} // namespace selvage
