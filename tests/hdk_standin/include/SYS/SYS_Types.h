#pragma once
// Basic types under the names that the HDK publishes for them.
#include <cstddef>
#include <cstdint>

using int8 = std::int8_t;
using uint8 = std::uint8_t;
using int16 = std::int16_t;
using uint16 = std::uint16_t;
using int32 = std::int32_t;
using uint32 = std::uint32_t;
using int64 = std::int64_t;
using uint64 = std::uint64_t;
using exint = int64;
using exuint = uint64;
using fpreal32 = float;
using fpreal64 = double;
using fpreal = double;
using uint = unsigned int;
using uchar = unsigned char;

#define SYS_FORCE_INLINE inline
#define SYS_NO_DISCARD_RESULT [[nodiscard]]
#ifndef SYS_VISIBILITY_EXPORT
#define SYS_VISIBILITY_EXPORT __attribute__((visibility("default")))
#endif
