#pragma once
#include <GEO/GEO_Detail.h>

/// Many polygons stored as one primitive.
class GEO_PrimPolySoup : public GEO_Primitive
{
public:
    using GEO_Primitive::GEO_Primitive;
    GA_Size getPolygonCount() const { return GA_Size(data().soup_sizes.size()); }
    GA_Size getPolygonSize(GA_Size polygon) const
    {
        return data().soup_sizes[std::size_t(polygon)];
    }
    /// Appends a polygon; its vertices follow those before.
    void append_polygon(const std::vector<GA_Offset>& points);

    class PolygonIterator
    {
    public:
        explicit PolygonIterator(const GEO_PrimPolySoup& soup) : soup_(&soup) {}
        bool atEnd() const { return polygon_ >= soup_->getPolygonCount(); }
        PolygonIterator& operator++()
        {
            first_ += getVertexCount();
            ++polygon_;
            return *this;
        }
        void advance() { ++*this; }
        GA_Size polygon() const { return polygon_; }
        GA_Size nvertices() const { return getVertexCount(); }
        GA_Size getVertexCount() const { return soup_->getPolygonSize(polygon_); }
        GA_Offset getVertexOffset(GA_Size i) const { return soup_->getVertexOffset(first_ + i); }
        GA_Offset getPointOffset(GA_Size i) const { return soup_->getPointOffset(first_ + i); }
        GA_Index getPointIndex(GA_Size i) const { return soup_->getPointIndex(first_ + i); }

    private:
        const GEO_PrimPolySoup* soup_;
        GA_Size polygon_ = 0, first_ = 0;
    };
};
