#pragma once

#include "core/base/error.h"

#include <cstddef>
#include <string>

namespace selvage
{

/// Memory that reading one file may use, so that a damaged or hostile file cannot exhaust the
/// machine: 64 times its size plus 16 MiB. Lengths that the bytes present do not vouch for (element
/// counts, run lengths, constant pages) are charged here before anything is allocated. Of a
/// compressed file, its content counts, which has a bound of its own (blosc_content_limit).
class ReadBudget
{
public:
    static constexpr std::size_t multiple = 64;
    static constexpr std::size_t base = std::size_t(16) << 20;

    explicit ReadBudget(std::size_t file_size) : left_(multiple * file_size + base) {}

    /// Accounts for `count` items of `size` bytes; throws InputError when the file is too small to
    /// hold that much honestly.
    void charge(std::size_t count, std::size_t size, const char* what)
    {
        if (size != 0 && count > left_ / size)
            throw InputError("The file asks for " + std::to_string(count) + " " + what +
                             ", far more than a file of its size can hold. It is damaged; write "
                             "it again.");
        left_ -= count * size;
    }

private:
    std::size_t left_;
};

} // namespace selvage
