#pragma once

#include "core/geometry/attribute.h"
#include "core/io/json_reader.h"

#include <optional>
#include <string>
#include <vector>

namespace selvage
{

/// Reads one entry of "pointattributes" and so on: [definition, data] for `elements` elements.
/// Nothing for kinds of attribute that Attribute cannot hold; their name is added to `left_out`.
std::optional<Attribute> read_geo_attribute(JsonReader& in, Owner owner, std::size_t elements,
                                            std::vector<std::string>& left_out);

/// Houdini's "defaults" where the file gives the usual zero; Attribute::defaults_json is then
/// empty.
const char* usual_geo_defaults(Storage storage);

} // namespace selvage
