#pragma once

#include "core/base/cancel.h"
#include "core/base/log.h"

#include <UT/UT_Interrupt.h>

#include <atomic>
#include <exception>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace selvage::houdini
{

/// Runs `body`; whatever it throws becomes a message for `fail`. Nothing crosses into the host.
template <class Body, class Fail> bool cook_guard(Body&& body, Fail&& fail) noexcept
{
    try {
        body();
        return true;
    } catch (const std::exception& e) {
        fail(e.what());
    } catch (...) {
        fail("Unknown internal error.");
    }
    return false;
}

/// Escape. Houdini may be asked from the thread that cooks only: others hear what it heard last.
class InterruptCancel final : public Cancel
{
public:
    explicit InterruptCancel(const char* operation) : boss_(operation) {}
    bool requested() const override
    {
        if (std::this_thread::get_id() == owner_ && boss_.wasInterrupted(percent_))
            heard_.store(true, std::memory_order_relaxed);
        return heard_.load(std::memory_order_relaxed);
    }
    void set_progress(int percent, const std::string& text)
    {
        percent_ = percent;
        UTgetInterrupt()->setLongOpText(text.c_str());
    }

private:
    const std::thread::id owner_ = std::this_thread::get_id();
    mutable UT_AutoInterrupt boss_;
    mutable std::atomic<bool> heard_{false};
    int percent_ = 0;
};

/// Collects messages until the node shows them.
class MessageList final : public LogSink
{
public:
    void message(Severity severity, const std::string& text) override
    {
        messages.emplace_back(severity, text);
    }
    std::vector<std::pair<Severity, std::string>> messages;
};

} // namespace selvage::houdini
