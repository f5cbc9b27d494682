#pragma once
#include <SYS/SYS_Types.h>
#define SOP_API
