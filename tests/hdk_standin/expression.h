#pragma once

#include <functional>
#include <string>

namespace standin
{

/// A small part of Houdini's expressions: + − * / ( ), sin cos (degrees) floor abs, $VARIABLES.
double evaluate_expression(const std::string& text,
                           const std::function<double(const std::string&)>& variable);

} // namespace standin
