#pragma once
#include <SYS/SYS_Types.h>
#define GA_API
