#pragma once

#include "core/base/cancel.h"
#include "core/render/raytracer.h"
#include "core/render/scene_description.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace selvage
{

/// How to draw a sequence.
struct RenderOptions {
    /// "cape.mp4", or "cape.png" with the frame number as $F, $F4 or %04d; a plain name gets
    /// ".0001" before its ending when there is more than one frame.
    std::string output;
    int first_frame = 1, last_frame = 1, frame_step = 1;
    double fps = 24; ///< of the movie
    int width = 960, height = 540, samples = 16;

    /// Without a camera: everything in all frames is in view, seen from framing's side.
    std::optional<Camera> camera;
    Framing framing; ///< its aspect and reserved_right are set from the picture
    Lights lights;
    bool ground = true;
    std::optional<double> ground_height; ///< otherwise the lowest point of all frames [m]

    /// Colours cloth and hair that do not ask for an attribute themselves; empty: none.
    std::string color_attribute;
    Coloring coloring;   ///< bounds not given are found over all frames
    std::string caption; ///< $F stands for the frame; empty: none

    bool keep_frames = false;       ///< movies: keep the PNG files too
    std::string encoder = "ffmpeg"; ///< program for movies, looked up on PATH
};

/// The objects of a frame; called twice per frame (to frame the picture, then to draw it).
using FrameSource = std::function<std::vector<RenderObject>(int frame)>;

struct RenderProgress {
    enum class Stage { looking, drawing, encoding } stage = Stage::looking;
    int frame = 0;
    int done = 0, total = 0; ///< frames of this stage
};
using ProgressCallback = std::function<void(const RenderProgress&)>;

struct RenderReport {
    bool cancelled = false;             ///< finished pictures are kept
    std::vector<std::string> frames;    ///< PNG files that exist now
    std::string movie;                  ///< empty: none was made
    std::string message;                ///< what the user should know, or empty
    std::size_t skipped_primitives = 0; ///< the largest number in any frame
    int first_skipped_frame = 0;        ///< where primitives were first skipped
    Camera camera;
    Coloring coloring; ///< as used
};

/// Draws a sequence into PNG files, and those into a movie when the output ends in ".mp4". Without
/// an encoder the PNG files stay in "<name>_frames" beside it, and the report says so.
RenderReport render_sequence(const RenderOptions& options, const FrameSource& source,
                             const Cancel& cancel = NeverCancel(),
                             const ProgressCallback& progress = {});

/// The pattern with $F, $F4 or %04d replaced; without one, ".0001" before the ending when asked.
std::string frame_file_name(const std::string& pattern, int frame, bool number_plain_names);

} // namespace selvage
