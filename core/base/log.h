#pragma once

#include <string>

namespace selvage
{

enum class Severity { info, warning, error };

/// Where messages go. The core never prints: hosts implement this (terminal, Houdini's node
/// errors, a test's vector of strings). Called from the thread that runs the session only.
class LogSink
{
public:
    virtual ~LogSink() = default;
    virtual void message(Severity severity, const std::string& text) = 0;
};

/// Swallows everything.
class NullLog final : public LogSink
{
public:
    void message(Severity, const std::string&) override {}
};

} // namespace selvage
