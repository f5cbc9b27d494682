#pragma once
#include <GOP/GOP_Manager.h>
#include <GU/GU_Detail.h>
#include <GU/GU_DetailHandle.h>
#include <GU/GU_Types.h>
#include <OP/OP_AutoLockInputs.h>
#include <OP/OP_Director.h>
#include <OP/OP_Network.h>
#include <OP/OP_Node.h>
#include <PRM/PRM_Include.h>
#include <SOP/SOP_Error.h>
#include <UT/UT_InfoTree.h>

class SOP_NodeCache;
class SOP_NodeParms;
class SOP_NodeVerb;

class SOP_NodeFlags
{
public:
    void setManagesDataIDs(bool on) { manages_ = on; }
    bool getManagesDataIDs() const { return manages_; }
    void setNeedGuide1(bool on) { guide1_ = on; }
    bool getNeedGuide1() const { return guide1_; }
    void setNeedGuide2(bool) {}

private:
    bool manages_ = false, guide1_ = false;
};

class SOP_Node : public OP_Node
{
public:
    SOP_Node(OP_Network* net, const char* name, OP_Operator* op);
    ~SOP_Node() override;

    bool cook(OP_Context& context) override;
    /// Cooks where needed; null on errors.
    GU_DetailHandle getCookedGeoHandle(OP_Context& context, int force = 0);
    const GU_Detail* getCookedGeo(OP_Context& context, int force = 0);
    GU_DetailHandle cookOutput(OP_Context& context, int output, SOP_Node* interests = nullptr);
    /// What the last cook left, also after an error.
    const GU_Detail* getLastGeo() const { return handle_.gdp(); }
    const SOP_NodeFlags& getFlags() const { return mySopFlags; }
    virtual const SOP_NodeVerb* cookVerb() const { return nullptr; }
    virtual OP_ERROR cookInputGroups(OP_Context& context, int alone = 0);
    GU_DetailHandle getGuideGeoHandle(OP_Context& context);

    static PRM_ChoiceList pointGroupMenu, primGroupMenu, groupMenu, allGroupMenu, pointAttribMenu;
    static PRM_SpareData theFirstInput, theSecondInput, theThirdInput, theFourthInput;
    static const PRM_SpareData* getGroupSelectButton(GA_GroupType type, OP_Node* = nullptr,
                                                     int input = 0, const PRM_SpareData* = nullptr);

    OP_ERROR addError(int code, const char* text = nullptr);
    OP_ERROR addWarning(int code, const char* text = nullptr);
    OP_ERROR addMessage(int code, const char* text = nullptr);
    OP_ERROR addCriticalError(int code, const char* text = nullptr) { return addError(code, text); }

    const GU_Detail* inputGeo(unsigned index) const;
    const GU_Detail* inputGeo(unsigned index, OP_Context&) const { return inputGeo(index); }
    GU_DetailHandle inputGeoHandle(unsigned index) const;
    OP_ERROR cookMyselfAsVerb(OP_Context& context);

protected:
    virtual OP_ERROR cookMySop(OP_Context& context);
    virtual OP_ERROR cookMyGuide1(OP_Context& context);
    virtual OP_ERROR cookMyGuide2(OP_Context&) { return error(); }
    /// What comes out of the second output and those after it; null: the same as of the first.
    virtual GU_DetailHandle cookMySopOutput(OP_Context& context, int output, SOP_Node* interests);
    OP_ERROR duplicateSource(unsigned index, OP_Context& context, GU_Detail* to = nullptr,
                             bool clean = true);
    OP_ERROR duplicatePointSource(unsigned index, OP_Context& context);
    OP_ERROR duplicateChangedSource(unsigned index, OP_Context& context, int* changed = nullptr,
                                    bool force = false);
    OP_ERROR cookInputPointGroups(OP_Context& context, const GA_PointGroup*& group, int alone,
                                  bool do_selection = true, int parm = 0, int type_parm = -1,
                                  bool allow_reference = true, bool ordered = false,
                                  bool detached = true, int input = 0);
    OP_ERROR cookInputPrimitiveGroups(OP_Context& context, const GA_PrimitiveGroup*& group,
                                      int alone, bool do_selection = true, int parm = 0,
                                      int type_parm = -1, bool allow_reference = true,
                                      bool ordered = false, bool detached = true, int input = 0);
    const GA_PointGroup* parsePointGroups(const char* pattern, const GroupCreator& creator,
                                          bool numbers_ok = true, bool ordered = false)
    {
        return groups_.parsePointGroups(pattern, creator, numbers_ok, ordered);
    }
    const GA_PrimitiveGroup* parsePrimitiveGroups(const char* pattern, const GroupCreator& creator,
                                                  bool numbers_ok = true, bool ordered = false)
    {
        return groups_.parsePrimitiveGroups(pattern, creator, numbers_ok, ordered);
    }
    void select(GA_GroupType) {}
    void select(GU_SelectionType) {}
    void select(const GA_Group&, int = 0) {}
    void notifyGroupParmListeners(int, int, const GU_Detail*, const GA_Group*) {}
    // Local variables of what is being looped over.
    void setVariableOrder(int /*detail*/, int /*prim*/, int /*vertex*/, int /*point*/) {}
    void setCurGdh(int index, const GU_DetailHandle& handle) { current_[index & 1] = handle; }
    void setupLocalVars() {}
    void resetLocalVarRefs()
    {
        for (int i = 0; i < 2; ++i) {
            current_[i] = GU_DetailHandle();
            myCurPtOff[i] = myCurVtxOff[i] = myCurPrimOff[i] = GA_INVALID_OFFSET;
        }
    }
    /// $PT, $NPT, $TX … and $CR … of the point that is being looped over.
    bool built_in_variable(const std::string& name, fpreal& value) const override;
    void add_library_error(int code, const char* text, UT_ErrorSeverity severity) override;
    void input_locked(int index) override;
    void input_unlocked(int index) override;

    GU_Detail* gdp = nullptr; ///< null outside a cook
    GU_Detail* myGuide1 = nullptr;
    SOP_NodeFlags mySopFlags;
    GA_Offset myCurPtOff[2] = {GA_INVALID_OFFSET, GA_INVALID_OFFSET};
    GA_Offset myCurVtxOff[2] = {GA_INVALID_OFFSET, GA_INVALID_OFFSET};
    GA_Offset myCurPrimOff[2] = {GA_INVALID_OFFSET, GA_INVALID_OFFSET};
    int myCurVtxNum[2] = {};
    GU_DetailHandle& myGdpHandle = handle_;

private:
    GU_DetailHandle handle_, current_[2];
    std::vector<GU_DetailHandle> input_handles_; ///< of locked inputs, as they were cooked
    GU_DetailHandle guide_;
    std::unique_ptr<SOP_NodeCache> verb_cache_;
    GOP_Manager groups_; ///< until the end of a cook
};
