#pragma once
#include <SIM/SIM_Geometry.h>
