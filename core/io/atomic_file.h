#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace selvage
{

/// A file that appears under its name only when it is complete: written under a temporary name in
/// the same folder, flushed to disk, then renamed. Missing folders are created. Whatever goes wrong
/// (disk full, read-only folder ...) is a FileError; the temporary file is then removed and a file
/// that was there before stays as it was.
class AtomicFile
{
public:
    explicit AtomicFile(std::string path);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void write(std::string_view bytes);
    /// Overwrites bytes already written.
    void write_at(std::uint64_t offset, std::string_view bytes);
    /// Makes the file appear. Without it, destruction leaves nothing behind.
    void commit();

private:
    void flush();
    void write_out(const char* data, std::size_t size);
    [[noreturn]] void fail(int error);

    std::string path_, temporary_;
    int file_ = -1;
    std::string buffer_;
};

/// Removes the temporary files that killed processes left in a folder. A file that its process (of
/// this or another machine) still holds open stays.
void remove_unfinished_files(const std::string& folder);

void write_file(const std::string& path, std::string_view bytes);

/// The whole file; FileError where it cannot be read.
std::string read_file(const std::string& path);

} // namespace selvage
