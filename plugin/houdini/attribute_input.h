#pragma once

#include "core/geometry/geometry.h"
#include "plugin/houdini/content_hash.h"

#include <GU/GU_Detail.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace selvage::houdini
{

/// How much of an input is converted: a start pose with everything that the solver may read, or
/// what it follows later.
enum class InputDepth { whole, followed };

/// Attributes that were read, with the data ids that tell whether they must be read again.
struct ReadAttributes {
    struct Entry {
        GA_DataId id = GA_INVALID_DATAID;
        std::uint64_t hash = 0;
        std::shared_ptr<const Attribute> attribute;
    };
    std::map<std::pair<Owner, std::string>, Entry> entries;
};

/// Reads positions and what else is followed from frame to frame (`orient`, `rest`), or as a whole:
/// every numeric attribute that could matter to a simulation (what only shows, such as Cd and N,
/// stays out), primitive attribute `type` and its like, and the point groups. `vertex_offsets` are
/// those of the geometry's vertices. What has the data id it had in `before` is taken over from it.
ReadAttributes read_attributes(const GU_Detail& gdp, InputDepth depth,
                               const std::vector<GA_Offset>& vertex_offsets,
                               const ReadAttributes* before, Geometry& to, ContentHash& hash);

} // namespace selvage::houdini
