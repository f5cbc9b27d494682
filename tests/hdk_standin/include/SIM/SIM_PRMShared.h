#pragma once
#include <PRM/PRM_Include.h>
#include <SIM/SIM_Names.h>
#include <UT/UT_WorkBuffer.h>
