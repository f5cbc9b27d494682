#include "core/base/error.h"
#include "core/io/atomic_file.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

using namespace selvage;
using selvage::test::TemporaryFolder;

namespace
{

std::size_t files_in(const std::filesystem::path& folder)
{
    std::size_t n = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++n;
    return n;
}

/// While alive, files cannot grow beyond `bytes`: writing fails as on a full disk.
class FileSizeLimit
{
public:
    explicit FileSizeLimit(rlim_t bytes) : old_signal_(std::signal(SIGXFSZ, SIG_IGN))
    {
        getrlimit(RLIMIT_FSIZE, &old_);
        rlimit limit = old_;
        limit.rlim_cur = bytes;
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit()
    {
        setrlimit(RLIMIT_FSIZE, &old_);
        std::signal(SIGXFSZ, old_signal_);
    }

private:
    rlimit old_{};
    void (*old_signal_)(int);
};

} // namespace

TEST(AtomicFile, OnlyFilesOfDeadProcessesAreRemoved)
{
    const TemporaryFolder folder;
    write_file(folder.file(".a.bgeo.999999999.0.tmp"), "left behind");
    write_file(folder.file("a.bgeo"), "finished");
    write_file(folder.file(".mine.tmp"), "of another program");
    AtomicFile writing(folder.file("b.bgeo"));
    writing.write("half");
    remove_unfinished_files(folder.path().string());
    EXPECT_FALSE(std::filesystem::exists(folder.file(".a.bgeo.999999999.0.tmp")));
    EXPECT_TRUE(std::filesystem::exists(folder.file("a.bgeo")));
    EXPECT_TRUE(std::filesystem::exists(folder.file(".mine.tmp")));
    writing.commit();
    EXPECT_EQ(read_file(folder.file("b.bgeo")), "half");

    // Held open by another machine, whose process numbers say nothing here.
    const std::string foreign = folder.file(".c.bgeo.999999999.0.tmp");
    const int held = ::open(foreign.c_str(), O_CREAT | O_WRONLY, 0600);
    ASSERT_EQ(::flock(held, LOCK_EX), 0);
    remove_unfinished_files(folder.path().string());
    EXPECT_TRUE(std::filesystem::exists(foreign));
    ::close(held);
    remove_unfinished_files(folder.path().string());
    EXPECT_FALSE(std::filesystem::exists(foreign));
}

TEST(AtomicFile, AppearsOnlyWhenCommitted)
{
    const TemporaryFolder folder;
    const std::string path = folder.file("new/folders/a.txt");
    {
        AtomicFile file(path);
        file.write("half");
        EXPECT_FALSE(std::filesystem::exists(path));
    }
    EXPECT_EQ(files_in(folder.path() / "new/folders"), 0u);
    AtomicFile file(path);
    file.write("whole");
    file.write_at(0, "W");
    file.commit();
    EXPECT_EQ(read_file(path), "Whole");
    EXPECT_EQ(files_in(folder.path() / "new/folders"), 1u);
}

TEST(AtomicFile, ReplacesWholeFiles)
{
    const TemporaryFolder folder;
    const std::string path = folder.file("a.bin");
    write_file(path, std::string(3000000, 'a'));
    write_file(path, "b");
    EXPECT_EQ(read_file(path), "b");
    write_file(path, "");
    EXPECT_EQ(read_file(path), "");
}

TEST(AtomicFile, FailedWritesLeaveTheOldFile)
{
    const TemporaryFolder folder;
    const std::string path = folder.file("a.bin");
    write_file(path, "old");
    {
        const FileSizeLimit limit(100000);
        EXPECT_THROW(write_file(path, std::string(3000000, 'a')), FileError);
    }
    EXPECT_EQ(read_file(path), "old");
    EXPECT_EQ(files_in(folder.path()), 1u);
}

TEST(AtomicFile, FullDiskSaysSo)
{
    const TemporaryFolder folder;
    if (mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=64k") != 0)
        GTEST_SKIP() << "a small disk cannot be mounted here";
    std::string text;
    try {
        write_file(folder.file("a.bin"), std::string(3000000, 'a'));
    } catch (const FileError& e) {
        text = e.what();
    }
    EXPECT_EQ(files_in(folder.path()), 0u);
    umount(folder.path().c_str());
    EXPECT_NE(text.find("the disk is full"), std::string::npos) << text;
    EXPECT_NE(text.find("a.bin"), std::string::npos) << text;
}

TEST(AtomicFile, UnwritablePlacesAreFileErrors)
{
    const TemporaryFolder folder;
    write_file(folder.file("file"), "x");
    EXPECT_THROW(write_file(folder.file("file/inside.txt"), "y"), FileError);
    EXPECT_THROW(write_file(folder.path().string(), "y"), FileError);
    EXPECT_THROW(write_file("/proc/selvage.txt", "y"), FileError);
    if (geteuid() != 0) {
        std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_read |
                                                        std::filesystem::perms::owner_exec);
        EXPECT_THROW(write_file(folder.file("b.txt"), "y"), FileError);
        std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
    }
}

TEST(AtomicFile, UnreadableFilesAreFileErrors)
{
    const TemporaryFolder folder;
    EXPECT_THROW(read_file(folder.file("missing")), FileError);
    EXPECT_THROW(read_file(folder.path().string()), FileError);
}
