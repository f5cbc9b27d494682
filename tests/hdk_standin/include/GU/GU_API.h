#pragma once
#include <SYS/SYS_Types.h>
#define GU_API
