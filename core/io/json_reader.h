#pragma once

#include "core/io/read_budget.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace selvage
{

/// Reads Houdini's JSON value by value, from text (.geo) or from its binary encoding (.bgeo), which
/// the first byte tells apart. The caller walks the structure it expects; arrays of numbers are
/// copied in bulk.
///
/// Text: JSON plus unquoted nan and inf. Binary: 0x7f 'NSJb', then tokens of one byte each,
/// followed by little-endian data; token definitions (shared strings) may stand before any value.
/// Uniform arrays hold values of one type back to back; those of booleans are packed into 32-bit
/// words, lowest bit first. Encoded lengths: one byte up to 240, or 0xf2/0xf4/0xf8 and 2/4/8 bytes.
///
/// Everything wrong is an InputError that says where. Nesting is limited to 64 levels.
class JsonReader
{
public:
    enum class Kind { null, boolean, integer, real, string, array, map, close, finished };

    /// The bytes must outlive the reader.
    JsonReader(std::string_view bytes, ReadBudget& budget);

    bool binary() const { return binary_; }
    /// What comes next; `close` at the end of the current array or map.
    Kind peek();

    void enter_array();
    void enter_map();
    /// Arrays and maps alike: Houdini writes ordered maps as arrays ["key", value, ...].
    void enter_pairs();
    /// At the end of the array or map entered last: leaves it and returns true.
    bool at_end();
    /// The next key of a map or of pairs in an array; false (and left) at the end.
    bool next_key(std::string& key);

    void null();
    bool boolean();
    std::int64_t integer(); ///< booleans and whole reals are accepted
    double real();
    /// Valid until the next call.
    std::string_view string();
    void skip();

    /// Appends all numbers of the array that comes next. T: the value types of Attribute, where
    /// uint16_t stands for the bits of a 16-bit real. Out-of-range values are an InputError.
    template <class T> void append_numbers(std::vector<T>& out);

    /// Whether the array that comes next starts with another array.
    bool next_array_is_nested();

    /// Throws InputError "<what> (at byte N)."
    [[noreturn]] void fail(const std::string& what) const;

    ReadBudget& budget() { return budget_; }

private:
    static constexpr int max_depth = 64;
    enum class Frame : std::uint8_t { array, map, uniform };
    struct Level {
        Frame frame = Frame::array;
        bool first = true;       // text: no separator before the next item
        bool value_next = false; // map: the key has been read
        std::uint8_t type = 0;   // uniform: element type, elements left, index of the next
        std::size_t left = 0;
        std::size_t index = 0;
        const unsigned char* words = nullptr; // uniform booleans
    };

    void prepare();
    void prepare_text();
    void prepare_binary();
    void consumed();
    Level& push(Frame frame);
    Kind text_kind();
    Kind binary_kind(std::uint8_t type);
    std::uint8_t value_type(); /// binary: the type of the next value
    void skip_space();
    bool text_starts(std::string_view word) const;
    std::string_view text_string();
    void append_utf8(std::uint32_t code);
    std::uint32_t hex4();
    std::uint64_t length();
    std::string_view bytes(std::uint64_t count);
    template <class T> T load();
    std::string_view token(std::uint64_t id) const;
    std::int64_t binary_integer(std::uint8_t type);
    double binary_real(std::uint8_t type);
    void open_uniform();
    template <class T> void append_text_numbers(std::vector<T>& out);
    template <class T, class Source>
    void append_uniform(std::vector<T>& out, const char* from, std::size_t count);
    template <class T> bool append_uniform_array(std::vector<T>& out);

    const char* begin_;
    const char* at_;
    const char* end_;
    ReadBudget& budget_;
    bool binary_ = false;
    bool prepared_ = false;
    int depth_ = 0;
    std::array<Level, max_depth> levels_;
    std::string scratch_;
    std::unordered_map<std::uint64_t, std::string_view> tokens_;
};

} // namespace selvage
