#pragma once

#include "core/session/session.h"
#include "core/shot/shot_file.h"

#include <map>
#include <string>

namespace selvage
{

/// Writes finished frames: one file per frame and object, or, for .usda and .pc2, one file per
/// object that is put together when the range is finished. Until then its frames lie in a hidden
/// folder beside the output, where a resumed run finds them.
class ShotOutput
{
public:
    explicit ShotOutput(const Shot& shot);

    void write(int frame, const FrameResult& result);
    /// All frames are there: assembles single-file outputs and removes what was kept for them.
    void finish(int first, int last);
    /// The hidden folder for checkpoints and parts.
    const std::string& work_folder() const { return work_folder_; }

private:
    struct Target {
        std::string path;  ///< final name, perhaps with $F
        std::string parts; ///< frames of a single-file output, with $F4; empty for sequences
    };
    const Shot* shot_;
    std::string work_folder_;
    std::map<std::string, Target> targets_;
};

} // namespace selvage
