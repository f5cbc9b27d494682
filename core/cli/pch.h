#pragma once
// Precompiled: what every subcommand includes.
#include "core/base/pch.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
