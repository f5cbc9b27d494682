#include <GA/GA_Primitive.h>
#include <GEO/GEO_PrimPoly.h>
#include <GEO/GEO_PrimPolySoup.h>
#include <GEO/GEO_PrimTetrahedron.h>
#include <GU/GU_PrimPoly.h>

standin::PrimitiveMaker& standin::volume_maker()
{
    static PrimitiveMaker maker = nullptr;
    return maker;
}

const standin::PrimitiveData& GA_Primitive::data() const { return detail_->primitive(offset_); }
standin::PrimitiveData& GA_Primitive::own_data() { return detail_->own_primitive(offset_); }
GA_PrimitiveTypeId GA_Primitive::getTypeId() const { return data().type; }

const GA_PrimitiveDefinition& GA_Primitive::getTypeDef() const
{
    static const GA_PrimitiveDefinition all[] = {
#define X(name, token) GA_PrimitiveDefinition(token),
        STANDIN_PRIMITIVE_TYPES(X)
#undef X
    };
    return all[data().type.get()];
}

GA_Size GA_Primitive::getVertexCount() const { return GA_Size(data().vertices.size()); }
GA_Offset GA_Primitive::getVertexOffset(GA_Size i) const { return data().vertices[std::size_t(i)]; }
GA_OffsetListRef GA_Primitive::getVertexList() const { return GA_OffsetListRef(data().vertices); }
GA_Offset GA_Primitive::getPointOffset(GA_Size i) const
{
    return detail_->vertexPoint(getVertexOffset(i));
}
GA_Index GA_Primitive::getPointIndex(GA_Size i) const
{
    return detail_->pointIndex(getPointOffset(i));
}
GA_Index GA_Primitive::getMapIndex() const { return detail_->primitiveIndex(offset_); }

GA_Size GEO_Primitive::appendVertex(GA_Offset point)
{
    const GA_Offset v = detail_->appendVertexBlock(1);
    detail_->wire(v, point);
    own_data().vertices.push_back(v);
    return getVertexCount() - 1;
}
void GEO_Primitive::setVertexPoint(GA_Size i, GA_Offset point)
{
    detail_->wire(getVertexOffset(i), point);
}
UT_Vector3 GEO_Primitive::getPos3(GA_Size i) const { return detail_->getPos3(getPointOffset(i)); }

GEO_PrimPoly* GEO_PrimPoly::build(GA_Detail* detail, GA_Size n, bool open, bool append_points)
{
    GA_Offset v;
    const GA_Offset o = detail->appendPrimitivesAndVertices(GA_PRIMPOLY, 1, n, v, !open);
    if (append_points && n > 0) {
        const GA_Offset p = detail->appendPointBlock(n);
        for (GA_Size i = 0; i < n; ++i) detail->wire(v + i, p + i);
    }
    return static_cast<GEO_PrimPoly*>(detail->getPrimitive(o));
}

GA_Offset GEO_PrimPoly::buildBlock(GA_Detail* detail, GA_Offset start, GA_Size,
                                   const GEO_PolyCounts& sizes, const int* points, bool closed)
{
    GA_Offset first = GA_INVALID_OFFSET;
    for (const GEO_PolyCounts::Run& run : sizes.runs()) {
        GA_Offset v;
        const GA_Offset o =
            detail->appendPrimitivesAndVertices(GA_PRIMPOLY, run.count, run.size, v, closed);
        if (first == GA_INVALID_OFFSET) first = o;
        for (GA_Size i = 0; i < run.count * run.size; ++i) detail->wire(v + i, start + *points++);
    }
    return first;
}

fpreal GEO_PrimPoly::calcArea() const
{
    UT_Vector3D sum(0, 0, 0);
    for (GA_Size i = 1; i + 1 < getVertexCount(); ++i)
        sum +=
            cross(UT_Vector3D(getPos3(i) - getPos3(0)), UT_Vector3D(getPos3(i + 1) - getPos3(0)));
    return 0.5 * sum.length();
}

GU_PrimPoly* GU_PrimPoly::build(GU_Detail* detail, GA_Size n, int open, int append_points)
{
    return static_cast<GU_PrimPoly*>(GEO_PrimPoly::build(detail, n, open != 0, append_points != 0));
}

void GEO_PrimPolySoup::append_polygon(const std::vector<GA_Offset>& points)
{
    for (const GA_Offset p : points) appendVertex(p);
    own_data().soup_sizes.push_back(int(points.size()));
}

GEO_PrimTetrahedron* GEO_PrimTetrahedron::build(GA_Detail* detail, bool append_points)
{
    GA_Offset v;
    const GA_Offset o = detail->appendPrimitivesAndVertices(GA_PRIMTETRAHEDRON, 1, 4, v);
    if (append_points) {
        const GA_Offset p = detail->appendPointBlock(4);
        for (GA_Size i = 0; i < 4; ++i) detail->wire(v + i, p + i);
    }
    return static_cast<GEO_PrimTetrahedron*>(detail->getPrimitive(o));
}

GA_Offset GEO_PrimTetrahedron::buildBlock(GA_Detail* detail, GA_Offset start, GA_Size, GA_Size tets,
                                          const int* points)
{
    GA_Offset v;
    const GA_Offset o = detail->appendPrimitivesAndVertices(GA_PRIMTETRAHEDRON, tets, 4, v);
    for (GA_Size i = 0; i < 4 * tets; ++i) detail->wire(v + i, start + points[i]);
    return o;
}

const char* GEO_Detail::getStdAttributeName(GEO_AttributeName name, int)
{
    static const char* const names[] = {"N",  "uv",     "v",  "mass", "drag",
                                        "Cd", "pscale", "id", "name", "rest"};
    return names[name];
}

GA_Attribute* GEO_Detail::addVelocityAttribute(GA_AttributeOwner owner, GA_Storage)
{
    GA_Attribute* a = addFloatTuple(owner, "v", 3);
    a->setTypeInfo(GA_TYPE_VECTOR);
    return a;
}
GA_Attribute* GEO_Detail::addRestAttribute(GA_AttributeOwner owner)
{
    GA_Attribute* a = addFloatTuple(owner, "rest", 3);
    a->setTypeInfo(GA_TYPE_POINT);
    return a;
}
GA_Attribute* GEO_Detail::addPointMassAttribute(GA_AttributeOwner owner)
{
    return addFloatTuple(owner, "mass", 1, GA_Defaults(1.0));
}
int GEO_Detail::getBBox(UT_BoundingBox* box) const
{
    box->initBounds();
    for (GA_Iterator it(getPointRange()); !it.atEnd(); ++it) box->enlargeBounds(getPos3(*it));
    return getNumPoints() > 0;
}

void GU_Detail::transform(const UT_Matrix4D& m)
{
    for (GA_Iterator it(getPointRange()); !it.atEnd(); ++it) setPos3(*it, getPos3D(*it) * m);
    getP()->bumpDataId();
}

void GU_Detail::merge(const GU_Detail& s)
{
    const GA_Offset p0 = appendPointBlock(s.getNumPoints());
    for (GA_AttributeDict::iterator it = s.pointAttribs().begin(); !it.atEnd(); ++it) {
        const GA_Attribute& from = *it.attrib();
        GA_Attribute* to =
            addTuple(from.storage(), GA_ATTRIB_POINT, from.getName(), from.getTupleSize());
        for (GA_Index i = 0; i < s.getNumPoints(); ++i) to->copy(p0 + i, from, s.pointOffset(i));
    }
    for (GA_Index i = 0; i < s.getNumPrimitives(); ++i) {
        const standin::PrimitiveData& from = s.primitive(s.primitiveOffset(i));
        const GA_Offset o = appendPrimitiveOffset(from.type);
        for (const GA_Offset v : from.vertices)
            getGEOPrimitive(o)->appendVertex(p0 + s.pointIndex(s.vertexPoint(v)));
        own_primitive(o).closed = from.closed;
        own_primitive(o).soup_sizes = from.soup_sizes;
        own_primitive(o).grid = from.grid;
    }
    for (const GA_PointGroup& g : s.point_groups()) {
        GA_PointGroup* mine = findPointGroup(g.getName());
        if (!mine) mine = newPointGroup(g.getName());
        for (GA_Index i = 0; i < s.getNumPoints(); ++i)
            if (g.containsIndex(i)) mine->addOffset(p0 + i);
    }
    bumpAllDataIds();
}
