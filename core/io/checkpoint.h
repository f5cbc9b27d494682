#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace selvage
{

/// Named texts and arrays of doubles: what a simulation needs to go on where it stopped.
struct Checkpoint {
    std::map<std::string, std::string> texts;
    std::map<std::string, std::vector<double>> arrays;
};

/// File: "SELVCKPT", u32 version, u32 zero, u64 length of the content, u64 checksum of it, content;
/// little-endian.
/// Written atomically (see AtomicFile).
void write_checkpoint(const std::string& path, const Checkpoint& checkpoint);

/// A truncated or altered file is an InputError that says so; every bit of the content counts.
/// Memory stays below 4 times the size of the file plus 1 MiB.
Checkpoint read_checkpoint(const std::string& path);

/// The same on bytes in memory.
std::string encode_checkpoint(const Checkpoint& checkpoint);
Checkpoint decode_checkpoint(std::string_view bytes);

/// 64-bit checksum: four lanes of multiply and rotate over 32-byte stripes, several GB/s. Finds
/// accidents, not attacks.
std::uint64_t checksum64(std::string_view bytes);

} // namespace selvage
