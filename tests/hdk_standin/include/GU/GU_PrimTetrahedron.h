#pragma once
#include <GEO/GEO_PrimTetrahedron.h>
#include <GU/GU_Detail.h>
using GU_PrimTetrahedron = GEO_PrimTetrahedron;
