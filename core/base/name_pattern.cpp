#include "core/base/name_pattern.h"

#include <algorithm>

namespace selvage
{
namespace
{

/// Greedy with one way back: to the last `*`.
bool matches_word(std::string_view word, std::string_view name)
{
    std::size_t w = 0, n = 0, star = std::string_view::npos, resume = 0;
    while (n < name.size()) {
        if (w < word.size() && (word[w] == '?' || (word[w] == name[n] && word[w] != '*')))
            ++w, ++n;
        else if (w < word.size() && word[w] == '*')
            star = w++, resume = n;
        else if (star != std::string_view::npos)
            w = star + 1, n = ++resume;
        else
            return false;
    }
    while (w < word.size() && word[w] == '*') ++w;
    return w == word.size();
}

} // namespace

NamePattern::NamePattern(std::string_view text)
{
    constexpr std::string_view space = " \t\n\r,";
    for (std::size_t at = text.find_first_not_of(space); at != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_of(space, at), text.size());
        std::string_view word = text.substr(at, end - at);
        const bool excludes = word[0] == '^';
        if (excludes) word.remove_prefix(1);
        if (!word.empty()) words_.push_back({std::string(word), excludes});
        at = text.find_first_not_of(space, end);
    }
}

bool NamePattern::matches_any(const std::vector<std::string>& names) const
{
    bool matched = false;
    for (const Word& w : words_)
        for (const std::string& name : names)
            if (w.excludes == matched && matches_word(w.text, name)) matched = !w.excludes;
    return matched;
}

std::vector<std::string> NamePattern::plain_names() const
{
    std::vector<std::string> names;
    for (const Word& w : words_)
        if (!w.excludes && w.text.find_first_of("*?") == std::string::npos) names.push_back(w.text);
    return names;
}

} // namespace selvage
