#include "core/io/blosc_container.h"

#include "core/base/error.h"
#include "core/base/parallel.h"

#include <blosc.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace selvage
{
namespace
{

constexpr std::string_view head = "scf1", tail = "1fcs";
constexpr std::size_t chunk_size = std::size_t(1) << 20;
constexpr std::size_t head_size = 12, tail_size = 12;

void put_u64(std::string& out, std::uint64_t value)
{
    for (int shift = 56; shift >= 0; shift -= 8) out += char(value >> shift);
}

std::uint64_t get_u64(std::string_view file, std::size_t at)
{
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < 8; ++i)
        value = value << 8 | static_cast<unsigned char>(file[at + i]);
    return value;
}

void check(bool ok, const char* what)
{
    if (!ok)
        throw InputError(std::string("The compressed file is damaged: ") + what +
                         ". Write it again.");
}

struct Chunk {
    std::size_t at, size;     // compressed
    std::size_t to, raw_size; // in the content
};

/// Walks the chunks and checks every size; nothing is allocated for the content yet.
std::vector<Chunk> find_chunks(std::string_view file)
{
    check(file.size() >= head_size + tail_size && is_blosc_container(file), "it is too short");
    check(file.substr(file.size() - 4) == tail, "its end is missing");
    const std::uint64_t metadata = get_u64(file, 4);
    const std::uint64_t index = get_u64(file, file.size() - tail_size);
    const std::uint64_t room = file.size() - head_size - tail_size;
    check(index >= 16 && index % 8 == 0 && index <= room && metadata <= room - index,
          "its index does not fit");
    const std::size_t first = head_size + metadata, end = file.size() - tail_size - index;
    const std::size_t count = index / 8 - 1;
    const std::uint64_t raw = get_u64(file, end + 8 * (count - 1));
    const std::uint64_t last = get_u64(file, end + 8 * count);

    std::vector<Chunk> chunks;
    std::size_t at = first, total = 0;
    for (std::size_t i = 0; i < count; ++i) {
        check(end - at >= BLOSC_MIN_HEADER_LENGTH, "a chunk is missing");
        std::size_t raw_size = 0, size = 0, block = 0;
        blosc_cbuffer_sizes(file.data() + at, &raw_size, &size, &block);
        check(size >= BLOSC_MIN_HEADER_LENGTH && size <= end - at, "a chunk is too long");
        std::size_t checked = 0;
        check(blosc_cbuffer_validate(file.data() + at, size, &checked) == 0 && checked == raw_size,
              "a chunk has a bad header");
        const bool final = i + 1 == count;
        check(raw_size == (final ? last : raw), "chunk and index disagree on a size");
        check(final || at + size - first == get_u64(file, end + 8 * i),
              "chunk and index disagree on a place");
        chunks.push_back({at, size, total, raw_size});
        at += size;
        total += raw_size;
        check(total <= blosc_content_limit(file.size()), "it claims to hold too much");
    }
    check(at == end, "there are bytes between chunks and index");
    return chunks;
}

} // namespace

bool is_blosc_container(std::string_view file) { return file.substr(0, 4) == head; }

std::string blosc_compress(std::string_view content)
{
    if (content.empty()) throw InputError("There is nothing to compress.");
    const std::size_t count = (content.size() + chunk_size - 1) / chunk_size;
    std::vector<std::string> chunks(count);
    parallel_for(count, 1, [&](std::size_t i) {
        const std::string_view raw = content.substr(i * chunk_size, chunk_size);
        std::string& out = chunks[i];
        out.resize(raw.size() + BLOSC_MAX_OVERHEAD);
        const int size = blosc_compress_ctx(5, BLOSC_SHUFFLE, 4, raw.size(), raw.data(), out.data(),
                                            out.size(), BLOSC_BLOSCLZ_COMPNAME, 0, 1);
        if (size <= 0) throw InputError("Blosc could not compress the data.");
        out.resize(std::size_t(size));
    });

    std::string file(head);
    std::size_t total = 64 + 8 * count;
    for (const std::string& c : chunks) total += c.size();
    file.reserve(total);
    put_u64(file, 0);
    std::string index;
    for (std::size_t i = 0; i < count; ++i) {
        file += chunks[i];
        if (i + 1 < count) put_u64(index, file.size() - head_size);
    }
    put_u64(index, chunk_size);
    put_u64(index, content.size() - (count - 1) * chunk_size);
    file += index;
    put_u64(file, index.size());
    file += tail;
    return file;
}

std::string blosc_decompress(std::string_view file)
{
    const std::vector<Chunk> chunks = find_chunks(file);
    std::string content;
    content.resize(chunks.back().to + chunks.back().raw_size);
    parallel_for(chunks.size(), 1, [&](std::size_t i) {
        const Chunk& c = chunks[i];
        const int got =
            blosc_decompress_ctx(file.data() + c.at, content.data() + c.to, c.raw_size, 1);
        check(got >= 0 && std::size_t(got) == c.raw_size, "a chunk cannot be decompressed");
    });
    return content;
}

} // namespace selvage
