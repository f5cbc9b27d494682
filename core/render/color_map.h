#pragma once

#include "core/render/image.h"

#include <array>

namespace selvage
{

enum class ColorMapKind {
    automatic,  ///< diverging where the range spans zero, else sequential
    sequential, ///< dark blue over green to yellow
    diverging,  ///< blue over near white to red; the middle is the middle of the range
};

/// Colours for numbers in [0,1]: even steps of the number look like even steps of lightness, so
/// that the picture shows the data and not the map; readable in grey and with red-green blindness.
class ColorMap
{
public:
    explicit ColorMap(ColorMapKind kind = ColorMapKind::sequential);

    /// Clamped to [0,1]; not-a-number is a mid grey.
    Color operator()(float t) const;

private:
    std::array<Color, 257> table_;
};

/// A colour from the perceptual space OKLCh (lightness 0..1, chroma, hue in degrees), brought into
/// the gamut of sRGB by lowering its chroma.
Color color_from_oklch(float lightness, float chroma, float hue_degrees);

/// Distinct, calm colours for objects without one; repeats after eight.
Color object_color(std::size_t index);

} // namespace selvage
