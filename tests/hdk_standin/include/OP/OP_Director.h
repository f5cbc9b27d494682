#pragma once
#include <CH/CH_Manager.h>
#include <OP/OP_Node.h>
#include <OP/OP_OperatorTable.h>

/// The scene: its clock and its node types.
class OP_Director
{
public:
    CH_Manager* getChannelManager() { return CHgetManager(); }
    OP_OperatorTable& sop_table() { return sops_; }
    fpreal getTime() const { return CHgetManager()->getEvaluateTime(0); }

private:
    OP_OperatorTable sops_;
};
OP_Director* OPgetDirector();
