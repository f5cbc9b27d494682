#pragma once

#include "core/base/types.h"
#include "core/session/parameter_table.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace selvage
{

/// Whether brackets are nested deeper than any value here needs. To be asked of foreign JSON before
/// it is taken apart: what walks through it does so by calling itself, and stacks are finite.
bool nested_too_deeply(std::string_view json);

/// Keyframes, linear in between, constant outside. Scalars use the first component.
struct AnimatedValue {
    std::vector<std::pair<double, Vec3>> keys; ///< (frame, value), frames ascending
    Vec3 at(double frame) const;
};

/// Numbers and Booleans (as 0/1) are `double`; frame ranges are a Vec3 whose third entry is unused.
using ParameterValue = std::variant<double, std::string, Vec3, AnimatedValue, std::vector<Vec2>>;

/// The values of one scope: what was set, and the table's defaults for the rest.
class ParameterSet
{
public:
    explicit ParameterSet(std::string scope = "") : scope_(std::move(scope)) {}

    const std::string& scope() const { return scope_; }
    /// Checks name (naming the nearest known one), type and range; `where` starts the message.
    void set(const std::string& name, ParameterValue value, const std::string& where = "");
    /// From JSON text as in a shot file: 3, "x", true, [0,-9.81,0], {"keys": [[1, 0], [10, 5]]};
    /// curves
    /// [[0.01, 2], [0.02, 9]].
    void set_json(const std::string& name, const std::string& json, const std::string& where = "");
    /// As typed on a command line: JSON where it parses, else text.
    void set_text(const std::string& name, const std::string& text, const std::string& where = "");

    bool has(const std::string& name) const { return values_.count(name) != 0; } ///< set explicitly
    bool animated(const std::string& name) const;
    bool any_animated() const;

    double real(const std::string& name, double frame = 0) const;
    int integer(const std::string& name) const;
    Vec3 vector(const std::string& name, double frame = 0) const;
    const std::string& text(const std::string& name) const;
    std::vector<Vec2> curve(const std::string& name) const; ///< empty where not set

    /// Stable text of all explicit values: equal sets give equal texts.
    std::string fingerprint() const;

    /// The last frame in [first, last] until which both sets give the same values; first − 1 when a
    /// value that does not depend on time differs.
    static int agree_until(const ParameterSet& a, const ParameterSet& b, int first, int last);

private:
    const ParameterValue* find(const std::string& name) const; ///< explicit or default; may be null

    std::string scope_;
    std::map<std::string, ParameterValue> values_;
};

} // namespace selvage
