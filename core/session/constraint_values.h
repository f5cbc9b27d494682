#pragma once

#include "core/geometry/geometry.h"
#include "core/session/parameter_set.h"

#include <string>

namespace selvage
{

/// What the attributes of constraint geometry say of its primitives at one frame.
class ConstraintValues
{
public:
    /// `who` starts messages: "Constraints 'lines': ". Both are referred to.
    ConstraintValues(const Geometry& geometry, const ParameterSet& constraints, std::string who);

    /// `type` or `constraint_type`; without either, single points are pins and lines keep their
    /// length.
    std::string type(std::size_t primitive) const;
    /// [N/m] `stiffness`, else `otherwise`. Throws InputError where it is negative.
    double stiffness(std::size_t primitive, double otherwise) const;
    /// [N/m] The same of a spring: the parameter where there is no attribute, and no more than
    /// `stiffness_limit`.
    double spring(std::size_t primitive) const;
    double stiffness_limit() const { return parameters_.real("stiffness_limit"); }
    /// [m] `restlength`, else `otherwise`.
    double length(std::size_t primitive, double otherwise) const;
    bool has_length() const { return restlength_ != nullptr; }
    /// `compressstiffness` is there and 0.
    bool does_not_push(std::size_t primitive) const
    {
        return compression_ && compression_->number(primitive) == 0;
    }
    /// `target_prim`, else −1.
    std::int64_t target(std::size_t primitive) const
    {
        return target_ ? target_->integer(primitive) : -1;
    }

private:
    double value(const Attribute* a, std::size_t primitive, double otherwise) const;

    const Geometry& geometry_;
    const ParameterSet& parameters_;
    std::string who_;
    const Attribute *type_, *restlength_, *stiffness_, *compression_, *target_;
};

} // namespace selvage
