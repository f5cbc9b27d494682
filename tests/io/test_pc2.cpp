#include "core/base/error.h"
#include "core/io/pc2.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <filesystem>

using namespace selvage;

TEST(Pc2, WriterAndReaderAgree)
{
    const test::TemporaryFolder folder;
    const std::string path = folder.file("sub/cache.pc2");
    PointCacheWriter writer(path, 2);
    VecX x = VecX::LinSpaced(6, 0, 1);
    writer.add(1001, x);
    writer.add(1001.5, 2 * x);
    EXPECT_FALSE(std::filesystem::exists(path));
    writer.finish();
    const std::string bytes = read_file(path);
    EXPECT_EQ(bytes.size(), 32u + 2 * 2 * 12);
    EXPECT_EQ(bytes.substr(0, 12), std::string("POINTCACHE2\0", 12));
    const PointCache cache = read_pc2(bytes);
    EXPECT_EQ(cache.point_count, 2u);
    EXPECT_EQ(cache.start, 1001);
    EXPECT_EQ(cache.step, 0.5);
    ASSERT_EQ(cache.samples.size(), 2u);
    for (int i = 0; i < 6; ++i) EXPECT_EQ(cache.samples[1][std::size_t(i)], float(2 * x[i]));
    EXPECT_EQ(write_pc2(cache), bytes);
}

TEST(Pc2, WrongPointCountNamesTheFrame)
{
    const test::TemporaryFolder folder;
    PointCacheWriter writer(folder.file("a.pc2"), 2);
    writer.add(5, VecX::Zero(6));
    try {
        writer.add(6, VecX::Zero(9));
        FAIL();
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("frame 6"), std::string::npos) << e.what();
    }
}

TEST(Pc2, GapsAreRefused)
{
    const test::TemporaryFolder folder;
    PointCacheWriter writer(folder.file("a.pc2"), 1);
    for (const double frame : {1.0, 3.0, 5.0}) writer.add(frame, VecX::Zero(3)); // every second
    try {
        writer.add(6, VecX::Zero(3));
        FAIL();
    } catch (const InputError& e) {
        for (const char* word : {"a.pc2", "frame 6", "frame 7", ".bgeo.sc"})
            EXPECT_NE(std::string(e.what()).find(word), std::string::npos) << e.what();
    }
}

TEST(Pc2, ReaderTakesOneSampleAtATime)
{
    const test::TemporaryFolder folder;
    const std::string path = folder.file("a.pc2");
    PointCacheWriter writer(path, 1);
    for (int frame = 10; frame <= 20; ++frame)
        writer.add(frame, VecX::Constant(3, double(frame * frame)));
    writer.finish();
    const PointCacheReader cache(path);
    EXPECT_EQ(cache.frames().size(), 11u);
    EXPECT_EQ(cache.frames().front(), 10);
    EXPECT_EQ(cache.at(20), VecX::Constant(3, 400));
    EXPECT_EQ(cache.at(12.5), VecX::Constant(3, 156.5));
    try {
        cache.at(21);
        FAIL();
    } catch (const FileError& e) {
        EXPECT_NE(std::string(e.what()).find("10 to 20, not 21"), std::string::npos) << e.what();
    }
    EXPECT_THROW(PointCacheReader(folder.file("missing.pc2")), FileError);
    std::filesystem::resize_file(path, 60);
    EXPECT_THROW(PointCacheReader{path}, InputError);
}

TEST(Pc2, DamageIsRefused)
{
    PointCache cache;
    cache.point_count = 1;
    cache.samples = {{1, 2, 3}};
    const std::string good = write_pc2(cache);
    EXPECT_THROW(read_pc2(good.substr(0, 20)), InputError);
    EXPECT_THROW(read_pc2(good.substr(0, good.size() - 1)), InputError);
    std::string many = good;
    many[31] = 0x7f;
    EXPECT_THROW(read_pc2(many), InputError);
    EXPECT_THROW(read_pc2("POINTCACHE3" + good.substr(11)), InputError);
}
