#include "core/io/checkpoint.h"

#include "core/base/error.h"
#include "core/io/atomic_file.h"

#include <cstring>

namespace selvage
{
namespace
{

constexpr std::string_view magic = "SELVCKPT";
constexpr std::uint32_t version = 1;
constexpr std::size_t header_size = 32;

constexpr std::uint64_t odd_a = 0x9e3779b97f4a7c15; // 2^64 / golden ratio
constexpr std::uint64_t odd_b = 0xd1b54a32d192ed03;

std::uint64_t rotate(std::uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }

std::uint64_t mix(std::uint64_t state, std::uint64_t word)
{
    return rotate(state ^ (word * odd_a), 29) * odd_b;
}

template <class T> void put(std::string& out, T value)
{
    out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

void put_text(std::string& out, std::string_view text)
{
    put(out, std::uint64_t(text.size()));
    out += text;
}

[[noreturn]] void damaged(const std::string& how)
{
    throw InputError("The checkpoint is damaged: " + how +
                     ". Delete it and resume from an earlier frame.");
}

/// Takes values off the front, never past the end.
class Cursor
{
public:
    explicit Cursor(std::string_view bytes) : rest_(bytes) {}

    std::uint64_t number()
    {
        std::uint64_t value;
        std::memcpy(&value, take(8).data(), 8);
        return value;
    }
    std::string_view take(std::uint64_t count)
    {
        if (count > rest_.size()) damaged("a length points past its end");
        const std::string_view part = rest_.substr(0, count);
        rest_.remove_prefix(count);
        return part;
    }
    std::string text() { return std::string(take(number())); }
    std::vector<double> array()
    {
        const std::uint64_t count = number();
        if (count > rest_.size() / sizeof(double)) damaged("a length points past its end");
        const std::string_view bytes = take(count * sizeof(double));
        std::vector<double> values(count);
        if (count) std::memcpy(values.data(), bytes.data(), bytes.size());
        return values;
    }
    bool empty() const { return rest_.empty(); }

private:
    std::string_view rest_;
};

} // namespace

std::uint64_t checksum64(std::string_view bytes)
{
    std::uint64_t lanes[4] = {odd_a, odd_b, ~odd_a, ~odd_b};
    const char* at = bytes.data();
    std::size_t left = bytes.size();
    for (; left >= 32; left -= 32, at += 32) {
        std::uint64_t words[4];
        std::memcpy(words, at, 32);
        for (int i = 0; i < 4; ++i) lanes[i] = mix(lanes[i], words[i]);
    }
    std::uint64_t words[4] = {0, 0, 0, 0};
    if (left) std::memcpy(words, at, left);
    std::uint64_t h = bytes.size();
    for (int i = 0; i < 4; ++i) h = mix(h, mix(lanes[i], words[i]));
    h ^= h >> 32;
    h *= odd_a;
    return h ^ (h >> 29);
}

std::string encode_checkpoint(const Checkpoint& c)
{
    std::size_t size = header_size + 16;
    for (const auto& [name, text] : c.texts) size += 16 + name.size() + text.size();
    for (const auto& [name, values] : c.arrays) size += 16 + name.size() + 8 * values.size();
    std::string out;
    out.reserve(size);
    out += magic;
    put(out, version);
    put(out, std::uint32_t(0));
    out.resize(header_size);
    put(out, std::uint64_t(c.texts.size()));
    for (const auto& [name, text] : c.texts) {
        put_text(out, name);
        put_text(out, text);
    }
    put(out, std::uint64_t(c.arrays.size()));
    for (const auto& [name, values] : c.arrays) {
        put_text(out, name);
        put(out, std::uint64_t(values.size()));
        out.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
    }
    const std::string_view content = std::string_view(out).substr(header_size);
    const std::uint64_t length = content.size(), sum = checksum64(content);
    std::memcpy(out.data() + 16, &length, 8);
    std::memcpy(out.data() + 24, &sum, 8);
    return out;
}

Checkpoint decode_checkpoint(std::string_view bytes)
{
    if (bytes.size() < header_size || bytes.substr(0, 8) != magic)
        throw InputError("This is not a Selvage checkpoint, or it is cut short.");
    std::uint32_t file_version, zero;
    std::memcpy(&file_version, bytes.data() + 8, 4);
    std::memcpy(&zero, bytes.data() + 12, 4);
    if (file_version != version || zero != 0)
        throw InputError("The checkpoint has version " + std::to_string(file_version) +
                         "; this Selvage reads version " + std::to_string(version) + ".");
    Cursor header(bytes.substr(16, 16));
    const std::uint64_t length = header.number(), sum = header.number();
    const std::string_view content = bytes.substr(header_size);
    if (content.size() < length) damaged("it is cut short");
    if (content.size() > length) damaged("there is something after its end");
    if (checksum64(content) != sum) damaged("its checksum does not match");

    Checkpoint c;
    Cursor in(content);
    for (std::uint64_t n = in.number(); n > 0; --n) {
        std::string name = in.text();
        c.texts[std::move(name)] = in.text();
    }
    for (std::uint64_t n = in.number(); n > 0; --n) {
        std::string name = in.text();
        c.arrays[std::move(name)] = in.array();
    }
    if (!in.empty()) damaged("there is something after its end");
    return c;
}

void write_checkpoint(const std::string& path, const Checkpoint& checkpoint)
{
    write_file(path, encode_checkpoint(checkpoint));
}

Checkpoint read_checkpoint(const std::string& path)
{
    const std::string bytes = read_file(path);
    try {
        return decode_checkpoint(bytes);
    } catch (const InputError& e) {
        throw InputError(path + ": " + e.what());
    }
}

} // namespace selvage
