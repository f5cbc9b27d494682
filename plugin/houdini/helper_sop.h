#pragma once

#include "plugin/houdini/compat.h"
#include "plugin/houdini/cook_guard.h"

#include <GOP/GOP_Manager.h>
#include <OP/OP_Operator.h>
#include <OP/OP_OperatorTable.h>
#include <SOP/SOP_Error.h>
#include <SOP/SOP_Node.h>
#include <SOP/SOP_NodeParmsOptions.h> // also SOP_NodeCacheOptions
#include <SOP/SOP_NodeVerb.h>

namespace selvage::houdini
{

/// What a small node is made of: a name, inputs, parameters as a dialog script, and work that
/// changes a copy of its first input. One class per node:
///
///   struct Pin : HelperWork { static const HelperInfo info; void work(fpreal t) override; };
///
/// It runs as a verb, so that nodes can be compiled; what it throws becomes the node's error.
struct HelperInfo {
    const char* type;
    const char* label;
    const char* dialog_script;
    int min_inputs, max_inputs;
    const char* input_labels[4];
    const char* help; ///< one sentence
};

class HelperWork : public SOP_NodeCacheOptions
{
protected:
    virtual void work(fpreal time) = 0;
    OP_ERROR cook(OP_Context& context) override
    {
        cook_guard([&] { work(context.getTime()); },
                   [&](const char* what) { addError(SOP_MESSAGE, what); });
        groups_.destroyAdhocGroups();
        return error();
    }
    /// Points of a group, or of numbers and patterns; all where the field is empty. Throws where
    /// there is no such group.
    GA_Range points_of(const char* parm, fpreal time);
    double number(const char* parm, fpreal time) const { return evalFloat(parm, 0, time); }
    std::string text(const char* parm, fpreal time) const
    {
        UT_String s;
        evalString(s, parm, 0, time);
        return compat::text_of(s);
    }

private:
    GOP_Manager groups_;
};

PRM_Template* helper_templates(const HelperInfo& info);

template <class Work> class HelperVerb final : public SOP_NodeVerb
{
public:
    SOP_NodeParms* allocParms() const override
    {
        return new SOP_NodeParmsOptions(helper_templates(Work::info));
    }
    SOP_NodeCache* allocCache() const override { return new Work; }
    UT_StringHolder name() const override { return Work::info.type; }
    CookMode cookMode(const SOP_NodeParms*) const override { return COOK_DUPLICATE; }
    void cook(const CookParms& parms) const override
    {
        static_cast<Work*>(parms.cache())->doCook(this, parms);
    }
    static const Register<HelperVerb<Work>> registered;
};
template <class Work> const SOP_NodeVerb::Register<HelperVerb<Work>> HelperVerb<Work>::registered;

template <class Work> class HelperSop final : public SOP_Node
{
public:
    HelperSop(OP_Network* net, const char* name, OP_Operator* op) : SOP_Node(net, name, op)
    {
        mySopFlags.setManagesDataIDs(true); // verbs must
    }
    static OP_Node* create(OP_Network* net, const char* name, OP_Operator* op)
    {
        return new HelperSop(net, name, op);
    }
    const SOP_NodeVerb* cookVerb() const override { return HelperVerb<Work>::registered.get(); }

protected:
    OP_ERROR cookMySop(OP_Context& context) override { return cookMyselfAsVerb(context); }
};

template <class Work> void add_helper(OP_OperatorTable& table)
{
    static const char* labels[5] = {};
    for (int i = 0; i < 4; ++i) labels[i] = Work::info.input_labels[i];
    auto* op = new OP_Operator(Work::info.type, Work::info.label, HelperSop<Work>::create,
                               helper_templates(Work::info), unsigned(Work::info.min_inputs),
                               unsigned(Work::info.max_inputs), nullptr, 0, labels);
    op->setIconName((std::string("SOP_") + Work::info.type).c_str());
    op->setOpTabSubMenuPath("Selvage");
    table.addOperator(op);
}

} // namespace selvage::houdini
