#include "core/render/denoise.h"

#include "core/base/parallel.h"

#include <algorithm>
#include <cmath>

namespace selvage
{
namespace
{

constexpr int passes = 5;
constexpr float kernel[3] = {3.0f / 8, 1.0f / 4, 1.0f / 16};
constexpr float least_color = 0.02f; // darker surfaces are divided by this

struct Light {
    Color value;
    float variance;
};

float power_64(float x)
{
    for (int i = 0; i < 6; ++i) x *= x;
    return x;
}

class Filter
{
public:
    Filter(int width, int height, const std::vector<PixelFeature>& features)
        : width_(width), height_(height), features_(features)
    {
    }

    void pass(const std::vector<Light>& in, std::vector<Light>& out, int stride) const
    {
        parallel_for(std::size_t(height_), 4, [&](std::size_t y) {
            for (int x = 0; x < width_; ++x) smooth(in, out, x, int(y), stride);
        });
    }

private:
    std::size_t at(int x, int y) const
    {
        return std::size_t(y) * std::size_t(width_) + std::size_t(x);
    }

    /// Estimates from few samples are themselves noisy: average over 3 × 3 pixels.
    float noise(const std::vector<Light>& in, int x, int y) const
    {
        float sum = 0, weight = 0;
        for (int j = std::max(0, y - 1); j <= std::min(height_ - 1, y + 1); ++j)
            for (int i = std::max(0, x - 1); i <= std::min(width_ - 1, x + 1); ++i)
                if (features_[at(i, j)].surface == features_[at(x, y)].surface) {
                    const float w = (i == x ? 2.0f : 1.0f) * (j == y ? 2.0f : 1.0f);
                    sum += w * in[at(i, j)].variance;
                    weight += w;
                }
        return std::sqrt(sum / weight);
    }

    void smooth(const std::vector<Light>& in, std::vector<Light>& out, int x, int y,
                int stride) const
    {
        const std::size_t here = at(x, y);
        const PixelFeature& f = features_[here];
        out[here] = in[here];
        if (f.surface == PixelFeature::mixed) return;
        const float level = luminance(in[here].value);
        const float tolerance = 3.0f * noise(in, x, y) + 4e-3f;
        Color sum = Color::Zero();
        float weight = 0, variance = 0;
        for (int j = -2; j <= 2; ++j)
            for (int i = -2; i <= 2; ++i) {
                const int px = x + i * stride, py = y + j * stride;
                if (px < 0 || py < 0 || px >= width_ || py >= height_) continue;
                const PixelFeature& g = features_[at(px, py)];
                if (g.surface != f.surface) continue;
                const Light& light = in[at(px, py)];
                const float alike = std::max(0.0f, f.normal.dot(g.normal));
                const float off_plane = std::abs(f.normal.dot(g.position - f.position)) /
                                        (f.pixel_size * float(stride));
                const float contrast = std::abs(luminance(light.value) - level) / tolerance;
                const float w = kernel[std::abs(i)] * kernel[std::abs(j)] * power_64(alike) *
                                std::exp(-off_plane - contrast);
                sum += w * light.value;
                variance += w * w * light.variance;
                weight += w;
            }
        if (weight <= 0) return;
        out[here] = {sum / weight, variance / (weight * weight)};
    }

    int width_, height_;
    const std::vector<PixelFeature>& features_;
};

} // namespace

void denoise(Image& image, const std::vector<PixelFeature>& features)
{
    const int w = image.width(), h = image.height();
    std::vector<Light> light(features.size()), next(features.size());
    for (std::size_t i = 0; i < features.size(); ++i) {
        const Color& c = image.at(int(i % std::size_t(w)), int(i / std::size_t(w)));
        light[i] = {c.cwiseQuotient(features[i].color.cwiseMax(least_color)), features[i].variance};
    }
    const Filter filter(w, h, features);
    for (int p = 0; p < passes; ++p) {
        filter.pass(light, next, 1 << p);
        light.swap(next);
    }
    for (std::size_t i = 0; i < features.size(); ++i)
        if (features[i].surface != PixelFeature::mixed)
            image.at(int(i % std::size_t(w)), int(i / std::size_t(w))) =
                light[i].value.cwiseProduct(features[i].color.cwiseMax(least_color));
}

} // namespace selvage
