#pragma once
#include <SYS/SYS_Types.h>
#define GAS_API
