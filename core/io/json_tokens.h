#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace selvage::json_token
{

/// The type bytes of Houdini's binary JSON, named as in its published reference.
inline constexpr std::string_view binary_magic = "\x7fNSJb";
inline constexpr std::string_view swapped_magic = "\x7f"
                                                  "bJSN";

inline constexpr std::uint8_t null = 0x00;
inline constexpr std::uint8_t boolean = 0x10;
inline constexpr std::uint8_t int8 = 0x11;
inline constexpr std::uint8_t int16 = 0x12;
inline constexpr std::uint8_t int32 = 0x13;
inline constexpr std::uint8_t int64 = 0x14;
inline constexpr std::uint8_t real16 = 0x18;
inline constexpr std::uint8_t real32 = 0x19;
inline constexpr std::uint8_t real64 = 0x1a;
inline constexpr std::uint8_t uint8 = 0x21;
inline constexpr std::uint8_t uint16 = 0x22;
inline constexpr std::uint8_t token_ref = 0x26;
inline constexpr std::uint8_t string = 0x27;
inline constexpr std::uint8_t token_define = 0x2b;
inline constexpr std::uint8_t token_undefine = 0x2d;
inline constexpr std::uint8_t false_value = 0x30;
inline constexpr std::uint8_t true_value = 0x31;
inline constexpr std::uint8_t uniform_array = 0x40;

/// Lengths up to this stand in one byte; larger ones follow a marker for 2, 4 or 8 bytes.
inline constexpr std::uint8_t largest_short_length = 0xf0;
inline constexpr std::uint8_t length16 = 0xf2;
inline constexpr std::uint8_t length32 = 0xf4;
inline constexpr std::uint8_t length64 = 0xf8;

/// Bytes of one number; 0 for everything that is not a plain number.
constexpr std::size_t size_of(std::uint8_t type)
{
    switch (type) {
    case int8:
    case uint8: return 1;
    case int16:
    case uint16:
    case real16: return 2;
    case int32:
    case real32: return 4;
    case int64:
    case real64: return 8;
    default: return 0;
    }
}

} // namespace selvage::json_token
