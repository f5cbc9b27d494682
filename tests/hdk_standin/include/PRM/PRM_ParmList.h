#pragma once
#include <PRM/PRM_Parm.h>
