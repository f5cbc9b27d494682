#include "core/io/atomic_file.h"

#include "core/base/error.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <vector>

namespace selvage
{
namespace
{

constexpr std::size_t buffer_size = std::size_t(1) << 18;

std::string reason(int error)
{
    switch (error) {
    case ENOSPC:
    case EDQUOT: return "the disk is full";
    case EROFS: return "the disk is read-only";
    case EACCES:
    case EPERM: return "there is no permission";
    case ENOENT: return "there is no such file";
    case EISDIR: return "it is a folder";
    case ENOTDIR: return "part of the path is not a folder";
    case EFBIG: return "the file is larger than allowed";
    default: return std::strerror(error);
    }
}

/// fsync of the folder makes the rename itself durable; not every file system can.
void sync_folder(const std::filesystem::path& folder)
{
    const int f = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (f < 0) return;
    ::fsync(f);
    ::close(f);
}

std::filesystem::path folder_of(const std::string& path)
{
    const auto folder = std::filesystem::path(path).parent_path();
    return folder.empty() ? "." : folder;
}

/// Takes a dot and the digits behind it from the end; −1 where there are none, or too many.
long take_number(std::string_view& name)
{
    const std::size_t dot = name.rfind('.');
    if (dot == name.npos || dot + 1 == name.size() || name.size() - dot > 10) return -1;
    long number = 0;
    for (const char c : name.substr(dot + 1)) {
        if (c < '0' || c > '9') return -1;
        number = 10 * number + (c - '0');
    }
    name.remove_suffix(name.size() - dot);
    return number;
}

/// The process in the temporary name .FILE.PROCESS.NUMBER.tmp; −1 where a name is none.
pid_t writer_of(std::string_view name)
{
    constexpr std::string_view ending = ".tmp";
    if (name.size() <= ending.size() || name.substr(name.size() - ending.size()) != ending)
        return -1;
    name.remove_suffix(ending.size());
    if (take_number(name) < 0) return -1;
    const long process = take_number(name);
    return name.size() > 1 && name.front() == '.' ? pid_t(process) : -1;
}

bool runs(pid_t process) { return ::kill(process, 0) == 0 || errno != ESRCH; }

} // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path))
{
    const std::filesystem::path folder = folder_of(path_);
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error && !std::filesystem::is_directory(folder))
        throw FileError("Cannot create the folder '" + folder.string() +
                        "': " + reason(error.value()) + ".");
    if (std::filesystem::is_directory(path_)) fail(EISDIR);
    const std::string stem =
        (folder / ("." + std::filesystem::path(path_).filename().string())).string() + "." +
        std::to_string(::getpid());
    for (int i = 0; file_ < 0; ++i) {
        temporary_ = stem + "." + std::to_string(i) + ".tmp";
        file_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file_ < 0 && errno != EEXIST) {
            temporary_.clear();
            fail(errno);
        }
    }
    ::flock(file_, LOCK_EX | LOCK_NB); // says that it is in use; see remove_unfinished_files
}

AtomicFile::~AtomicFile()
{
    if (file_ >= 0) ::close(file_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::fail(int error)
{
    throw FileError("Cannot write '" + path_ + "': " + reason(error) + ".");
}

void AtomicFile::write_out(const char* data, std::size_t size)
{
    while (size > 0) {
        const ssize_t n = ::write(file_, data, size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) fail(errno);
        data += n;
        size -= std::size_t(n);
    }
}

void AtomicFile::flush()
{
    write_out(buffer_.data(), buffer_.size());
    buffer_.clear();
}

void AtomicFile::write(std::string_view bytes)
{
    if (buffer_.size() + bytes.size() > buffer_size) flush();
    if (bytes.size() > buffer_size)
        write_out(bytes.data(), bytes.size());
    else
        buffer_ += bytes;
}

void AtomicFile::write_at(std::uint64_t offset, std::string_view bytes)
{
    flush();
    const ssize_t n = ::pwrite(file_, bytes.data(), bytes.size(), off_t(offset));
    if (n < 0) fail(errno);
    if (std::size_t(n) != bytes.size()) fail(ENOSPC);
}

void AtomicFile::commit()
{
    flush();
    if (::fsync(file_) != 0 && errno != EINVAL && errno != ENOTSUP) fail(errno);
    const int closed = ::close(file_);
    file_ = -1;
    if (closed != 0) fail(errno); // network disks report a full disk only here
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail(errno);
    temporary_.clear();
    sync_folder(folder_of(path_));
}

void remove_unfinished_files(const std::string& folder)
{
    std::error_code error;
    std::vector<std::filesystem::path> left;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        const pid_t writer = writer_of(name);
        if (writer > 0 && !runs(writer)) left.push_back(entry.path());
    }
    for (const auto& path : left) {
        const int f = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (f < 0) continue;
        if (::flock(f, LOCK_EX | LOCK_NB) == 0) ::unlink(path.c_str());
        ::close(f);
    }
}

void write_file(const std::string& path, std::string_view bytes)
{
    AtomicFile file(path);
    file.write(bytes);
    file.commit();
}

std::string read_file(const std::string& path)
{
    const auto fail = [&](int error) {
        throw FileError("Cannot read '" + path + "': " + reason(error) + ".");
    };
    struct Closer {
        int file;
        ~Closer()
        {
            if (file >= 0) ::close(file);
        }
    };
    const Closer f{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    if (f.file < 0) fail(errno);
    struct stat info = {};
    if (::fstat(f.file, &info) != 0) fail(errno);
    if (S_ISDIR(info.st_mode)) fail(EISDIR);
    std::string bytes;
    bytes.resize(std::size_t(info.st_size) + 1); // one more, to see the end
    std::size_t have = 0;
    for (;;) {
        if (have == bytes.size()) bytes.resize(have + 4096); // pipes, and files that grow
        const ssize_t n = ::read(f.file, bytes.data() + have, bytes.size() - have);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) fail(errno);
        if (n == 0) break;
        have += std::size_t(n);
    }
    bytes.resize(have);
    return bytes;
}

} // namespace selvage
