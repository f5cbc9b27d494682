#pragma once
#include <GA/GA_Detail.h>

class GEO_Primitive : public GA_Primitive
{
public:
    using GA_Primitive::GA_Primitive;
    GA_Size appendVertex(GA_Offset point);
    void setVertexPoint(GA_Size i, GA_Offset point);
    UT_Vector3 getPos3(GA_Size i) const;
};
using GEO_TriMesh = GEO_Primitive;
