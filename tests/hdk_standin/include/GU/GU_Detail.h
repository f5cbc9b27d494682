#pragma once
#include <GA/GA_Handle.h>
#include <GEO/GEO_Detail.h>
#include <GEO/GEO_PrimPoly.h>

class GU_Detail : public GEO_Detail
{
public:
    using GEO_Detail::GEO_Detail;
    GU_Detail() = default;
    GU_Detail(const GU_Detail* source) { replaceWith(*source); }
    void duplicate(const GU_Detail& source, int /*groups_only*/ = 0) { replaceWith(source); }
    void copy(const GU_Detail& source) { replaceWith(source); }
    /// Appends the source's points, primitives, attributes and groups.
    void merge(const GU_Detail& source);
    /// P and every attribute that is a place, a direction or a normal; volumes.
    void transform(const UT_Matrix4D& m);
    /// A grid of rows × cols points in the plane z = 0 around the origin, of quads.
    void meshGrid(int rows, int cols, fpreal xsize, fpreal ysize);
};
