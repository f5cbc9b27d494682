#pragma once
#include <GA/GA_Detail.h>
#include <GEO/GEO_Primitive.h>
#include <UT/UT_BoundingBox.h>

enum GEO_AttributeName {
    GEO_ATTRIBUTE_NORMAL,
    GEO_ATTRIBUTE_TEXTURE,
    GEO_ATTRIBUTE_VELOCITY,
    GEO_ATTRIBUTE_MASS,
    GEO_ATTRIBUTE_DRAG,
    GEO_ATTRIBUTE_DIFFUSE,
    GEO_ATTRIBUTE_PSCALE,
    GEO_ATTRIBUTE_ID,
    GEO_ATTRIBUTE_NAME,
    GEO_ATTRIBUTE_REST
};

class GEO_Detail : public GA_Detail
{
public:
    using GA_Detail::GA_Detail;
    static const char* getStdAttributeName(GEO_AttributeName name, int layer = 1);
    GEO_Primitive* getGEOPrimitive(GA_Offset o)
    {
        return static_cast<GEO_Primitive*>(getPrimitive(o));
    }
    const GEO_Primitive* getGEOPrimitive(GA_Offset o) const
    {
        return static_cast<const GEO_Primitive*>(getPrimitive(o));
    }
    GA_Attribute* addVelocityAttribute(GA_AttributeOwner owner, GA_Storage = GA_STORE_INVALID);
    GA_Attribute* addDiffuseAttribute(GA_AttributeOwner owner, GA_Storage = GA_STORE_INVALID);
    GA_Attribute* addNormalAttribute(GA_AttributeOwner owner, GA_Storage = GA_STORE_INVALID);
    GA_Attribute* addTextureAttribute(GA_AttributeOwner owner, GA_Storage = GA_STORE_INVALID);
    GA_Attribute* findDiffuseAttribute(GA_AttributeOwner owner)
    {
        return findFloatTuple(owner, "Cd", 3);
    }
    GA_Attribute* findNormalAttribute(GA_AttributeOwner owner)
    {
        return findFloatTuple(owner, "N", 3);
    }
    GA_Attribute* findVelocityAttribute(GA_AttributeOwner owner)
    {
        return findFloatTuple(owner, "v", 3);
    }
    GA_Attribute* findTextureAttribute(GA_AttributeOwner owner)
    {
        return findFloatTuple(owner, "uv", 2);
    }
    GA_Attribute* addRestAttribute(GA_AttributeOwner owner);
    GA_Attribute* addPointMassAttribute(GA_AttributeOwner owner = GA_ATTRIB_POINT);
    bool computeQuickBounds(UT_BoundingBox& box) const { return getBBox(&box) != 0; }
    int getBBox(UT_BoundingBox* box) const;
};
