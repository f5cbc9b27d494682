#pragma once
#include <GEO/GEO_Detail.h>

class GEO_PrimTetrahedron : public GEO_Primitive
{
public:
    using GEO_Primitive::GEO_Primitive;
    static GEO_PrimTetrahedron* build(GA_Detail* detail, bool append_points = true);
    static GA_Offset buildBlock(GA_Detail* detail, GA_Offset start_point, GA_Size point_count,
                                GA_Size tets, const int* vertex_points);
};
