#pragma once

#include "plugin/houdini/compat.h"

#include <string>

namespace selvage::houdini
{

enum class Primitives { all, curves, others };

/// What a Selvage Material node upstream chose for these; empty where there is none. Throws
/// InputError naming two primitives where they differ: a solver simulates one material.
std::string uniform_material(const GU_Detail& gdp, Primitives which, const std::string& who);

} // namespace selvage::houdini
