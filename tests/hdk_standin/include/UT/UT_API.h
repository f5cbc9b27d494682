#pragma once
#include <SYS/SYS_Types.h>
#define UT_API
