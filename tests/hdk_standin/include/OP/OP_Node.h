#pragma once
#include <CH/CH_Manager.h>
#include <OP/OP_Context.h>
#include <OP/OP_Error.h>
#include <OP/OP_Operator.h>
#include <PRM/PRM_Parm.h>
#include <UT/UT_Vector3.h>
#include <UT/UT_WorkBuffer.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

class OP_Network;
class OP_Node;
class UT_InfoTree;

typedef unsigned OP_InputIdx;
typedef int64 OP_VERSION;
enum OP_EventType {
    OP_NODE_PREDELETE,
    OP_INPUT_REWIRED,
    OP_INPUT_CHANGED,
    OP_PARM_CHANGED,
    OP_NAME_CHANGED,
    OP_FLAG_CHANGED
};
enum CH_StringMeaning { CH_STRING_LITERAL, CH_OLD_EXPRESSION };

class OP_NodeFlags
{
public:
    bool getTimeDep() const { return timeDep != 0; }
    void setTimeDep(bool on) { timeDep = on; }
    bool getBypass() const { return bypass_; }
    void setBypass(bool on) { bypass_ = on; }
    bool getHighlight() const { return false; }
    int timeDep = 0; ///< older samples write it directly

private:
    bool bypass_ = false;
};

class OP_NodeInfoParms
{
public:
    void append(const char* text) { text_ += text; }
    const std::string& text() const { return text_; }

private:
    std::string text_;
};
class OP_NodeInfoTreeParms
{
};

/// Parameters, inputs, errors and flags of any node.
class OP_Node
{
public:
    OP_Node(OP_Network* parent, const char* name, OP_Operator* op);
    virtual ~OP_Node();
    OP_Node(const OP_Node&) = delete;
    OP_Node& operator=(const OP_Node&) = delete;

    const UT_StringHolder& getName() const { return name_; }
    void getFullPath(UT_String& path) const;
    UT_StringHolder getFullPath() const;
    OP_Operator* getOperator() const { return operator_; }
    OP_Network* getParent() const { return parent_; }
    int getUniqueId() const { return unique_id_; }

    // Inputs.
    OP_ERROR setInput(unsigned index, OP_Node* node, unsigned output = 0);
    OP_Node* getInput(unsigned index, bool mark_used = false) const;
    unsigned nInputs() const { return unsigned(inputs_.size()); }
    unsigned getInputsArraySize() const { return unsigned(inputs_.size()); }
    int nConnectedInputs() const;
    bool isConnected(int index) const { return getInput(unsigned(index)) != nullptr; }
    virtual const char* inputLabel(unsigned index) const;
    virtual int isRefInput(unsigned) const { return 0; }

    // Parameters.
    fpreal evalFloat(const char* name, int component, fpreal time) const;
    fpreal evalFloat(int parm, int component, fpreal time) const;
    int evalInt(const char* name, int component, fpreal time) const;
    int evalInt(int parm, int component, fpreal time) const;
    void evalString(UT_String& text, const char* name, int component, fpreal time) const;
    void evalString(UT_String& text, int parm, int component, fpreal time) const;
    void evalString(UT_StringHolder& text, const char* name, int component, fpreal time) const;
    // As above; *where remembers the place of the parameter for the next time.
    fpreal evalFloat(const char* name, int* where, int component, fpreal time) const;
    int evalInt(const char* name, int* where, int component, fpreal time) const;
    void evalString(UT_String& text, const char* name, int* where, int component,
                    fpreal time) const;
    static int* allocIndirect(int size);
    void evalFloats(const char* name, fpreal* values, fpreal time) const;
    UT_Vector3D evalVector3(const char* name, fpreal time) const;
    /// "stiff#" of the instance *index (1 first).
    fpreal evalFloatInst(const char* name, const int* index, int component, fpreal time) const;
    int evalIntInst(const char* name, const int* index, int component, fpreal time) const;
    void evalStringInst(const char* name, const int* index, UT_String& text, int component,
                        fpreal time) const;
    bool setFloat(const char* name, int component, fpreal time, fpreal value);
    bool setInt(const char* name, int component, fpreal time, exint value);
    bool setString(const UT_String& text, CH_StringMeaning meaning, const char* name, int component,
                   fpreal time);
    bool hasParm(const char* name) const { return find_parm(name) != nullptr; }
    int getParmIndex(const char* name) const;
    PRM_Parm* getParmPtr(const char* name) const { return find_parm(name); }
    PRM_Parm& getParm(const char* name) const { return *find_parm(name); }
    PRM_Parm& getParm(int index) const { return *parms_[std::size_t(index)]; }
    int getNumParms() const { return int(parms_.size()); }
    /// For tests: animates a component; press() is what a user does to a button.
    void animate(const char* name, int component, std::function<fpreal(fpreal)> curve);
    bool press(const char* button);
    virtual bool evalVariableValue(fpreal& value, int index, int thread);
    virtual bool evalVariableValue(UT_String& value, int index, int thread);
    virtual bool updateParmsFlags() { return false; }
    bool enableParm(const char* name, int state, int component = -1);
    bool enableParm(int parm, int state, int component = -1);
    bool setVisibleState(const char* name, bool state, int component = -1);
    bool parm_enabled(const char* name) const;

    // Cooking.
    OP_NodeFlags& flags() { return flags_; }
    const OP_NodeFlags& flags() const { return flags_; }
    virtual bool cook(OP_Context& context) = 0;
    virtual void opChanged(OP_EventType reason, void* data = nullptr);
    void forceRecook(bool everything = true);
    bool needs_cook(fpreal time) const;
    exint cook_count() const { return cook_count_; }
    /// Goes up when something here or upstream is changed; time alone changes nothing.
    OP_VERSION getVersionParms() const { return version_; }
    virtual void getNodeSpecificInfoText(OP_Context&, OP_NodeInfoParms&) {}
    virtual void fillInfoTreeNodeSpecific(UT_InfoTree&, const OP_NodeInfoTreeParms&) {}

    // Errors.
    OP_ERROR error() const { return errors_.getSeverity(); }
    UT_ErrorManager& getErrorManager() { return errors_; }
    const UT_ErrorManager& getErrorManager() const { return errors_; }
    UT_ErrorSeverity getErrorSeverity() const { return errors_.getSeverity(); }
    void getErrorMessages(UT_String& text, UT_ErrorSeverity s = UT_ERROR_NONE) const
    {
        errors_.getErrorMessages(text, s);
    }

    // Locks.
    OP_ERROR lockInput(int index, OP_Context& context);
    void unlockInput(int index);
    OP_ERROR lockInputs(OP_Context& context);
    void unlockInputs();
    bool is_input_locked(int index) const;
    bool is_locked() const { return locks_ > 0; }

    /// Presses Escape for who cooks this node and waits for the end; true where it is this thread,
    /// which cannot.
    bool stop_cooking();

protected:
    /// Lives as long as a cook.
    class CookScope
    {
    public:
        explicit CookScope(OP_Node& node);
        ~CookScope();

    private:
        OP_Node& node_;
    };
    /// Hold, and let go of, what a locked input has cooked.
    virtual void input_locked(int /*index*/) {}
    virtual void input_unlocked(int /*index*/) {}
    friend class OP_AutoLockInputs;
    /// Variables that every node of a kind has; false where it has none of this name.
    virtual bool built_in_variable(const std::string&, fpreal&) const { return false; }
    virtual void add_library_error(int code, const char* text, UT_ErrorSeverity severity);
    void clear_errors() { errors_.clearAllErrors(); }
    void cooked_at(fpreal time, OP_VERSION version_at_start);
    std::recursive_mutex& cook_mutex() { return cook_mutex_; }
    void count_lock(int delta) { locks_ += delta; }

private:
    PRM_Parm* find_parm(const std::string& name) const;
    void add_parms(const PRM_Template* list, const std::string& instance);
    void resize_multi(const PRM_Parm& parm, int count);
    fpreal number_of(const PRM_Parm& parm, int component, fpreal time) const;
    std::string text_of(const PRM_Parm& parm, int component, fpreal time) const;
    fpreal evaluate(const std::string& expression, fpreal time) const;
    void parm_changed(PRM_Parm& parm);
    void mark_dirty();

    OP_Network* parent_;
    UT_StringHolder name_;
    OP_Operator* operator_;
    int unique_id_;
    std::vector<OP_Node*> inputs_;
    std::vector<OP_Node*> outputs_; ///< nodes that read this one
    std::vector<bool> locked_inputs_;
    std::vector<std::unique_ptr<PRM_Parm>> parms_;
    std::vector<std::string> disabled_;
    mutable OP_NodeFlags flags_;
    UT_ErrorManager errors_;
    struct Cook {
        std::thread::id thread;
        std::atomic<bool>* escape;
    };
    std::vector<Cook> cooks_; ///< that are going on
    std::mutex cooks_mutex_;
    std::recursive_mutex cook_mutex_;
    bool dirty_ = true;
    fpreal cooked_time_ = 0;
    exint cook_count_ = 0;
    OP_VERSION version_ = 0;
    int locks_ = 0;
};
typedef OP_Node OP_Parameters;
