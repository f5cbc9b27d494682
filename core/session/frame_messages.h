#pragma once

#include "core/base/log.h"
#include "core/model/scene.h"
#include "core/session/frame_report.h"

#include <string>
#include <vector>

namespace selvage
{

struct Message {
    Severity severity;
    std::string text;
};

/// What an artist should know about a frame that was simulated, beyond its figures; `before` is the
/// report of the frame before it.
std::vector<Message> frame_messages(const Scene& scene, const FrameReport& report,
                                    const FrameReport& before);

/// 1 for each vertex that does not collide with something for now, 0 for others; empty where all
/// do.
VecX released_points(const Scene& scene, const Releases& releases);

} // namespace selvage
