#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace selvage::houdini
{

/// 64 bits that tell contents apart: which of a node's inputs changed, not who changed them.
class ContentHash
{
public:
    void add(const void* data, std::size_t bytes)
    {
        const auto* p = static_cast<const unsigned char*>(data);
        for (; bytes >= 8; bytes -= 8, p += 8) {
            std::uint64_t word;
            std::memcpy(&word, p, 8);
            mix(word);
        }
        std::uint64_t rest = bytes;
        for (; bytes > 0; --bytes, ++p) rest = rest << 8 | *p;
        mix(rest);
    }
    template <class T> void add(const std::vector<T>& v) { add(v.data(), v.size() * sizeof(T)); }
    void add(const std::string& s) { add(s.data(), s.size()); }
    void add(std::uint64_t word) { mix(word); }
    std::uint64_t value() const { return h_; }

private:
    void mix(std::uint64_t word)
    {
        h_ = (h_ ^ word) * 0x9e3779b97f4a7c15ull;
        h_ ^= h_ >> 29;
    }
    std::uint64_t h_ = 0xcbf29ce484222325ull;
};

} // namespace selvage::houdini
