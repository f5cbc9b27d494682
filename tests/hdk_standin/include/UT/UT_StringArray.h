#pragma once
#include <UT/UT_Array.h>
#include <UT/UT_StringHolder.h>
using UT_StringArray = UT_Array<UT_StringHolder>;
