#include "core/render/legend.h"

#include "core/render/attribute_values.h"
#include "core/render/bitmap_font.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

namespace selvage
{
namespace
{

const Color ink(0.025f, 0.027f, 0.032f);

int text_scale(int height) { return std::max(1, (height + 90) / 300); }

double tick_step(double low, double high, int wanted)
{
    const double raw = (high - low) / std::max(wanted, 1);
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    for (const double nice : {1.0, 2.0, 5.0})
        if (nice * power >= raw * 0.999) return nice * power;
    return 10 * power;
}

} // namespace

std::vector<double> nice_ticks(double low, double high, int wanted)
{
    std::vector<double> ticks;
    if (!(high > low) || !std::isfinite(high - low)) return ticks;
    const double step = tick_step(low, high, wanted);
    const double slack = 1e-6 * step;
    for (double k = std::ceil((low - slack) / step); k * step <= high + slack; ++k)
        ticks.push_back(k * step + 0.0); // adding 0 turns -0 into 0
    return ticks;
}

std::string tick_label(double value, double step)
{
    char text[32];
    if (step < 1e-4 || std::abs(value) >= 1e5) {
        std::snprintf(text, sizeof text, "%.3g", value);
        return text;
    }
    const int decimals = std::max(0, int(std::ceil(-std::log10(step) - 1e-6)));
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    return text;
}

double legend_width(int width, int height)
{
    const int s = text_scale(height);
    return std::min(0.3, double(13 * font_advance * s) / width);
}

void draw_legend(Image& image, const Coloring& coloring, const std::string& attribute)
{
    if (!coloring.low || !coloring.high) return;
    const AttributeUnit known = attribute_unit(attribute);
    const std::string unit = coloring.unit.empty() ? known.unit : coloring.unit;
    const double scale = coloring.unit.empty() ? known.scale : 1;
    const std::string title = (coloring.title.empty() ? attribute : coloring.title) +
                              (unit.empty() ? "" : " [" + unit + "]");
    const int s = text_scale(image.height()), margin = 8 * s;
    const int bar_width = 7 * s, bar_height = int(0.46 * image.height());
    const int top = (image.height() - bar_height) / 2;
    const double low = *coloring.low * scale, high = *coloring.high * scale;
    const std::vector<double> ticks = nice_ticks(low, high, 5);
    const double step = ticks.size() > 1 ? ticks[1] - ticks[0] : high - low;

    int label_width = 0;
    for (const double t : ticks)
        label_width = std::max(label_width, text_width(tick_label(t, step), s));
    const int bar_x = image.width() - margin - label_width - 5 * s - bar_width;
    const int title_x = std::max(0, std::min(bar_x, image.width() - margin - text_width(title, s)));
    draw_text(image, title_x, top - (font_height + 5) * s, title, s, ink, 0.9f);

    const ColorMap map(coloring.map);
    const int border = std::max(1, s / 2);
    image.blend_rectangle(bar_x - border, top - border, bar_width + 2 * border,
                          bar_height + 2 * border, ink, 0.55f);
    for (int y = 0; y < bar_height; ++y)
        image.blend_rectangle(bar_x, top + y, bar_width, 1,
                              map(1 - (float(y) + 0.5f) / float(bar_height)));
    for (const double t : ticks) {
        const int y = top + int(std::lround((high - t) / (high - low) * (bar_height - 1)));
        image.blend_rectangle(bar_x + bar_width, y, 2 * s, border, ink, 0.8f);
        draw_text(image, bar_x + bar_width + 4 * s, y - font_ascent * s / 2, tick_label(t, step), s,
                  ink, 0.9f);
    }
}

void draw_caption(Image& image, const std::string& caption)
{
    std::vector<std::string> lines;
    std::istringstream in(caption);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    const int s = text_scale(image.height()), margin = 8 * s, spacing = (font_height + 3) * s;
    for (std::size_t i = 0; i < lines.size(); ++i)
        draw_text(image, margin,
                  image.height() - margin - font_ascent * s - int(lines.size() - 1 - i) * spacing,
                  lines[i], s, ink, 0.85f);
}

void draw_overlays(Image& image, const SceneDescription& scene, const Coloring& coloring)
{
    const auto colored = std::find_if(scene.objects.begin(), scene.objects.end(),
                                      [](const auto& o) { return !o.color_attribute.empty(); });
    if (coloring.legend && colored != scene.objects.end())
        draw_legend(image, coloring, colored->color_attribute);
    draw_caption(image, scene.caption);
}

} // namespace selvage
