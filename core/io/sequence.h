#pragma once

#include <string>
#include <vector>

namespace selvage
{

/// File names with a frame number in them: $F, $F4 (four digits), ${F4}, $FF, %d, %04d.
/// Other variables ($NAME, $FPS) are left alone.
bool is_sequence(const std::string& path);

/// The file of one frame. Negative numbers count their sign among the digits, as printf does
/// (-5 becomes "-005"); sub-frames keep their fraction ("0012.25"), so that they do not overwrite
/// the whole frame. A path without a frame number comes back unchanged.
std::string frame_path(const std::string& sequence, double frame);

/// Frames whose files exist, in order. The frame number has to be in the file's name, not in the
/// name of a folder.
std::vector<double> existing_frames(const std::string& sequence);

} // namespace selvage
