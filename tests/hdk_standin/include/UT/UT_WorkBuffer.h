#pragma once
#include <UT/UT_String.h>

#include <cstdio>

class UT_WorkBuffer
{
public:
    UT_WorkBuffer() = default;
    explicit UT_WorkBuffer(const char* text) : text_(text) {}
    const char* buffer() const { return text_.c_str(); }
    operator const char*() const { return text_.c_str(); }
    exint length() const { return exint(text_.size()); }
    bool isstring() const { return !text_.empty(); }
    void clear() { text_.clear(); }
    void append(const char* text) { text_ += text ? text : ""; }
    void append(char c) { text_ += c; }
    void strcpy(const char* text) { text_ = text ? text : ""; }
    void strcat(const char* text) { append(text); }
    template <class... Args> int sprintf(const char* format, Args... args)
    {
        text_.clear();
        return appendSprintf(format, args...);
    }
    template <class... Args> int appendSprintf(const char* format, Args... args)
    {
        const int n = std::snprintf(nullptr, 0, format, args...);
        std::string more(std::size_t(n) + 1, '\0');
        std::snprintf(more.data(), more.size(), format, args...);
        more.pop_back();
        text_ += more;
        return n;
    }
    void copyIntoString(UT_String& s) const { s = text_.c_str(); }

private:
    std::string text_;
};
