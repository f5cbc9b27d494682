#include "tests/hdk_standin/standin.h"

#include <UT/UT_Error.h>
#include <UT/UT_Options.h>
#include <UT/UT_String.h>

#include <atomic>
#include <cctype>
#include <cstring>

void UT_String::trimSpace()
{
    const auto first = text_.find_first_not_of(" \t\n");
    if (first == std::string::npos) return text_.clear();
    text_ = text_.substr(first, text_.find_last_not_of(" \t\n") - first + 1);
}

namespace
{
bool matches(const char* text, const char* pattern)
{
    if (!*pattern) return !*text;
    if (*pattern == '*') return matches(text, pattern + 1) || (*text && matches(text + 1, pattern));
    return *text && (*pattern == '?' || *pattern == *text) && matches(text + 1, pattern + 1);
}
} // namespace

bool UT_String::multiMatch(const char* pattern) const
{
    std::string word;
    for (const char* c = pattern;; ++c) {
        if (*c && *c != ' ') {
            word += *c;
            continue;
        }
        if (!word.empty() && matches(text_.c_str(), word.c_str())) return true;
        word.clear();
        if (!*c) return false;
    }
}

bool UT_String::forceValidVariableName()
{
    const std::string before = text_;
    for (char& c : text_)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    if (!text_.empty() && std::isdigit(static_cast<unsigned char>(text_[0]))) text_ = "_" + text_;
    return text_ != before;
}

UT_ErrorSeverity UT_ErrorManager::add(const char* library, int code, const char* text,
                                      UT_ErrorSeverity severity)
{
    entries_.push_back({library, code, text ? text : "", severity});
    return getSeverity();
}

UT_ErrorSeverity UT_ErrorManager::getSeverity() const
{
    UT_ErrorSeverity worst = UT_ERROR_NONE;
    for (const Entry& e : entries_) worst = std::max(worst, e.severity);
    return worst;
}

int UT_ErrorManager::getErrorMessages(UT_String& messages, UT_ErrorSeverity severity) const
{
    int n = 0;
    for (const Entry& e : entries_) {
        if (e.severity < severity) continue;
        messages += e.text.c_str();
        messages += "\n";
        ++n;
    }
    return n;
}

const std::string& UT_Options::getOptionS(const UT_StringRef& name) const
{
    static const std::string none;
    const auto it = values_.find(name.c_str());
    const auto* s = it == values_.end() ? nullptr : std::get_if<std::string>(&it->second);
    return s ? *s : none;
}

UT_Vector3D UT_Options::getOptionV3(const UT_StringRef& name) const
{
    const auto it = values_.find(name.c_str());
    const auto* v = it == values_.end() ? nullptr : std::get_if<UT_Vector3D>(&it->second);
    return v ? *v : UT_Vector3D(0, 0, 0);
}

namespace
{
std::atomic<exint> mistyped{0};
}
exint standin::mistyped_options() { return mistyped; }

template <class T> fpreal UT_Options::number(const UT_StringRef& name) const
{
    const auto it = values_.find(name.c_str());
    if (it == values_.end()) return 0;
    if (!std::holds_alternative<T>(it->second)) ++mistyped;
    if (const auto* i = std::get_if<int64>(&it->second)) return fpreal(*i);
    if (const auto* b = std::get_if<bool>(&it->second)) return *b;
    if (const auto* f = std::get_if<fpreal>(&it->second)) return *f;
    return 0;
}
template fpreal UT_Options::number<int64>(const UT_StringRef&) const;
template fpreal UT_Options::number<bool>(const UT_StringRef&) const;
template fpreal UT_Options::number<fpreal>(const UT_StringRef&) const;
