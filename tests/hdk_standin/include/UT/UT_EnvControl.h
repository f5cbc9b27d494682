#pragma once
#include <SYS/SYS_Types.h>
