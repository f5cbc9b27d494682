#pragma once

#include <GA/GA_AIFTuple.h>
#include <GU/GU_Detail.h>
#include <PRM/PRM_Parm.h>
#include <SOP/SOP_Node.h>
#include <SYS/SYS_Version.h>

#include <string>

/// Where Houdini 20.5, 21.0 and 22.0 differ, or where the published reference left a doubt. The
/// rest of the plugin is the same for all of them.
namespace selvage::houdini::compat
{

#if SYS_VERSION_MAJOR_INT >= 21
using InputIndex = OP_InputIdx;
#else
using InputIndex = unsigned;
#endif

/// Changes when points are wired to vertices otherwise, or primitives come and go.
struct TopologyIds {
    GA_DataId wiring = -1, primitives = -1;
    GA_Size points = -1;
    bool operator==(const TopologyIds& b) const
    {
        return wiring == b.wiring && primitives == b.primitives && points == b.points &&
               wiring != GA_INVALID_DATAID && primitives != GA_INVALID_DATAID;
    }
};

inline TopologyIds topology_ids(const GU_Detail& gdp)
{
    return {gdp.getTopology().getPointRef()->getDataId(), gdp.getPrimitiveList().getDataId(),
            gdp.getNumPoints()};
}

/// Positions of 64 bits: Houdini keeps the precision of P through its nodes.
inline void make_64_bit(GA_Attribute& a)
{
    const GA_AIFTuple* tuple = a.getAIFTuple();
    if (tuple && tuple->getStorage(&a) != GA_STORE_REAL64) tuple->setStorage(&a, GA_STORE_REAL64);
}

/// Strings of the HDK may have no buffer where they are empty.
template <class Text> std::string text_of(const Text& text)
{
    const char* buffer = text.c_str();
    return buffer ? buffer : "";
}

inline bool time_dependent(const OP_Node& node, const char* parm)
{
    const PRM_Parm* p = node.getParmPtr(parm);
    return p && p->isTimeDependent();
}

} // namespace selvage::houdini::compat
