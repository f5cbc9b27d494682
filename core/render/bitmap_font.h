#pragma once

#include "core/render/image.h"

#include <string>

namespace selvage
{

/// A small fixed-width font for captions and legends: ASCII 32–126, each glyph 5 × 9 cells of which
/// the lowest two are below the baseline; other bytes are drawn as '?'.
inline constexpr int font_advance = 6; ///< cells from one character to the next
inline constexpr int font_ascent = 7;  ///< cells above the baseline
inline constexpr int font_height = 9;

/// Whether cell (column, row) of a character is inked; row 0 is the top.
bool font_cell(char character, int column, int row);

/// Width in pixels of a line of text at an integer scale.
int text_width(const std::string& text, int scale);

/// Draws one line with its upper left corner at (x, y), clipped to the picture.
void draw_text(Image& image, int x, int y, const std::string& text, int scale, const Color& color,
               float opacity = 1);

} // namespace selvage
