#pragma once
#include <SOP/SOP_GraphProxy.h>
#include <SOP/SOP_Node.h>
#include <UT/UT_Vector2.h>

#include <map>

class DEP_MicroNode;

/// What a verb remembers from cook to cook; may be thrown away at any time.
class SOP_NodeCache
{
public:
    virtual ~SOP_NodeCache() = default;
};

/// Parameters of a verb, evaluated before it cooks.
class SOP_NodeParms
{
public:
    class LoadParms
    {
    public:
        LoadParms(const SOP_GraphProxy* graph, const OP_Context& context)
            : graph_(graph), context_(context)
        {
        }
        const SOP_GraphProxy* graph() const { return graph_; }
        exint nodeIdx() const { return 0; }
        const OP_Context& context() const { return context_; }
        DEP_MicroNode* depnode() const { return nullptr; }

    private:
        const SOP_GraphProxy* graph_;
        OP_Context context_;
    };
    virtual ~SOP_NodeParms() = default;
    void loadFromOp(const LoadParms& parms) { loadFromOpSubclass(parms); }
    virtual void loadFromOpSubclass(const LoadParms&) {}
    virtual void copyFrom(const SOP_NodeParms*) {}
};

/// A node's work without the node.
class SOP_NodeVerb
{
public:
    enum CookMode {
        COOK_INPLACE,
        COOK_DUPLICATE,
        COOK_GENERATOR,
        COOK_INSTANCE,
        COOK_GENERIC,
        COOK_PASSTHROUGH
    };

    class CookParms
    {
    public:
        CookParms(const GU_DetailHandle& gdh, std::vector<GU_DetailHandle> inputs,
                  const SOP_NodeParms* parms, SOP_NodeCache* cache, const OP_Context& context,
                  SOP_Node* node, UT_ErrorManager* errors)
            : gdh_(gdh),
              inputs_(std::move(inputs)),
              parms_(parms),
              cache_(cache),
              context_(context),
              node_(node),
              errors_(errors)
        {
        }
        const GU_DetailHandle& gdh() const { return gdh_; }
        exint nInputs() const { return exint(inputs_.size()); }
        bool hasInput(exint i) const { return i < nInputs() && inputs_[std::size_t(i)].isValid(); }
        const GU_Detail* inputGeo(exint i) const
        {
            return hasInput(i) ? inputs_[std::size_t(i)].gdp() : nullptr;
        }
        const GU_ConstDetailHandle& inputGeoHandle(exint i) const
        {
            return inputs_[std::size_t(i)];
        }
        template <class T> const T& parms() const { return static_cast<const T&>(*parms_); }
        const SOP_NodeParms* baseParms() const { return parms_; }
        SOP_NodeCache* cache() const { return cache_; }
        fpreal getCookTime() const { return context_.getTime(); }
        const OP_Context& getContext() const { return context_; }
        SOP_Node* getNode() const { return node_; } ///< null in compiled blocks
        const SOP_Node* getSrcNode() const { return node_; }
        const SOP_Node* getCwd() const { return node_; }
        UT_ErrorSeverity error() const { return errors_->getSeverity(); }
        UT_ErrorManager* errorManager() const { return errors_; }
        OP_ERROR sopAddError(int code, const char* text = nullptr) const;
        OP_ERROR sopAddWarning(int code, const char* text = nullptr) const;
        OP_ERROR sopAddMessage(int code, const char* text = nullptr) const;
        void select(GA_GroupType) const {}

    private:
        GU_DetailHandle gdh_;
        std::vector<GU_DetailHandle> inputs_;
        const SOP_NodeParms* parms_;
        SOP_NodeCache* cache_;
        OP_Context context_;
        SOP_Node* node_;
        UT_ErrorManager* errors_;
    };
    class InputParms
    {
    };

    SOP_NodeVerb() = default;
    virtual ~SOP_NodeVerb() = default;
    virtual SOP_NodeParms* allocParms() const = 0;
    virtual SOP_NodeCache* allocCache() const { return nullptr; }
    virtual UT_StringHolder name() const = 0;
    virtual CookMode cookMode(const SOP_NodeParms*) const { return COOK_GENERIC; }
    virtual bool cookInputs(const InputParms&) const { return true; }
    virtual void cook(const CookParms& parms) const = 0;

    static const SOP_NodeVerb* lookupVerb(const char* name);
    static void registerVerb(const SOP_NodeVerb* verb);

    /// A static member of this type makes the verb known when the library is loaded.
    template <class T> class Register
    {
    public:
        Register() : verb_(new T) { registerVerb(verb_.get()); }
        const T* get() const { return verb_.get(); }
        const T* operator->() const { return verb_.get(); }

    private:
        std::unique_ptr<T> verb_;
    };
};

/// Parameters by name, for verbs without generated parameter classes.
class SOP_NodeParmsOptions : public SOP_NodeParms
{
public:
    explicit SOP_NodeParmsOptions(const PRM_Template* templates) : templates_(templates) {}
    void loadFromOpSubclass(const LoadParms& parms) override;
    fpreal number(const char* name, int component, fpreal time) const;
    std::string text(const char* name, int component, fpreal time) const;

private:
    const PRM_Template* templates_;
    const OP_Node* node_ = nullptr;
};

/// A cache that cooks like a traditional node, from parameters by name.
class SOP_NodeCacheOptions : public SOP_NodeCache
{
public:
    void doCook(const SOP_NodeVerb* verb, const SOP_NodeVerb::CookParms& cookparms);
    const SOP_NodeVerb::CookParms* cookparms() const { return cookparms_; }

protected:
    virtual OP_ERROR cook(OP_Context& context) = 0;
    fpreal evalFloat(const char* name, int component, fpreal time) const;
    exint evalInt(const char* name, int component, fpreal time) const;
    void evalString(UT_String& text, const char* name, int component, fpreal time) const;
    UT_StringHolder evalStdString(const char* name, fpreal time) const;
    OP_ERROR addError(int code, const char* text = nullptr);
    OP_ERROR addWarning(int code, const char* text = nullptr);
    OP_ERROR addMessage(int code, const char* text = nullptr);
    OP_ERROR error() const { return cookparms_->error(); }
    const GU_Detail* inputGeo(exint index) const { return cookparms_->inputGeo(index); }
    const GU_Detail* inputGeo(exint index, OP_Context&) const { return inputGeo(index); }
    exint nInputs() const { return cookparms_->nInputs(); }

    GU_Detail* gdp = nullptr;

private:
    const SOP_NodeVerb::CookParms* cookparms_ = nullptr;
};
