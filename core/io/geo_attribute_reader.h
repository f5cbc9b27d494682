#pragma once

#include "core/geometry/attribute.h"
#include "core/io/json_reader.h"

#include <variant>

namespace selvage
{

/// Reads one entry of "pointattributes" and so on: [definition, data] for `elements` elements.
/// Kinds that Attribute cannot hold come back as they are.
std::variant<Attribute, OpaqueAttribute> read_geo_attribute(JsonReader& in, Owner owner,
                                                            std::size_t elements);

/// Houdini's "defaults" where the file gives the usual zero; Attribute::defaults_json is then
/// empty.
const char* usual_geo_defaults(Storage storage);

} // namespace selvage
