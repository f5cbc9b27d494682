#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace selvage
{

/// The container around compressed Houdini files (.bgeo.sc):
///
///   "scf1" | u64 length of metadata | metadata | Blosc chunks | index | u64 length of index |
///   "1fcs"
///
/// Numbers are big-endian. The index holds, for all chunks but the last, where they end (counted
/// from the first chunk), then the uncompressed size of a chunk (1 MiB) and of the last chunk.
bool is_blosc_container(std::string_view file);

/// Most that a container of so many bytes may hold: BloscLZ and LZ4 cannot compress more than 256
/// times; 4 MiB are for small files. Reading a .bgeo.sc thus takes at most (with ReadBudget, which
/// bounds what is made of the content) 65 times that, plus 16 MiB.
constexpr std::size_t blosc_content_limit(std::size_t file_size)
{
    return 256 * file_size + (std::size_t(4) << 20);
}

/// Chunks are compressed with BloscLZ, which every Blosc library has, in parallel; the bytes do not
/// depend on the number of threads.
std::string blosc_compress(std::string_view content);

/// Sizes in chunk headers and index are compared with each other and with the file before anything
/// is allocated; content of more than blosc_content_limit is refused as damaged. Only InputError is
/// thrown.
std::string blosc_decompress(std::string_view file);

} // namespace selvage
