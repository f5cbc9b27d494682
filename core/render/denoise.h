#pragma once

#include "core/render/image.h"

#include <cstdint>
#include <vector>

namespace selvage
{

/// What a pixel shows, as far as that helps to tell noise from detail.
struct PixelFeature {
    /// Pixels are smoothed among those of the same surface only; mixed ones are left alone.
    static constexpr std::int32_t mixed = -1;
    std::int32_t surface = mixed;
    Eigen::Vector3f position, normal; ///< means over the pixel
    Color color;                      ///< of the surface, without light
    float pixel_size = 0;             ///< of a pixel at that distance [m]
    float variance = 0;               ///< of the pixel's mean light (luminance / color's luminance)
};

/// Smooths the light on surfaces (picture divided by surface colour) and leaves outlines, textures
/// and shadows alone: an edge-avoiding wavelet filter (Dammertz et al. 2010) whose tolerance for
/// differences in light follows the measured noise (Schied et al. 2017). `features` has one entry
/// per pixel, rows from the top.
void denoise(Image& image, const std::vector<PixelFeature>& features);

} // namespace selvage
