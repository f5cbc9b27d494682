#pragma once
#include <GEO/GEO_PrimVDB.h>
#include <GU/GU_Detail.h>
using GU_PrimVDB = GEO_PrimVDB;
