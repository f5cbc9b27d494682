#pragma once

#include "core/base/log.h"
#include "core/session/session_setup.h"

namespace selvage
{

/// The same set-up with every input in metres: `P`, `v`, `rest` and the lengths `restlength`,
/// `pscale` and `width` times the shot's `unit`. Parameters are physical and stay as they are.
SessionSetup in_metres(const SessionSetup& setup);

/// Warns of an object larger than any costume or curtain: most likely centimetres taken for metres.
/// x [m]; `who` starts the message.
void warn_of_giants(const std::string& who, const VecX& x, double unit, LogSink& log);

} // namespace selvage
