#pragma once
#include <SIM/SIM_Solver.h>
