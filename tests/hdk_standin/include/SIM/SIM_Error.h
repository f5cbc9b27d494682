#pragma once
#include <UT/UT_Error.h>
enum SIM_ErrorCode { SIM_MESSAGE = 1, SIM_MISSINGDATA, SIM_BADSUBDATA, SIM_BADTYPE, SIM_NODATA };
