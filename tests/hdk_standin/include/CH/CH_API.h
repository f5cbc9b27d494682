#pragma once
#include <SYS/SYS_Types.h>
#define CH_API
