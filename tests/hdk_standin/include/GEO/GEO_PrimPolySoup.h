#pragma once
#include <GEO/GEO_Detail.h>
#include <UT/UT_Array.h>

/// Many polygons stored as one primitive. They share vertices: its vertex list has each one once,
/// in no particular order, and polygons say which.
class GEO_PrimPolySoup : public GEO_Primitive
{
public:
    using GEO_Primitive::GEO_Primitive;
    GA_Size getPolygonCount() const { return GA_Size(data().soup_polygons.size()); }
    GA_Size getPolygonSize(GA_Size polygon) const
    {
        return GA_Size(data().soup_polygons[std::size_t(polygon)].size());
    }
    GA_Offset getPolygonVertexOffset(GA_Size polygon, GA_Size i) const;
    /// Appends a polygon of vertices, which may be those of others, too.
    GA_Size appendPolygon(const UT_Array<GA_Offset>& vertices);

    class PolygonIterator
    {
    public:
        explicit PolygonIterator(const GEO_PrimPolySoup& soup) : soup_(&soup) {}
        bool atEnd() const { return polygon_ >= soup_->getPolygonCount(); }
        PolygonIterator& operator++()
        {
            ++polygon_;
            return *this;
        }
        void advance() { ++*this; }
        GA_Size polygon() const { return polygon_; }
        GA_Size nvertices() const { return getVertexCount(); }
        GA_Size getVertexCount() const { return soup_->getPolygonSize(polygon_); }
        GA_Offset getVertexOffset(GA_Size i) const
        {
            return soup_->getPolygonVertexOffset(polygon_, i);
        }
        GA_Index getVertexIndex(GA_Size i) const;
        GA_Offset getPointOffset(GA_Size i) const;
        GA_Index getPointIndex(GA_Size i) const;

    private:
        const GEO_PrimPolySoup* soup_;
        GA_Size polygon_ = 0;
    };
};
