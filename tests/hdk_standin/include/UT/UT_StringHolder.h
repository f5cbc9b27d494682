#pragma once
#include <SYS/SYS_Types.h>

#include <functional>
#include <ostream>
#include <string>

class UT_String;

/// A string constant that others may keep. The stand-in always owns its text.
class UT_StringRef
{
public:
    UT_StringRef() = default;
    UT_StringRef(const char* text) : text_(text ? text : "") {}
    UT_StringRef(const std::string& text) : text_(text) {}
    UT_StringRef(const UT_String& text);

    const char* c_str() const { return text_.c_str(); }
    const char* buffer() const { return text_.c_str(); }
    exint length() const { return exint(text_.size()); }
    bool isstring() const { return !text_.empty(); }
    bool isEmpty() const { return text_.empty(); }
    operator const char*() const { return text_.c_str(); }
    std::string toStdString() const { return text_; }
    char operator[](exint i) const { return text_[std::size_t(i)]; }
    bool equal(const char* b) const { return text_ == (b ? b : ""); }
    bool startsWith(const UT_StringRef& b) const { return text_.rfind(b.text_, 0) == 0; }
    bool endsWith(const UT_StringRef& b) const
    {
        return text_.size() >= b.text_.size() &&
               text_.compare(text_.size() - b.text_.size(), b.text_.size(), b.text_) == 0;
    }
    bool contains(const char* part) const { return text_.find(part) != std::string::npos; }
    exint toInt() const { return text_.empty() ? 0 : std::strtoll(text_.c_str(), nullptr, 10); }
    fpreal toFloat() const { return text_.empty() ? 0 : std::strtod(text_.c_str(), nullptr); }
    std::size_t hash() const { return std::hash<std::string>()(text_); }

    bool operator==(const UT_StringRef& b) const { return text_ == b.text_; }
    bool operator!=(const UT_StringRef& b) const { return text_ != b.text_; }
    bool operator<(const UT_StringRef& b) const { return text_ < b.text_; }
    bool operator==(const char* b) const { return equal(b); }
    bool operator!=(const char* b) const { return !equal(b); }

protected:
    std::string text_;
};

class UT_StringHolder : public UT_StringRef
{
public:
    using UT_StringRef::UT_StringRef;
    UT_StringHolder() = default;
    UT_StringHolder(const UT_StringRef& b) : UT_StringRef(b) {}
    UT_StringHolder& operator+=(const char* b)
    {
        text_ += b;
        return *this;
    }
    void clear() { text_.clear(); }
    template <class... Args> int sprintf(const char* format, Args... args)
    {
        char buffer[4096];
        const int n = std::snprintf(buffer, sizeof buffer, format, args...);
        text_ = buffer;
        return n;
    }
    static const UT_StringHolder theEmptyString;
};
inline const UT_StringHolder UT_StringHolder::theEmptyString;

inline std::ostream& operator<<(std::ostream& out, const UT_StringRef& s)
{
    return out << s.c_str();
}

namespace UT
{
inline namespace Literal
{
inline UT_StringHolder operator""_sh(const char* text, std::size_t n)
{
    return UT_StringHolder(std::string(text, n));
}
inline UT_StringHolder operator""_UTsh(const char* text, std::size_t n)
{
    return UT_StringHolder(std::string(text, n));
}
} // namespace Literal
} // namespace UT
using UT::Literal::operator""_sh;
using UT::Literal::operator""_UTsh;

namespace std
{
template <> struct hash<UT_StringHolder> {
    std::size_t operator()(const UT_StringHolder& s) const { return s.hash(); }
};
} // namespace std
