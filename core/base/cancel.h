#pragma once

#include <atomic>

namespace selvage
{

/// Asked by long loops, at least ten times a second; answers true once the user wants out.
/// Parallel workers may ask, too; a host whose own question is for one thread only (UT_Interrupt)
/// answers them with what that thread heard last.
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
