#pragma once

#include "core/render/scene_description.h"

#include <string>
#include <vector>

namespace selvage
{

/// Round numbers (1, 2 or 5 times a power of ten) within [low, high], about `wanted` of them.
std::vector<double> nice_ticks(double low, double high, int wanted);

/// The number with just the digits that tell neighbouring ticks apart.
std::string tick_label(double value, double step);

/// Width of the legend as a part of the picture, for Framing::reserved_right.
double legend_width(int width, int height);

/// Colour bar on the right with ticks, title and unit; `coloring` has its bounds.
void draw_legend(Image& image, const Coloring& coloring, const std::string& attribute);

/// One or more lines in the lower left corner.
void draw_caption(Image& image, const std::string& caption);

/// Legend (when an object is coloured by an attribute) and caption.
void draw_overlays(Image& image, const SceneDescription& scene, const Coloring& coloring);

} // namespace selvage
