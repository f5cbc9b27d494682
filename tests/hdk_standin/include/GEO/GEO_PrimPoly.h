#pragma once
#include <GEO/GEO_Detail.h>
#include <GEO/GEO_PolyCounts.h>

#ifndef GU_POLY_CLOSED
#define GU_POLY_CLOSED 0
#define GU_POLY_OPEN 1
#endif

/// A polygon, or, open, a polygonal curve.
class GEO_PrimPoly : public GEO_Primitive
{
public:
    using GEO_Primitive::GEO_Primitive;
    bool isClosed() const { return data().closed; }
    void setClosed(bool closed) { own_data().closed = closed; }
    void close() { setClosed(true); }
    fpreal calcArea() const;

    static GEO_PrimPoly* build(GA_Detail* detail, GA_Size vertices, bool open = false,
                               bool append_points = true);
    /// Many polygons over a block of existing points; offset of the first.
    static GA_Offset buildBlock(GA_Detail* detail, GA_Offset start_point, GA_Size point_count,
                                const GEO_PolyCounts& sizes, const int* vertex_points,
                                bool closed = true);
};
