#include "core/session/constraint_values.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <cmath>

namespace selvage
{
namespace
{

const Attribute* numbers(const Geometry& g, const char* name)
{
    const Attribute* a = g.find(Owner::primitive, name);
    return a && !is_text(a->storage) && !a->is_array ? a : nullptr;
}

const Attribute* type_attribute(const Geometry& g)
{
    for (const char* name : {"type", "constraint_type"})
        if (const Attribute* a = g.find(Owner::primitive, name); a && is_text(a->storage)) return a;
    return nullptr;
}

} // namespace

ConstraintValues::ConstraintValues(const Geometry& geometry, const ParameterSet& constraints,
                                   std::string who)
    : geometry_(geometry),
      parameters_(constraints),
      who_(std::move(who)),
      type_(type_attribute(geometry)),
      restlength_(numbers(geometry, "restlength")),
      stiffness_(numbers(geometry, "stiffness")),
      compression_(numbers(geometry, "compressstiffness")),
      target_(numbers(geometry, "target_prim"))
{
}

std::string ConstraintValues::type(std::size_t k) const
{
    if (type_ && !type_->text(k).empty()) return type_->text(k);
    return geometry_.primitives()[k].count == 1 ? "pin" : "distance";
}

double ConstraintValues::value(const Attribute* a, std::size_t k, double otherwise) const
{
    const double v = a ? a->number(k) : otherwise;
    if (!(v >= 0 && std::isfinite(v)))
        throw InputError(fmt::format("{}primitive {} has {} {}; it must be 0 or more.", who_, k,
                                     a ? a->name : "length", v));
    return v;
}

double ConstraintValues::stiffness(std::size_t k, double otherwise) const
{
    return value(stiffness_, k, otherwise);
}

double ConstraintValues::spring(std::size_t k) const
{
    return std::min(stiffness(k, parameters_.real("stiffness")), stiffness_limit());
}

double ConstraintValues::length(std::size_t k, double otherwise) const
{
    return value(restlength_, k, otherwise);
}

} // namespace selvage
