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
void GEO_Primitive::setPos3(GA_Size i, const UT_Vector3& p)
{
    detail_->setPos3(getPointOffset(i), p);
}

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

GA_Offset GEO_PrimPolySoup::getPolygonVertexOffset(GA_Size polygon, GA_Size i) const
{
    return getVertexOffset(data().soup_polygons[std::size_t(polygon)][std::size_t(i)]);
}

GA_Size GEO_PrimPolySoup::appendPolygon(const UT_Array<GA_Offset>& corners)
{
    standin::PrimitiveData& own = own_data();
    std::vector<int> polygon;
    for (exint i = 0; i < corners.entries(); ++i) {
        const auto at = std::find(own.vertices.begin(), own.vertices.end(), corners(i));
        polygon.push_back(int(at - own.vertices.begin()));
        if (at == own.vertices.end()) own.vertices.push_back(corners(i));
    }
    own.soup_polygons.push_back(std::move(polygon));
    return getPolygonCount() - 1;
}

GA_Index GEO_PrimPolySoup::PolygonIterator::getVertexIndex(GA_Size i) const
{
    return soup_->getDetail().vertexIndex(getVertexOffset(i));
}
GA_Offset GEO_PrimPolySoup::PolygonIterator::getPointOffset(GA_Size i) const
{
    return soup_->getDetail().vertexPoint(getVertexOffset(i));
}
GA_Index GEO_PrimPolySoup::PolygonIterator::getPointIndex(GA_Size i) const
{
    return soup_->getDetail().pointIndex(getPointOffset(i));
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

GA_Attribute* GEO_Detail::addDiffuseAttribute(GA_AttributeOwner owner, GA_Storage)
{
    GA_Attribute* a = addFloatTuple(owner, "Cd", 3, GA_Defaults(1.0));
    a->setTypeInfo(GA_TYPE_COLOR);
    return a;
}
GA_Attribute* GEO_Detail::addNormalAttribute(GA_AttributeOwner owner, GA_Storage)
{
    GA_Attribute* a = addFloatTuple(owner, "N", 3);
    a->setTypeInfo(GA_TYPE_NORMAL);
    return a;
}
GA_Attribute* GEO_Detail::addTextureAttribute(GA_AttributeOwner owner, GA_Storage)
{
    GA_Attribute* a = addFloatTuple(owner, "uv", 3);
    a->setTypeInfo(GA_TYPE_ST);
    return a;
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

namespace
{

/// Acts on directions as the transposed inverse does, up to its length.
UT_Vector3D transformed_normal(const UT_Vector3D& n, const UT_Matrix4D& m)
{
    UT_Vector3D rows[3], out(0, 0, 0);
    for (unsigned i = 0; i < 3; ++i) rows[i].assign(m(i, 0), m(i, 1), m(i, 2));
    for (unsigned i = 0; i < 3; ++i) out += cross(rows[(i + 1) % 3], rows[(i + 2) % 3]) * n[i];
    const fpreal length = out.length(), volume = dot(rows[0], cross(rows[1], rows[2]));
    return length > 0 ? out * ((volume < 0 ? -1 : 1) * n.length() / length) : n;
}

void transform_values(GA_Attribute& a, const GA_Range& range, const UT_Matrix4D& m)
{
    const GA_RWHandleV3D values(&a);
    if (values.isInvalid()) return;
    UT_Matrix4D turn = m;
    turn.setTranslates(UT_Vector3D(0, 0, 0));
    for (GA_Iterator it(range); !it.atEnd(); ++it) {
        const UT_Vector3D x = values.get(*it);
        switch (a.getTypeInfo()) {
        case GA_TYPE_POINT: values.set(*it, x * m); break;
        case GA_TYPE_VECTOR: values.set(*it, x * turn); break;
        default: values.set(*it, transformed_normal(x, m));
        }
    }
    a.bumpDataId();
}

/// Attributes, and element k of `from` to element k of `to`.
void merge_attributes(const GU_Detail& source, GA_AttributeOwner owner,
                      const std::vector<GA_Offset>& from, const std::vector<GA_Offset>& to,
                      GU_Detail& target)
{
    for (GA_AttributeDict::iterator it = source.getAttributeDict(owner).begin(); !it.atEnd();
         ++it) {
        const GA_Attribute& a = *it.attrib();
        GA_Attribute* mine = target.findAttribute(owner, a.getName());
        const bool fresh = !mine;
        if (fresh) mine = target.addTuple(a.storage(), owner, a.getName(), a.getTupleSize());
        if (fresh) mine->setTypeInfo(a.getTypeInfo());
        if (mine->getStorageClass() != a.getStorageClass()) continue;
        for (std::size_t k = 0; k < from.size(); ++k) mine->copy(to[k], a, from[k]);
    }
}

} // namespace

void GU_Detail::transform(const UT_Matrix4D& m)
{
    for (const GA_AttributeOwner owner :
         {GA_ATTRIB_VERTEX, GA_ATTRIB_POINT, GA_ATTRIB_PRIMITIVE, GA_ATTRIB_DETAIL})
        for (GA_AttributeDict::iterator it = getAttributeDict(owner).begin(); !it.atEnd(); ++it)
            if (it.attrib()->needsTransform())
                transform_values(*it.attrib(), GA_Range(getIndexMap(owner)), m);
    for (GA_Iterator it(getPrimitiveRange()); !it.atEnd(); ++it)
        if (primitive(*it).grid) getGEOPrimitive(*it)->transform(UT_Matrix4(m));
}

void GU_Detail::meshGrid(int rows, int cols, fpreal xsize, fpreal ysize)
{
    const GA_Offset first = appendPointBlock(GA_Size(rows) * cols);
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < cols; ++c)
            setPos3(first + r * cols + c, xsize * (fpreal(c) / std::max(cols - 1, 1) - 0.5),
                    ysize * (fpreal(r) / std::max(rows - 1, 1) - 0.5), 0);
    for (int r = 0; r + 1 < rows; ++r)
        for (int c = 0; c + 1 < cols; ++c) {
            auto* quad = GEO_PrimPoly::build(this, 4, false, false);
            const int corners[4] = {r * cols + c, r * cols + c + 1, (r + 1) * cols + c + 1,
                                    (r + 1) * cols + c};
            for (int k = 0; k < 4; ++k) wire(quad->getVertexOffset(k), first + corners[k]);
        }
}

void GU_Detail::merge(const GU_Detail& s)
{
    std::vector<GA_Offset> points, my_points, vertices, my_vertices, primitives, my_primitives;
    const GA_Offset p0 = appendPointBlock(s.getNumPoints());
    for (GA_Index i = 0; i < s.getNumPoints(); ++i) {
        points.push_back(s.pointOffset(i));
        my_points.push_back(p0 + i);
    }
    for (GA_Index i = 0; i < s.getNumPrimitives(); ++i) {
        primitives.push_back(s.primitiveOffset(i));
        const standin::PrimitiveData& from = s.primitive(primitives.back());
        const GA_Offset o = appendPrimitiveOffset(from.type);
        my_primitives.push_back(o);
        for (const GA_Offset v : from.vertices) {
            getGEOPrimitive(o)->appendVertex(p0 + s.pointIndex(s.vertexPoint(v)));
            vertices.push_back(v);
            my_vertices.push_back(primitive(o).vertices.back());
        }
        own_primitive(o).closed = from.closed;
        own_primitive(o).soup_polygons = from.soup_polygons;
        own_primitive(o).grid = from.grid;
    }
    merge_attributes(s, GA_ATTRIB_POINT, points, my_points, *this);
    merge_attributes(s, GA_ATTRIB_VERTEX, vertices, my_vertices, *this);
    merge_attributes(s, GA_ATTRIB_PRIMITIVE, primitives, my_primitives, *this);
    for (const GA_PointGroup& g : s.point_groups()) {
        GA_PointGroup* mine = findPointGroup(g.getName());
        if (!mine) mine = newPointGroup(g.getName());
        for (GA_Index i = 0; i < s.getNumPoints(); ++i)
            if (g.containsIndex(i)) mine->addOffset(p0 + i);
    }
    for (const GA_PrimitiveGroup& g : s.primitive_groups()) {
        GA_PrimitiveGroup* mine = findPrimitiveGroup(g.getName());
        if (!mine) mine = newPrimitiveGroup(g.getName());
        for (std::size_t k = 0; k < primitives.size(); ++k)
            if (g.containsOffset(primitives[k])) mine->addOffset(my_primitives[k]);
    }
    bumpAllDataIds();
}
