#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace selvage
{

/// A list of names as artists write it: words separated by spaces, `*` for any characters, `?` for
/// one, `^` in front of a word that is taken out again ("* ^body").
class NamePattern
{
public:
    explicit NamePattern(std::string_view text);

    bool matches(std::string_view name) const { return matches_any({std::string(name)}); }
    /// The same for something that goes by several names: a word counts where it fits one of them.
    bool matches_any(const std::vector<std::string>& names) const;
    /// Words without wildcards and without ^: names that are meant to exist.
    std::vector<std::string> plain_names() const;
    bool empty() const { return words_.empty(); }

private:
    struct Word {
        std::string text;
        bool excludes;
    };
    std::vector<Word> words_;
};

} // namespace selvage
