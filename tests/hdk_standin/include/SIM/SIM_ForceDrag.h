#pragma once
#include <SIM/SIM_Force.h>
