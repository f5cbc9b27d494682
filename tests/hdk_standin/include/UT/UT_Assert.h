#pragma once
#include <cassert>
#define UT_ASSERT(condition) assert(condition)
#define UT_ASSERT_P(condition) assert(condition)
#define UT_ASSERT_MSG(condition, message) assert(condition)
#define UTverify_cast static_cast
