#pragma once

#include "core/base/log.h"
#include "core/session/session_setup.h"

namespace selvage
{

/// The same set-up with every input in metres: `P`, `v`, `rest` and the lengths `restlength`,
/// `pscale` and `width` times the shot's `unit`. Parameters are physical and stay as they are.
SessionSetup in_metres(const SessionSetup& setup);

/// Warns of an object larger than any costume or curtain: most likely centimetres taken for metres;
/// and of one so far from the origin that its places are coarse. Throws InputError where it is too
/// far to be told from a point. In metres; `who` starts the message.
void judge_size_and_place(const std::string& who, const Geometry& geometry, double unit,
                          LogSink& log);

} // namespace selvage
