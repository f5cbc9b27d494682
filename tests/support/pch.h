#pragma once
#include "core/base/pch.h"

#include <gtest/gtest.h>
