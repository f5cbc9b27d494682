#pragma once
#include <GA/GA_Handle.h>
#include <GEO/GEO_Detail.h>

#include <openvdb/openvdb.h>

/// A volume: a grid of OpenVDB, shared with copies of the primitive until it is written to.
class GEO_PrimVDB : public GEO_Primitive
{
public:
    using GEO_Primitive::GEO_Primitive;
    bool hasGrid() const { return data().grid != nullptr; }
    openvdb::GridBase::ConstPtr getConstGridPtr() const { return grid(); }
    openvdb::GridBase::ConstPtr getGridPtr() const { return grid(); }
    openvdb::GridBase::Ptr getGridPtr()
    {
        std::shared_ptr<void>& own = own_data().grid;
        if (own.use_count() > 1) own = grid()->deepCopyGrid();
        return grid();
    }
    const openvdb::GridBase& getConstGrid() const { return *grid(); }
    const openvdb::GridBase& getGrid() const { return *grid(); }
    openvdb::GridBase& getGrid() { return *getGridPtr(); }
    /// Takes over the grid's voxels, transform and metadata.
    void setGrid(const openvdb::GridBase& source, bool /*copy_position*/ = true)
    {
        own_data().grid = source.deepCopyGrid();
    }
    void transform(const UT_Matrix4& m) override
    {
        openvdb::math::Mat4d map; // acts on rows, too
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) map(i, j) = m(unsigned(i), unsigned(j));
        openvdb::GridBase& own = getGrid();
        own.setTransform(own.transform().copy()); // grids may share it
        own.transform().postMult(map);
    }
    /// The primitive attribute `name`.
    const char* getGridName() const
    {
        const GA_ROHandleS name(detail_->findAttribute(GA_ATTRIB_PRIMITIVE, "name"));
        return name.isValid() ? name.get(offset_).c_str() : "";
    }

    /// A new primitive with one vertex, whose point is where the grid is.
    static GEO_PrimVDB* buildFromGrid(GEO_Detail& detail, openvdb::GridBase::Ptr grid,
                                      const GEO_PrimVDB* /*source*/ = nullptr,
                                      const char* name = nullptr)
    {
        const GA_Offset o = detail.appendPrimitiveOffset(GA_PRIMVDB),
                        p = detail.appendPointOffset();
        auto* vdb = static_cast<GEO_PrimVDB*>(detail.getPrimitive(o));
        vdb->appendVertex(p);
        vdb->setGrid(*grid);
        const openvdb::Vec3d at = grid->indexToWorld(openvdb::Vec3d(0, 0, 0));
        detail.setPos3(p, UT_Vector3(float(at[0]), float(at[1]), float(at[2])));
        GA_RWHandleS(detail.addStringTuple(GA_ATTRIB_PRIMITIVE, "name", 1))
            .set(o, name ? name : grid->getName().c_str());
        return vdb;
    }

private:
    openvdb::GridBase::Ptr grid() const
    {
        return std::static_pointer_cast<openvdb::GridBase>(data().grid);
    }
};

namespace standin
{
inline const PrimitiveMaker volumes_are_known = volume_maker() = [](GA_Detail& d, GA_Offset o) {
    return std::unique_ptr<GA_Primitive>(new GEO_PrimVDB(d, o));
};
} // namespace standin
