#pragma once
#include <OP/OP_Node.h>
#include <UT/UT_Vector2.h>

class DEP_MicroNode;

/// Where generated parameter classes read a node's values from.
class SOP_GraphProxy
{
public:
    explicit SOP_GraphProxy(const OP_Node& node) : node_(&node) {}
    const OP_Node& node() const { return *node_; }

    void evalOpParm(int64& v, exint, const char* name, fpreal t, DEP_MicroNode*) const
    {
        v = node_->evalInt(name, 0, t);
    }
    void evalOpParm(int32& v, exint, const char* name, fpreal t, DEP_MicroNode*) const
    {
        v = node_->evalInt(name, 0, t);
    }
    void evalOpParm(bool& v, exint, const char* name, fpreal t, DEP_MicroNode*) const
    {
        v = node_->evalInt(name, 0, t) != 0;
    }
    void evalOpParm(fpreal& v, exint, const char* name, fpreal t, DEP_MicroNode*) const
    {
        v = node_->evalFloat(name, 0, t);
    }
    void evalOpParm(UT_Vector2D& v, exint, const char* name, fpreal t, DEP_MicroNode*) const
    {
        for (int c = 0; c < 2; ++c) v[unsigned(c)] = node_->evalFloat(name, c, t);
    }
    void evalOpParm(UT_Vector3D& v, exint, const char* name, fpreal t, DEP_MicroNode*) const
    {
        for (int c = 0; c < 3; ++c) v[unsigned(c)] = node_->evalFloat(name, c, t);
    }
    void evalOpParm(UT_StringHolder& v, exint, const char* name, fpreal t, DEP_MicroNode*) const
    {
        node_->evalString(v, name, 0, t);
    }

private:
    const OP_Node* node_;
};
