#pragma once
#include <GEO/GEO_PrimPoly.h>
#include <GU/GU_Detail.h>

class GU_PrimPoly : public GEO_PrimPoly
{
public:
    using GEO_PrimPoly::GEO_PrimPoly;
    static GU_PrimPoly* build(GU_Detail* detail, GA_Size vertices, int open = 0,
                              int append_points = 1);
};
