#pragma once
#include <GU/GU_Detail.h>
