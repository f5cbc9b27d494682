#pragma once
#include <PRM/PRM_Shared.h>
#include <PRM/PRM_Template.h>
