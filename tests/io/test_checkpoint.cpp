#include "core/base/error.h"
#include "core/io/checkpoint.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <set>

using namespace selvage;

namespace
{

Checkpoint sample()
{
    Checkpoint c;
    c.texts["scene"] = std::string("a\0b\n", 4);
    c.texts[""] = "";
    c.arrays["x"] = {1, -0.0, 1e-310, std::numeric_limits<double>::infinity()};
    c.arrays["empty"] = {};
    return c;
}

std::string message(const std::string& bytes)
{
    try {
        decode_checkpoint(bytes);
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

} // namespace

TEST(Checkpoint, RoundTrip)
{
    const test::TemporaryFolder folder;
    const std::string path = folder.file("deep/er/frame.ckpt");
    write_checkpoint(path, sample());
    const Checkpoint back = read_checkpoint(path);
    EXPECT_EQ(back.texts, sample().texts);
    EXPECT_EQ(back.arrays, sample().arrays);
    EXPECT_TRUE(std::signbit(back.arrays.at("x")[1]));
}

TEST(Checkpoint, EveryFlippedBitAndEveryTruncationIsFound)
{
    const std::string good = encode_checkpoint(sample());
    EXPECT_EQ(message(good), "");
    for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
        std::string bad = good;
        bad[bit / 8] = char(bad[bit / 8] ^ (1 << (bit % 8)));
        EXPECT_NE(message(bad), "") << bit;
    }
    for (std::size_t n = 0; n < good.size(); ++n) EXPECT_NE(message(good.substr(0, n)), "") << n;
    EXPECT_NE(message(good.substr(0, good.size() - 1)).find("cut short"), std::string::npos);
    EXPECT_NE(message(good + "x"), "");
}

TEST(Checkpoint, ErrorsNameTheFile)
{
    const test::TemporaryFolder folder;
    EXPECT_THROW(read_checkpoint(folder.file("none")), FileError);
}

TEST(Checkpoint, ChecksumSpreads)
{
    std::set<std::uint64_t> seen;
    for (std::size_t n = 0; n < 200; ++n) {
        seen.insert(checksum64(std::string(n, '\0')));
        std::string one(200, '\0');
        one[n] = 1;
        seen.insert(checksum64(one));
    }
    EXPECT_EQ(seen.size(), 400u);
}
