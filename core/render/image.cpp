#include "core/render/image.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace selvage
{
namespace
{

/// In (-½, ½): neighbouring pixels differ much, their mean over small windows is near 0
/// ("interleaved gradient noise", Jimenez 2014).
float dither_offset(int x, int y)
{
    const double a = 0.06711056 * x + 0.00583715 * y;
    const double b = 52.9829189 * (a - std::floor(a));
    return float(b - std::floor(b)) - 0.5f;
}

std::uint8_t quantise(float linear, float offset)
{
    if (!(linear > 0)) return 0;
    const float signal = 255 * srgb_from_linear(std::min(linear, 1.0f));
    // Exact black and white stay as they are: a pattern there would be visible.
    if (signal >= 255) return 255;
    return std::uint8_t(std::clamp(signal + 0.5f + offset, 0.0f, 255.0f));
}

} // namespace

float srgb_from_linear(float c)
{
    return c <= 0.0031308f ? 12.92f * c : 1.055f * std::pow(c, 1 / 2.4f) - 0.055f;
}

float linear_from_srgb(float s)
{
    return s <= 0.04045f ? s / 12.92f : std::pow((s + 0.055f) / 1.055f, 2.4f);
}

Color color_from_srgb(float r, float g, float b)
{
    return {linear_from_srgb(r), linear_from_srgb(g), linear_from_srgb(b)};
}

Color tone_map(const Color& c)
{
    constexpr float knee = 0.7f;
    const auto shoulder = [](float v) {
        return v <= knee ? v : 1 - (1 - knee) * std::exp(-(v - knee) / (1 - knee));
    };
    return {shoulder(c.x()), shoulder(c.y()), shoulder(c.z())};
}

Image::Image(int width, int height, const Color& fill) : width_(width), height_(height)
{
    if (width < 1 || height < 1 || width > 32768 || height > 32768)
        throw InputError("A picture of " + std::to_string(width) + " x " + std::to_string(height) +
                         " pixels is not possible. Choose 1 to 32768 in each direction.");
    pixels_.assign(std::size_t(width) * std::size_t(height), fill);
}

Color Image::sample(float x, float y) const
{
    const float u = std::clamp(x - 0.5f, 0.0f, float(width_ - 1));
    const float v = std::clamp(y - 0.5f, 0.0f, float(height_ - 1));
    const int x0 = int(u), y0 = int(v);
    const int x1 = std::min(x0 + 1, width_ - 1), y1 = std::min(y0 + 1, height_ - 1);
    const float a = u - float(x0), b = v - float(y0);
    return (1 - b) * ((1 - a) * at(x0, y0) + a * at(x1, y0)) +
           b * ((1 - a) * at(x0, y1) + a * at(x1, y1));
}

void Image::blend_rectangle(int x, int y, int w, int h, const Color& color, float opacity)
{
    for (int j = std::max(y, 0); j < std::min(y + h, height_); ++j)
        for (int i = std::max(x, 0); i < std::min(x + w, width_); ++i)
            at(i, j) = (1 - opacity) * at(i, j) + opacity * color;
}

bool Image::operator==(const Image& other) const
{
    return width_ == other.width_ && height_ == other.height_ && pixels_ == other.pixels_;
}

Image8 to_8_bit(const Image& image, Dither dither)
{
    Image8 out;
    out.width = image.width();
    out.height = image.height();
    out.rgb.reserve(std::size_t(out.width) * std::size_t(out.height) * 3);
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const float offset = dither == Dither::ordered ? 0.98f * dither_offset(x, y) : 0;
            for (int c = 0; c < 3; ++c) out.rgb.push_back(quantise(image.at(x, y)[c], offset));
        }
    return out;
}

Image downsample(const Image& image, int width, int height)
{
    Image out(width, height);
    const double sx = double(image.width()) / width, sy = double(image.height()) / height;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            if (sx < 1 || sy < 1) {
                out.at(x, y) = image.sample(float((x + 0.5) * sx), float((y + 0.5) * sy));
                continue;
            }
            Color sum = Color::Zero();
            double area = 0;
            for (int j = int(y * sy); j < std::min(image.height(), int(std::ceil((y + 1) * sy)));
                 ++j)
                for (int i = int(x * sx); i < std::min(image.width(), int(std::ceil((x + 1) * sx)));
                     ++i) {
                    const double w = std::min((x + 1) * sx, i + 1.0) - std::max(x * sx, double(i));
                    const double h = std::min((y + 1) * sy, j + 1.0) - std::max(y * sy, double(j));
                    sum += float(w * h) * image.at(i, j);
                    area += w * h;
                }
            out.at(x, y) = sum / float(area);
        }
    return out;
}

} // namespace selvage
