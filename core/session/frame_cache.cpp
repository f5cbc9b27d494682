#include "core/session/frame_cache.h"

#include <cassert>

namespace selvage
{

void FrameCache::store(int frame, std::shared_ptr<const CachedFrame> entry)
{
    const auto old = frames_.find(frame);
    if (old != frames_.end()) bytes_ -= old->second->state.bytes();
    bytes_ += entry->state.bytes();
    frames_[frame] = std::move(entry);
    make_room(frame);
}

void FrameCache::make_room(int keep)
{
    // Oldest first, but neither the start frame nor the newest one.
    auto it = frames_.begin();
    if (it != frames_.end()) ++it;
    while (bytes_ > limit_ && it != frames_.end()) {
        if (it->first == keep) {
            ++it;
            continue;
        }
        bytes_ -= it->second->state.bytes();
        it = frames_.erase(it);
    }
}

void FrameCache::set_limit(std::size_t bytes)
{
    limit_ = bytes;
    if (!frames_.empty()) make_room(frames_.rbegin()->first);
}

std::shared_ptr<const CachedFrame> FrameCache::find(int frame) const
{
    const auto it = frames_.find(frame);
    return it == frames_.end() ? nullptr : it->second;
}

int FrameCache::latest_until(int frame) const
{
    assert(!frames_.empty());
    const auto after = frames_.upper_bound(frame);
    return after == frames_.begin() ? after->first : std::prev(after)->first;
}

void FrameCache::drop_after(int frame)
{
    for (auto it = frames_.upper_bound(frame); it != frames_.end(); it = frames_.erase(it))
        bytes_ -= it->second->state.bytes();
}

void FrameCache::clear()
{
    frames_.clear();
    bytes_ = 0;
}

} // namespace selvage
