#pragma once
#include <UT/UT_Error.h>
