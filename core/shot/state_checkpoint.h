#pragma once

#include "core/io/checkpoint.h"
#include "core/model/state.h"

#include <optional>
#include <string>

namespace selvage
{

/// A frame's State on disk, with what is needed to know that it belongs to this shot.
struct SavedState {
    int frame = 0;
    State state;
    std::string fingerprint; ///< of the shot's parameters
};

/// As named arrays, for files and hosts that keep states themselves; the way back throws
/// std::exception where something is missing.
Checkpoint checkpoint_of(const SavedState& saved);
SavedState state_of(const Checkpoint& checkpoint);

/// Writes checkpoint `frame` into the folder and removes all but the two newest.
void save_state(const std::string& folder, const SavedState& saved);

/// The newest readable checkpoint not after `last`; damaged ones are passed over.
std::optional<SavedState> load_latest_state(const std::string& folder, int last);

/// Removes the checkpoints after a frame.
void remove_states_after(const std::string& folder, int frame);

} // namespace selvage
