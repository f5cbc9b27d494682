#pragma once
#include <UT/UT_Error.h>
typedef UT_ErrorSeverity OP_ERROR;
enum OP_ErrorCode {
    OP_ERR_INVALID_SRC = 1,
    OP_ERR_NOT_ENOUGH_SRC,
    OP_ERR_INTERRUPTED,
    OP_ERR_ANYTHING,
    OP_ERR_RECURSION
};
