#pragma once
#include <SYS/SYS_Math.h>
