// The binary side of JsonReader.
#include "core/io/half_real.h"
#include "core/io/json_reader.h"
#include "core/io/json_tokens.h"

#include <cstring>

namespace selvage
{

using namespace json_token;

template <class T> T JsonReader::load()
{
    if (std::size_t(end_ - at_) < sizeof(T)) fail("The file ends in the middle of the data");
    T value;
    std::memcpy(&value, at_, sizeof(T));
    at_ += sizeof(T);
    return value;
}

std::uint64_t JsonReader::length()
{
    const auto first = load<std::uint8_t>();
    if (first <= largest_short_length) return first;
    if (first == length16) return load<std::uint16_t>();
    if (first == length32) return load<std::uint32_t>();
    if (first == length64) return load<std::uint64_t>();
    fail("Unknown length encoding");
}

std::string_view JsonReader::bytes(std::uint64_t count)
{
    if (count > std::size_t(end_ - at_)) fail("A string is longer than the file");
    const std::string_view text(at_, count);
    at_ += count;
    return text;
}

std::string_view JsonReader::token(std::uint64_t id) const
{
    const auto found = tokens_.find(id);
    if (found == tokens_.end()) fail("Token " + std::to_string(id) + " is not defined");
    return found->second;
}

void JsonReader::prepare_binary()
{
    if (depth_ > 0 && levels_[std::size_t(depth_ - 1)].frame == Frame::uniform) return;
    while (at_ != end_) {
        const std::uint8_t type = std::uint8_t(*at_);
        if (type == token_define) {
            ++at_;
            const std::uint64_t id = length();
            budget_.charge(1, 80, "tokens");
            tokens_[id] = bytes(length());
        } else if (type == token_undefine) {
            ++at_;
            tokens_.erase(length());
        } else {
            return;
        }
    }
}

JsonReader::Kind JsonReader::binary_kind(std::uint8_t type)
{
    switch (type) {
    case json_token::null: return Kind::null;
    case json_token::boolean:
    case false_value:
    case true_value: return Kind::boolean;
    case int8:
    case int16:
    case int32:
    case int64:
    case uint8:
    case uint16: return Kind::integer;
    case real16:
    case real32:
    case real64: return Kind::real;
    case json_token::string:
    case token_ref: return Kind::string;
    case '[':
    case uniform_array: return Kind::array;
    case '{': return Kind::map;
    case ']':
    case '}': return Kind::close;
    default: fail("Unknown type byte " + std::to_string(type));
    }
}

std::uint8_t JsonReader::value_type()
{
    if (depth_ > 0 && levels_[std::size_t(depth_ - 1)].frame == Frame::uniform)
        return levels_[std::size_t(depth_ - 1)].type;
    return load<std::uint8_t>();
}

std::int64_t JsonReader::binary_integer(std::uint8_t type)
{
    switch (type) {
    case false_value: return 0;
    case true_value: return 1;
    case json_token::boolean: {
        const Level* l = depth_ > 0 ? &levels_[std::size_t(depth_ - 1)] : nullptr;
        if (!l || l->frame != Frame::uniform) return load<std::uint8_t>() != 0;
        // 32-bit little-endian words, lowest bit first: the same as bytes, lowest bit first.
        return (l->words[l->index / 8] >> (l->index % 8)) & 1;
    }
    case int8: return load<std::int8_t>();
    case int16: return load<std::int16_t>();
    case int32: return load<std::int32_t>();
    case int64: return load<std::int64_t>();
    case uint8: return load<std::uint8_t>();
    default: return load<std::uint16_t>();
    }
}

double JsonReader::binary_real(std::uint8_t type)
{
    if (type == real16) return half_to_float(load<std::uint16_t>());
    if (type == real32) return load<float>();
    return load<double>();
}

void JsonReader::open_uniform()
{
    ++at_;
    const auto type = load<std::uint8_t>();
    const std::uint64_t count = length();
    const std::size_t size = size_of(type);
    const std::size_t rest = std::size_t(end_ - at_);
    const char* words = nullptr;
    if (type == json_token::boolean) {
        if (count / 32 > rest / 4 || (count + 31) / 32 * 4 > rest)
            fail("An array is longer than the file");
        words = at_;
        at_ += (count + 31) / 32 * 4;
    } else if (size != 0) {
        if (count > rest / size) fail("An array is longer than the file");
    } else if (type != json_token::string && type != token_ref) {
        fail("Unknown element type " + std::to_string(type) + " of a uniform array");
    } else if (count > rest) {
        fail("An array is longer than the file");
    }
    Level& l = push(Frame::uniform);
    l.type = type;
    l.left = count;
    l.words = reinterpret_cast<const unsigned char*>(words);
}

} // namespace selvage
