#pragma once

#include "core/base/cancel.h"

#include <string>
#include <vector>

namespace selvage
{

enum class EncodeStatus { done, cancelled, no_encoder };

/// Makes an MP4 (H.264, yuv420p, BT.709) of PNG frames by running `encoder` (normally "ffmpeg",
/// looked up on PATH) as a child process, without a shell. The movie is written under a temporary
/// name and renamed. Throws FileError with what the encoder said when it fails.
EncodeStatus encode_movie(const std::vector<std::string>& png_files, const std::string& movie,
                          double fps, const std::string& encoder, const Cancel& cancel);

} // namespace selvage
