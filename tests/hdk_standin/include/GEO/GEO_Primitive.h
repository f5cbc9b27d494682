#pragma once
#include <GA/GA_Detail.h>
#include <UT/UT_Matrix4.h>

class GEO_Primitive : public GA_Primitive
{
public:
    using GA_Primitive::GA_Primitive;
    GA_Size appendVertex(GA_Offset point);
    void setVertexPoint(GA_Size i, GA_Offset point);
    UT_Vector3 getPos3(GA_Size i) const;
    void setPos3(GA_Size i, const UT_Vector3& p);
    /// What is not in points and attributes.
    virtual void transform(const UT_Matrix4&) {}
};
using GEO_TriMesh = GEO_Primitive;
