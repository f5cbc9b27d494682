#include "core/render/color_map.h"

#include <cmath>
#include <vector>

namespace selvage
{
namespace
{

struct Stop {
    float t, lightness, chroma, hue;
};

/// Lightness rises at an even rate; the hue turns from violet-blue to yellow and chroma stays as
/// high as the gamut allows along the way.
const std::vector<Stop>& sequential_stops()
{
    static const std::vector<Stop> stops = {
        {0.00f, 0.330f, 0.135f, 290}, {0.15f, 0.419f, 0.135f, 275}, {0.30f, 0.508f, 0.108f, 248},
        {0.45f, 0.598f, 0.100f, 208}, {0.60f, 0.687f, 0.120f, 168}, {0.75f, 0.776f, 0.155f, 142},
        {0.88f, 0.854f, 0.170f, 118}, {1.00f, 0.925f, 0.175f, 105}};
    return stops;
}

/// Both arms fall in lightness at the same rate from a warm white. No stop changes hue by going
/// round the circle: the two colours meet where chroma is nearly zero.
const std::vector<Stop>& diverging_stops()
{
    static const std::vector<Stop> stops = {
        {0.00f, 0.38f, 0.125f, 262}, {0.25f, 0.64f, 0.115f, 250}, {0.42f, 0.85f, 0.045f, 243},
        {0.50f, 0.94f, 0.0f, 240},   {0.50f, 0.94f, 0.0f, 60},    {0.58f, 0.85f, 0.050f, 50},
        {0.75f, 0.64f, 0.150f, 37},  {1.00f, 0.38f, 0.140f, 24}};
    return stops;
}

/// OKLab (Ottosson 2020) to linear sRGB.
Color color_from_oklab(float L, float a, float b)
{
    const float l = std::pow(L + 0.3963377774f * a + 0.2158037573f * b, 3.0f);
    const float m = std::pow(L - 0.1055613458f * a - 0.0638541728f * b, 3.0f);
    const float s = std::pow(L - 0.0894841775f * a - 1.2914855480f * b, 3.0f);
    return {4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s,
            -1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s,
            -0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s};
}

Color interpolate(const std::vector<Stop>& stops, float t)
{
    std::size_t i = 1;
    while (i + 1 < stops.size() && (t > stops[i].t || stops[i].t == stops[i - 1].t)) ++i;
    const Stop &p = stops[i - 1], &q = stops[i];
    const float w = (t - p.t) / (q.t - p.t);
    const auto mix = [w](float from, float to) { return (1 - w) * from + w * to; };
    return color_from_oklch(mix(p.lightness, q.lightness), mix(p.chroma, q.chroma),
                            mix(p.hue, q.hue));
}

} // namespace

Color color_from_oklch(float lightness, float chroma, float hue_degrees)
{
    const float h = hue_degrees * float(M_PI / 180);
    const auto with_chroma = [&](float c) {
        return color_from_oklab(lightness, c * std::cos(h), c * std::sin(h));
    };
    const auto inside = [](const Color& c) { return c.minCoeff() >= 0 && c.maxCoeff() <= 1; };
    // Bisection rather than steps: neighbouring colours of a map must stay neighbours.
    float low = 0, high = chroma;
    if (inside(with_chroma(chroma))) low = chroma;
    for (int i = 0; i < 24 && low < high; ++i) {
        const float middle = 0.5f * (low + high);
        (inside(with_chroma(middle)) ? low : high) = middle;
    }
    return with_chroma(low).cwiseMax(0.0f).cwiseMin(1.0f);
}

ColorMap::ColorMap(ColorMapKind kind)
{
    const auto& stops = kind == ColorMapKind::diverging ? diverging_stops() : sequential_stops();
    for (std::size_t i = 0; i < table_.size(); ++i)
        table_[i] = interpolate(stops, float(i) / float(table_.size() - 1));
}

Color ColorMap::operator()(float t) const
{
    if (std::isnan(t)) return Color::Constant(0.2f);
    const float k = std::min(std::max(t, 0.0f), 1.0f) * float(table_.size() - 1);
    const std::size_t i = std::min(std::size_t(k), table_.size() - 2);
    const float w = k - float(i);
    return (1 - w) * table_[i] + w * table_[i + 1];
}

Color object_color(std::size_t index)
{
    // Lightness, chroma and hue; neighbours in the list are far apart in hue.
    constexpr std::array<std::array<float, 3>, 8> palette = {{{0.58f, 0.115f, 245},
                                                              {0.66f, 0.130f, 45},
                                                              {0.64f, 0.100f, 160},
                                                              {0.58f, 0.120f, 345},
                                                              {0.76f, 0.120f, 90},
                                                              {0.55f, 0.120f, 295},
                                                              {0.68f, 0.090f, 205},
                                                              {0.60f, 0.130f, 25}}};
    const auto& p = palette[index % palette.size()];
    return color_from_oklch(p[0], p[1], p[2]);
}

} // namespace selvage
