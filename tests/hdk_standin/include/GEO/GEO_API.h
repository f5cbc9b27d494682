#pragma once
#include <SYS/SYS_Types.h>
#define GEO_API
