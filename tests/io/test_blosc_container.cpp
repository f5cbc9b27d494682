#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/io/blosc_container.h"

#include <gtest/gtest.h>

#include <random>

using namespace selvage;

namespace
{

/// Compressible, but not the same all over.
std::string sample(std::size_t size)
{
    std::mt19937 random(7);
    std::string out(size, '\0');
    for (std::size_t i = 0; i < size; ++i) out[i] = i % 4 ? char(i >> 10) : char(random());
    return out;
}

std::uint64_t big_endian(const std::string& file, std::size_t at)
{
    std::uint64_t v = 0;
    for (std::size_t i = 0; i < 8; ++i) v = v << 8 | static_cast<unsigned char>(file[at + i]);
    return v;
}

} // namespace

TEST(BloscContainer, RoundTripAcrossChunkSizes)
{
    for (const std::size_t size : {1u, 100u, 1u << 20, (1u << 20) + 1, (3u << 20) + 12345}) {
        const std::string content = sample(size);
        EXPECT_EQ(blosc_decompress(blosc_compress(content)), content) << size;
    }
}

TEST(BloscContainer, WhatCompressesBestIsStillWithinTheLimit)
{
    for (const std::size_t size : {std::size_t(1), std::size_t(8), std::size_t(100)}) {
        const std::string zeros(size << 20, '\0');
        const std::string file = blosc_compress(zeros);
        EXPECT_LE(zeros.size(), blosc_content_limit(file.size()));
        EXPECT_EQ(blosc_decompress(file).size(), zeros.size());
    }
}

TEST(BloscContainer, LayoutIsHoudinis)
{
    const std::string content = sample((2u << 20) + 500);
    const std::string file = blosc_compress(content);
    EXPECT_EQ(file.substr(0, 4), "scf1");
    EXPECT_EQ(big_endian(file, 4), 0u);
    EXPECT_EQ(file.substr(file.size() - 4), "1fcs");
    const std::uint64_t index = big_endian(file, file.size() - 12);
    EXPECT_EQ(index, 4 * 8u); // two ends, size of a chunk, size of the last
    const std::size_t at = file.size() - 12 - index;
    EXPECT_EQ(big_endian(file, at + 16), 1u << 20);
    EXPECT_EQ(big_endian(file, at + 24), 500u);
    // The first end is where the second chunk's header starts: version 2 of Blosc's format.
    EXPECT_EQ(file[12 + big_endian(file, at)], file[12]);
    EXPECT_LT(big_endian(file, at), big_endian(file, at + 8));
}

TEST(BloscContainer, BytesDoNotDependOnThreads)
{
    const std::string content = sample(5u << 20);
    std::string one;
    {
        const ThreadLimit limit(1);
        one = blosc_compress(content);
    }
    EXPECT_EQ(blosc_compress(content), one);
}

TEST(BloscContainer, DamageIsRefused)
{
    const std::string good = blosc_compress(sample(5000));
    EXPECT_THROW(blosc_decompress(""), InputError);
    EXPECT_THROW(blosc_decompress("scf1"), InputError);
    EXPECT_THROW(blosc_decompress(good.substr(0, good.size() - 1)), InputError);
    EXPECT_THROW(blosc_decompress(good.substr(0, good.size() / 2)), InputError);
    for (const std::size_t at : {4u, 11u, 16u, 24u}) { // metadata, sizes in the chunk's header
        std::string bad = good;
        bad[at] = char(bad[at] ^ 0x40);
        EXPECT_THROW(blosc_decompress(bad), InputError) << at;
    }
}
