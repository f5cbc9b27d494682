#pragma once

#include <atomic>

namespace selvage
{

/// Asked by long loops, at least ten times a second; answers true once the user wants out.
/// Polled from the calling thread only, never from parallel workers (UT_Interrupt demands that).
class Cancel
{
public:
    virtual ~Cancel() = default;
    virtual bool requested() const = 0;
};

class NeverCancel final : public Cancel
{
public:
    bool requested() const override { return false; }
};

/// Set from a signal handler or another thread.
class CancelFlag final : public Cancel
{
public:
    void request() { flag_.store(true, std::memory_order_relaxed); }
    bool requested() const override { return flag_.load(std::memory_order_relaxed); }

private:
    std::atomic<bool> flag_{false};
};

} // namespace selvage
