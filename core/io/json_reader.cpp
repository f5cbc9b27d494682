#include "core/io/json_reader.h"

#include "core/io/half_real.h"
#include "core/io/json_tokens.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace selvage
{
namespace
{

struct Half16 {
    std::uint16_t bits;
};

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

/// T from a whole number or a real; false where T cannot hold it.
template <class T> bool assign(T& out, std::int64_t v)
{
    if constexpr (std::is_same_v<T, std::uint16_t>) {
        out = float_to_half(float(v));
    } else if constexpr (std::is_floating_point_v<T>) {
        out = T(v);
    } else {
        if (v < std::int64_t(std::numeric_limits<T>::min()) ||
            v > std::int64_t(std::numeric_limits<T>::max()))
            return false;
        out = T(v);
    }
    return true;
}

template <class T> bool assign(T& out, double v)
{
    if constexpr (std::is_same_v<T, std::uint16_t>) {
        out = float_to_half(float(v));
    } else if constexpr (std::is_floating_point_v<T>) {
        out = T(v);
    } else {
        if (!(v >= -9.2e18 && v <= 9.2e18)) return false;
        return assign(out, std::int64_t(v));
    }
    return true;
}

/// Real from text; out-of-range numbers become 0 or infinity as by strtod.
template <class T> const char* parse_real(const char* at, const char* end, T& out)
{
    const auto [stop, error] = std::from_chars(at, end, out);
    if (error == std::errc()) return stop;
    if (error == std::errc::invalid_argument) return nullptr;
    out = T(std::strtod(std::string(at, stop).c_str(), nullptr));
    return stop;
}

template <class T> const char* parse_number(const char* at, const char* end, T& out, bool& fits)
{
    fits = true;
    if (*at == 't' && end - at >= 4) {
        fits = assign(out, std::int64_t(1));
        return std::memcmp(at, "true", 4) == 0 ? at + 4 : nullptr;
    }
    if (*at == 'f' && end - at >= 5) {
        fits = assign(out, std::int64_t(0));
        return std::memcmp(at, "false", 5) == 0 ? at + 5 : nullptr;
    }
    if constexpr (std::is_floating_point_v<T>) {
        return parse_real(at, end, out);
    } else if constexpr (std::is_same_v<T, std::uint16_t>) {
        float value = 0;
        const char* stop = parse_real(at, end, value);
        out = float_to_half(value);
        return stop;
    } else {
        std::int64_t whole = 0;
        const auto [stop, error] = std::from_chars(at, end, whole);
        const bool plain = stop == end || (*stop != '.' && *stop != 'e' && *stop != 'E');
        if (error == std::errc() && plain) {
            fits = assign(out, whole);
            return stop;
        }
        double value = 0;
        const char* real_stop = parse_real(at, end, value);
        if (real_stop) fits = assign(out, value);
        return real_stop;
    }
}

} // namespace

JsonReader::JsonReader(std::string_view bytes, ReadBudget& budget)
    : begin_(bytes.data()), at_(begin_), end_(begin_ + bytes.size()), budget_(budget)
{
    if (bytes.substr(0, 5) == json_token::binary_magic) {
        binary_ = true;
        at_ += 5;
    } else if (bytes.substr(0, 5) == json_token::swapped_magic) {
        fail("The file was written by a big-endian machine; save it again on this one");
    } else if (bytes.substr(0, 3) == "\xef\xbb\xbf") {
        at_ += 3; // UTF-8 byte order mark
    }
}

void JsonReader::fail(const std::string& what) const
{
    throw InputError(what + " (at byte " + std::to_string(at_ - begin_) + ").");
}

// ---- structure

JsonReader::Level& JsonReader::push(Frame frame)
{
    if (depth_ == max_depth) fail("Values are nested more than 64 deep");
    levels_[std::size_t(depth_)] = Level();
    levels_[std::size_t(depth_)].frame = frame;
    prepared_ = false;
    return levels_[std::size_t(depth_++)];
}

void JsonReader::consumed()
{
    prepared_ = false;
    if (depth_ == 0) return;
    Level& l = levels_[std::size_t(depth_ - 1)];
    l.first = false;
    if (l.frame == Frame::map) l.value_next = !l.value_next;
    if (l.frame == Frame::uniform) {
        --l.left;
        ++l.index;
    }
}

void JsonReader::prepare()
{
    if (prepared_) return;
    if (binary_)
        prepare_binary();
    else
        prepare_text();
    prepared_ = true;
}

JsonReader::Kind JsonReader::peek()
{
    prepare();
    if (binary_ && depth_ > 0 && levels_[std::size_t(depth_ - 1)].frame == Frame::uniform) {
        const Level& l = levels_[std::size_t(depth_ - 1)];
        return l.left == 0 ? Kind::close : binary_kind(l.type);
    }
    if (at_ == end_) {
        if (depth_ > 0) fail("The file ends in the middle of the data");
        return Kind::finished;
    }
    const Kind kind = binary_ ? binary_kind(std::uint8_t(*at_)) : text_kind();
    if (kind == Kind::close) {
        if (depth_ == 0) fail("Unexpected closing bracket");
        const Level& l = levels_[std::size_t(depth_ - 1)];
        if (*at_ != (l.frame == Frame::map ? '}' : ']')) fail("Mismatched brackets");
        if (l.value_next) fail("A key has no value");
    }
    return kind;
}

void JsonReader::enter_array()
{
    if (peek() != Kind::array) fail("Expected an array");
    if (binary_ && std::uint8_t(*at_) == json_token::uniform_array) {
        open_uniform();
        return;
    }
    ++at_;
    push(Frame::array);
}

void JsonReader::enter_map()
{
    if (peek() != Kind::map) fail("Expected a map");
    ++at_;
    push(Frame::map);
}

void JsonReader::enter_pairs()
{
    if (peek() == Kind::map)
        enter_map();
    else
        enter_array();
}

bool JsonReader::at_end()
{
    if (peek() != Kind::close) return false;
    if (levels_[std::size_t(depth_ - 1)].frame != Frame::uniform) ++at_;
    --depth_;
    consumed();
    return true;
}

bool JsonReader::next_key(std::string& key)
{
    if (at_end()) return false;
    key = string();
    if (peek() == Kind::close) fail("The key '" + key.substr(0, 80) + "' has no value");
    return true;
}

// ---- single values

void JsonReader::null()
{
    if (peek() != Kind::null) fail("Expected null");
    at_ += binary_ ? 1 : 4;
    consumed();
}

bool JsonReader::boolean() { return integer() != 0; }

std::int64_t JsonReader::integer()
{
    const Kind kind = peek();
    if (kind == Kind::real) {
        const double value = real();
        std::int64_t whole = 0;
        if (!assign(whole, value) || double(whole) != value) fail("Expected a whole number");
        return whole;
    }
    if (kind != Kind::integer && kind != Kind::boolean) fail("Expected a whole number");
    std::int64_t value = 0;
    if (binary_) {
        value = binary_integer(value_type());
    } else {
        bool fits = true;
        const char* stop = parse_number(at_, end_, value, fits);
        if (!stop || !fits) fail("Expected a whole number");
        at_ = stop;
    }
    consumed();
    return value;
}

double JsonReader::real()
{
    const Kind kind = peek();
    if (kind == Kind::integer || kind == Kind::boolean) return double(integer());
    if (kind != Kind::real) fail("Expected a number");
    double value = 0;
    if (binary_) {
        value = binary_real(value_type());
    } else {
        const char* stop = parse_real(at_, end_, value);
        if (!stop) fail("Expected a number");
        at_ = stop;
    }
    consumed();
    return value;
}

std::string_view JsonReader::string()
{
    if (peek() != Kind::string) fail("Expected a string");
    std::string_view text;
    if (binary_) {
        const std::uint8_t type = value_type();
        text = type == json_token::token_ref ? token(length()) : bytes(length());
        // A two-byte reference may stand for a long string.
        if (type == json_token::token_ref) budget_.charge(text.size(), 1, "characters");
    } else {
        text = text_string();
    }
    consumed();
    return text;
}

void JsonReader::skip()
{
    const int outside = depth_;
    do {
        switch (peek()) {
        case Kind::null: null(); break;
        case Kind::boolean:
        case Kind::integer: real(); break;
        case Kind::real: real(); break;
        case Kind::string: string(); break;
        case Kind::array: enter_array(); break;
        case Kind::map: enter_map(); break;
        case Kind::close:
            if (depth_ == outside) fail("A value is missing");
            at_end();
            break;
        case Kind::finished: fail("The file ends in the middle of the data");
        }
        if (depth_ > outside && levels_[std::size_t(depth_ - 1)].frame == Frame::uniform) {
            Level& l = levels_[std::size_t(depth_ - 1)];
            const std::size_t size = json_token::size_of(l.type);
            at_ += l.left * size;
            if (size != 0 || l.words) l.left = 0;
        }
    } while (depth_ > outside);
}

// ---- arrays of numbers

template <class T> void JsonReader::append_text_numbers(std::vector<T>& out)
{
    ++at_;
    skip_space();
    if (at_ != end_ && *at_ == ']') {
        ++at_;
        return;
    }
    for (;;) {
        if (at_ == end_) fail("The file ends in the middle of the data");
        T value{};
        bool fits = true;
        const char* stop = parse_number(at_, end_, value, fits);
        if (!stop) fail("Expected a number");
        if (!fits) fail("A number does not fit its type");
        out.push_back(value);
        at_ = stop;
        if (at_ != end_ && *at_ != ',') skip_space();
        if (at_ == end_) fail("The file ends in the middle of the data");
        const char separator = *at_++;
        if (separator == ']') return;
        if (separator != ',') fail("Expected ',' or ']'");
        if (at_ != end_ && is_space(*at_)) skip_space();
    }
}

template <class T, class Source>
void JsonReader::append_uniform(std::vector<T>& out, const char* from, std::size_t count)
{
    const std::size_t old = out.size();
    out.resize(old + count);
    if constexpr (std::is_same_v<T, Source> && !std::is_same_v<T, std::uint16_t>) {
        if (count) std::memcpy(out.data() + old, from, count * sizeof(T));
    } else if constexpr (std::is_same_v<T, std::uint16_t> && std::is_same_v<Source, Half16>) {
        if (count) std::memcpy(out.data() + old, from, count * sizeof(T));
    } else {
        bool fits = true;
        for (std::size_t i = 0; i < count; ++i) {
            Source value;
            std::memcpy(&value, from + i * sizeof(Source), sizeof(Source));
            if constexpr (std::is_same_v<Source, Half16>)
                fits &= assign(out[old + i], double(half_to_float(value.bits)));
            else if constexpr (std::is_floating_point_v<Source>)
                fits &= assign(out[old + i], double(value));
            else
                fits &= assign(out[old + i], std::int64_t(value));
        }
        if (!fits) fail("A number does not fit its type");
    }
}

template <class T> bool JsonReader::append_uniform_array(std::vector<T>& out)
{
    using namespace json_token;
    if (std::uint8_t(*at_) != uniform_array || end_ - at_ < 2) return false;
    const std::uint8_t type = std::uint8_t(at_[1]);
    const std::size_t size = size_of(type);
    if (size == 0) return false;
    at_ += 2;
    const std::uint64_t count = length();
    if (count > std::size_t(end_ - at_) / size) fail("An array is longer than the file");
    budget_.charge(count, sizeof(T), "numbers");
    switch (type) {
    case int8: append_uniform<T, std::int8_t>(out, at_, count); break;
    case uint8: append_uniform<T, std::uint8_t>(out, at_, count); break;
    case int16: append_uniform<T, std::int16_t>(out, at_, count); break;
    case uint16: append_uniform<T, std::uint16_t>(out, at_, count); break;
    case int32: append_uniform<T, std::int32_t>(out, at_, count); break;
    case int64: append_uniform<T, std::int64_t>(out, at_, count); break;
    case real16: append_uniform<T, Half16>(out, at_, count); break;
    case real32: append_uniform<T, float>(out, at_, count); break;
    default: append_uniform<T, double>(out, at_, count); break;
    }
    at_ += count * size;
    return true;
}

template <class T> void JsonReader::append_numbers(std::vector<T>& out)
{
    if (peek() != Kind::array) fail("Expected an array of numbers");
    if (!binary_) {
        append_text_numbers(out);
        consumed();
        return;
    }
    if (append_uniform_array(out)) {
        consumed();
        return;
    }
    enter_array();
    const Level& l = levels_[std::size_t(depth_ - 1)];
    if (l.frame == Frame::uniform) budget_.charge(l.left, 2 * sizeof(T), "numbers"); // booleans
    while (!at_end()) {
        T value{};
        if (!(peek() == Kind::real ? assign(value, real()) : assign(value, integer())))
            fail("A number does not fit its type");
        out.push_back(value);
    }
}

bool JsonReader::next_array_is_nested()
{
    if (peek() != Kind::array) fail("Expected an array");
    const char* next = at_ + 1;
    if (binary_ && std::uint8_t(*at_) == json_token::uniform_array) return false;
    while (!binary_ && next != end_ && is_space(*next)) ++next;
    return next != end_ && (*next == '[' || (binary_ && *next == char(json_token::uniform_array)));
}

template void JsonReader::append_numbers(std::vector<std::int8_t>&);
template void JsonReader::append_numbers(std::vector<std::uint8_t>&);
template void JsonReader::append_numbers(std::vector<std::int16_t>&);
template void JsonReader::append_numbers(std::vector<std::uint16_t>&);
template void JsonReader::append_numbers(std::vector<std::int32_t>&);
template void JsonReader::append_numbers(std::vector<std::int64_t>&);
template void JsonReader::append_numbers(std::vector<float>&);
template void JsonReader::append_numbers(std::vector<double>&);

} // namespace selvage
