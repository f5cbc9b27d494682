#pragma once
#include <GA/GA_Types.h>

class GA_Detail;

/// What wires vertices to points, seen as the attribute whose data id tells of changes.
class GA_ATITopology
{
public:
    GA_DataId getDataId() const { return id_; }
    void bumpDataId();

private:
    friend class GA_Topology;
    GA_DataId id_ = 0;
};

class GA_Topology
{
public:
    explicit GA_Topology(GA_Detail& detail) : detail_(&detail) { point_ref_.bumpDataId(); }
    void wireVertexPoint(GA_Offset vertex, GA_Offset point);
    GA_Offset vertexPoint(GA_Offset vertex) const;
    GA_ATITopology* getPointRef() { return &point_ref_; }
    const GA_ATITopology* getPointRef() const { return &point_ref_; }
    GA_DataId getDataId() const { return point_ref_.getDataId(); }
    void bumpAllDataIds() { point_ref_.bumpDataId(); }
    void copy_ids(const GA_Topology& b) { point_ref_ = b.point_ref_; }

private:
    GA_Detail* detail_;
    GA_ATITopology point_ref_;
};
