#pragma once
#include <SYS/SYS_Types.h>
#define PRM_API
