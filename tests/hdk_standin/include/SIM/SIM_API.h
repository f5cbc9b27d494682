#pragma once
#include <SYS/SYS_Types.h>
#define SIM_API
