#pragma once

#include "core/render/image.h"

#include <string>

namespace selvage
{

/// Writes a picture as PNG (8-bit RGB, tagged sRGB) under a temporary name in the same folder and
/// renames it, so that a half-written file never stands under `path`. Throws FileError.
void write_png(const std::string& path, const Image8& image);
void write_png(const std::string& path, const Image& image, Dither dither = Dither::ordered);

/// Reads any PNG as 8-bit RGB (transparency is dropped). Throws FileError.
Image8 read_png(const std::string& path);

} // namespace selvage
