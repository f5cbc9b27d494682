#pragma once
#include <SIM/SIM_Object.h>
