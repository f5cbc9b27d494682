#pragma once

#include "core/model/state.h"
#include "core/session/frame_report.h"

#include <map>
#include <memory>

namespace selvage
{

/// A finished frame.
struct CachedFrame {
    State state;
    FrameReport report;
};

/// Finished frames in memory, up to a limit. The start frame is never dropped, so that whatever was
/// can be simulated again.
class FrameCache
{
public:
    explicit FrameCache(std::size_t byte_limit) : limit_(byte_limit) {}

    void store(int frame, std::shared_ptr<const CachedFrame> entry);
    std::shared_ptr<const CachedFrame> find(int frame) const; ///< null where there is none
    /// The last stored frame not after `frame`, or the first one.
    int latest_until(int frame) const;
    /// Forgets every frame after `frame`.
    void drop_after(int frame);
    void clear();
    /// Drops frames where the new limit is lower.
    void set_limit(std::size_t bytes);
    std::size_t bytes() const { return bytes_; }
    std::size_t size() const { return frames_.size(); }

private:
    void make_room(int keep);

    std::size_t limit_;
    std::size_t bytes_ = 0;
    std::map<int, std::shared_ptr<const CachedFrame>> frames_;
};

} // namespace selvage
