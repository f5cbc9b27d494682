#pragma once
#include <GEO/GEO_PrimPolySoup.h>
#include <GU/GU_Detail.h>
using GU_PrimPolySoup = GEO_PrimPolySoup;
