#pragma once

#include "core/session/session.h"
#include "core/shot/shot_file.h"

#include <map>
#include <string>

namespace selvage
{

/// Writes finished frames: one file per frame and object, or, for .usda and .pc2, one file per
/// object that is put together when the range is finished. Until then its frames (parts) lie in a
/// hidden folder beside the output, where a resumed run finds them.
///
/// That folder is named after the files that the shot writes, so that shots which share an output
/// folder keep their checkpoints and parts apart, and a renamed shot file still finds its own.
class ShotOutput
{
public:
    explicit ShotOutput(const Shot& shot);

    /// Removes what killed runs left half-written in the folders that will be written to.
    void remove_leftovers() const;
    /// Throws InputError where a run that goes on after frame `done` will miss parts of the frames
    /// before, since they were put together and removed when an earlier range was finished.
    void check_resume(int first, int done, int last) const;

    void write(int frame, const FrameResult& result);
    /// All frames are there: assembles single-file outputs and removes what was kept for them. May
    /// be killed at any point and called again.
    void finish(int first, int last);
    /// The hidden folder for checkpoints and parts.
    const std::string& work_folder() const { return work_folder_; }

private:
    struct Target {
        std::string path;      ///< final name, perhaps with $F
        std::string parts;     ///< frames of a single-file output, with $F4; empty for sequences
        std::string assembled; ///< says that `path` holds the parts, and of which frames
    };
    static bool is_assembled(const Target& t, int first, int last);
    const Shot* shot_;
    std::string work_folder_;
    std::map<std::string, Target> targets_;
};

} // namespace selvage
