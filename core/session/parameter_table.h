#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace selvage
{

enum class ParameterType {
    integer,
    real,
    boolean,
    choice,
    text,
    path,
    vector3,
    frame_range,
    curve
};

/// One thing a user can set. Declared once, here; the shot-file reader, `--set`, the reference page
/// and every host's interface are made from it.
struct Parameter {
    /// Where it stands in a shot file: "" top level, "solver", "cloth", "cloth.pins", "collider" …
    std::string_view scope;
    std::string_view name;
    std::string_view label;
    ParameterType type;
    std::string_view default_value; ///< as in a shot file; "" where a value is required or optional
    std::string_view unit;          ///< "m", "N/m", "" …
    double low, high;               ///< allowed range of numbers, ends included
    std::string_view choices;       ///< comma-separated, for ParameterType::choice
    bool animatable;                ///< takes {"keys": [[frame, value], ...]}
    std::string_view methods;       ///< steppers that use it, comma-separated; "" means all
    std::string_view help;          ///< one or two sentences with the effect of changing it
};

const std::vector<Parameter>& parameter_table();

/// Null where there is none.
const Parameter* find_parameter(std::string_view scope, std::string_view name);

/// Names in a scope, in table order.
std::vector<std::string> parameter_names(std::string_view scope);

/// The reference page, and the same as JSON.
std::string parameters_markdown();
std::string parameters_json();

const char* type_name(ParameterType type);

} // namespace selvage
