#pragma once

#include <Eigen/Core>

#include <cstdint>
#include <vector>

namespace selvage
{

/// Linear-light RGB with the primaries of sRGB; 1 is the display's white.
using Color = Eigen::Vector3f;

/// The transfer curve of sRGB, per channel: linear light in [0,1] to signal in [0,1] and back.
float srgb_from_linear(float linear);
float linear_from_srgb(float signal);
Color color_from_srgb(float r, float g, float b);

inline float luminance(const Color& c) { return c.dot(Color(0.2126f, 0.7152f, 0.0722f)); }

/// Soft shoulder: identity up to 0.7, then approaching 1 with a continuous slope, so that bright
/// folds keep their shape instead of clipping.
Color tone_map(const Color& scene_light);

/// Picture in linear light. Row 0 is the top; pixel (x, y) covers [x,x+1] × [y,y+1].
class Image
{
public:
    Image() = default;
    Image(int width, int height, const Color& fill = Color::Zero());

    int width() const { return width_; }
    int height() const { return height_; }
    bool empty() const { return pixels_.empty(); }

    Color& at(int x, int y)
    {
        return pixels_[std::size_t(y) * std::size_t(width_) + std::size_t(x)];
    }
    const Color& at(int x, int y) const
    {
        return pixels_[std::size_t(y) * std::size_t(width_) + std::size_t(x)];
    }
    bool contains(int x, int y) const { return x >= 0 && y >= 0 && x < width_ && y < height_; }

    /// Bilinear between pixel centres; coordinates in pixels, clamped to the border.
    Color sample(float x, float y) const;
    /// Mixes a rectangle (clipped to the picture) towards `color`.
    void blend_rectangle(int x, int y, int w, int h, const Color& color, float opacity = 1);

    bool operator==(const Image& other) const;

private:
    int width_ = 0, height_ = 0;
    std::vector<Color> pixels_;
};

/// 8-bit sRGB, three bytes per pixel, rows from the top.
struct Image8 {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;
};

enum class Dither { none, ordered };

/// Quantises; `ordered` adds a fixed pattern of less than one step, which hides the bands that soft
/// gradients would show. Not-a-number becomes black.
Image8 to_8_bit(const Image& image, Dither dither = Dither::ordered);

/// Averages over each target pixel's footprint, its ends weighted by coverage.
Image downsample(const Image& image, int width, int height);

} // namespace selvage
