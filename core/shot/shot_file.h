#pragma once

#include "core/session/session_setup.h"

#include <string>
#include <utility>
#include <vector>

namespace selvage
{

/// A shot file with its inputs opened (not yet read).
struct Shot {
    std::string path;
    std::string folder; ///< paths in the file are relative to it
    SessionSetup setup;
    /// Files and sequences that are read while frames are written: absolute, with $F left.
    std::vector<std::string> inputs;

    /// Where an object's frames go: absolute, with $NAME filled in and $F left.
    std::string output_path(const std::string& object) const;
    /// Equal for equal parameters, whatever the order they were written in, and wherever the range
    /// ends.
    std::string fingerprint() const;
};

/// "key=value" overrides as given to --set: "substeps=4", "solver.tolerance=1e-3",
/// "cloth.cape.material=denim", "cloth.*.pins.stiffness=100", "colliders.body.friction=0.2".
using Overrides = std::vector<std::pair<std::string, std::string>>;

/// Throws InputError on bad JSON (with line and column), keys that are unknown (with the nearest
/// known one) or given twice, wrong types, values out of range and missing required keys. Takes at
/// most 64 times the memory of the text, and 1 MiB.
Shot read_shot(const std::string& path, const Overrides& overrides = {});
Shot parse_shot(const std::string& json, const std::string& path, const Overrides& overrides = {});

} // namespace selvage
