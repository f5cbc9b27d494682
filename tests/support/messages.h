#pragma once

#include "core/base/error.h"
#include "core/base/log.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace selvage::test
{

/// Keeps all messages, a line each.
class MessageLog final : public LogSink
{
public:
    void message(Severity, const std::string& text) override { all += text + "\n"; }
    std::string all;
};

/// What an InputError says; empty when `body` throws none.
inline std::string message_of(const std::function<void()>& body)
{
    try {
        body();
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

/// Every one of these words is in the message.
inline void expect_says(const std::string& message, const std::vector<std::string>& words)
{
    for (const std::string& w : words)
        EXPECT_NE(message.find(w), std::string::npos) << w << " in: " << message;
}

} // namespace selvage::test
