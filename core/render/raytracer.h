#pragma once

#include "core/base/cancel.h"
#include "core/render/image.h"
#include "core/render/scene_description.h"

#include <memory>

namespace selvage
{

/// What went into a picture.
struct RenderCounts {
    std::size_t triangles = 0;
    std::size_t strand_segments = 0;
    std::size_t skipped_primitives = 0; ///< with points that are not finite, or too few corners
    std::size_t uncolored_objects = 0;  ///< that lack the attribute asked for
};

/// Draws scenes by tracing rays.
///
/// Per pixel: stratified samples with a tent filter; at each hit one ray to a random point of the
/// key light's disk and one into the sky. The same scene gives the same bits for any number of
/// threads: samples depend on the pixel alone, and the search tree is built by one thread.
class Raytracer
{
public:
    /// Keeps no reference to `scene`. Throws InputError on impossible settings.
    explicit Raytracer(const SceneDescription& scene);
    ~Raytracer();
    Raytracer(const Raytracer&) = delete;
    Raytracer& operator=(const Raytracer&) = delete;

    /// False when cancelled; the picture is then unfinished. Does not draw caption and legend.
    bool render(Image& image, const Cancel& cancel = NeverCancel()) const;
    const RenderCounts& counts() const;
    /// Bounds and map that were used for colours; bounds are absent if nothing was coloured.
    const Coloring& coloring() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// The whole picture, with legend and caption.
RenderCounts render_image(const SceneDescription& scene, Image& image);

} // namespace selvage
