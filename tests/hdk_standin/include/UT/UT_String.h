#pragma once
#include <UT/UT_StringHolder.h>

/// The older, editable string.
class UT_String
{
public:
    enum UT_StringAlwaysDeep { ALWAYS_DEEP, ALWAYS_SHALLOW };
    UT_String() = default;
    explicit UT_String(UT_StringAlwaysDeep) {}
    UT_String(const char* text, int /*deep*/ = 0) : text_(text ? text : "") {}
    explicit UT_String(const std::string& text) : text_(text) {}
    UT_String(const UT_StringRef& text) : text_(text.c_str()) {}
    UT_String& operator=(const char* text)
    {
        text_ = text ? text : "";
        return *this;
    }

    const char* c_str() const { return text_.c_str(); }
    const char* buffer() const { return text_.c_str(); }
    const char* nonNullBuffer() const { return text_.c_str(); }
    operator const char*() const { return text_.c_str(); }
    bool isstring() const { return !text_.empty(); }
    unsigned length() const { return unsigned(text_.size()); }
    std::string toStdString() const { return text_; }
    int toInt() const { return text_.empty() ? 0 : std::atoi(text_.c_str()); }
    fpreal toFloat() const { return text_.empty() ? 0 : std::atof(text_.c_str()); }
    bool equal(const char* b) const { return text_ == (b ? b : ""); }
    bool operator==(const char* b) const { return equal(b); }
    bool operator!=(const char* b) const { return !equal(b); }
    bool operator==(const UT_String& b) const { return text_ == b.text_; }
    bool operator!=(const UT_String& b) const { return text_ != b.text_; }
    UT_String& operator+=(const char* b)
    {
        text_ += b ? b : "";
        return *this;
    }
    void harden() {}
    void harden(const char* text) { *this = text; }
    void clear() { text_.clear(); }
    void adopt(UT_String& b) { text_.swap(b.text_); }
    bool startsWith(const char* b) const { return text_.rfind(b, 0) == 0; }
    void trimSpace();
    bool multiMatch(const char* pattern) const;
    /// Letters, digits and underscores, not starting with a digit; true if it had to change.
    bool forceValidVariableName();
    template <class... Args> int sprintf(const char* format, Args... args)
    {
        char buffer[4096];
        const int n = std::snprintf(buffer, sizeof buffer, format, args...);
        text_ = buffer;
        return n;
    }

private:
    std::string text_;
};

inline UT_StringRef::UT_StringRef(const UT_String& text) : text_(text.c_str()) {}
inline std::ostream& operator<<(std::ostream& out, const UT_String& s) { return out << s.c_str(); }
