#pragma once
#include <SYS/SYS_Types.h>
#define OP_API
