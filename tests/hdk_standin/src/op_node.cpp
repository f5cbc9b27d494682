// Wiring, dirtiness, locks and the clock.
#include <OP/OP_AutoLockInputs.h>
#include <OP/OP_Director.h>
#include <OP/OP_Network.h>
#include <OP/OP_Node.h>
#include <UT/UT_Assert.h>

#include "tests/hdk_standin/standin.h"

#include <atomic>
#include <cmath>

CH_Manager* CHgetManager()
{
    static CH_Manager manager;
    return &manager;
}
fpreal CHgetEvalTime() { return CHgetManager()->getEvaluateTime(0); }
fpreal CHgetTimeFromFrame(fpreal frame) { return CHgetManager()->getTime(frame); }
fpreal CHgetSampleFromTime(fpreal time) { return CHgetManager()->getSample(time); }
fpreal CHgetFrameFromTime(fpreal time) { return CHgetManager()->getSample(time); }

OP_Director* OPgetDirector()
{
    static OP_Director director;
    return &director;
}

fpreal OP_Context::getFloatFrame() const { return CHgetSampleFromTime(time_); }
exint OP_Context::getFrame() const { return exint(std::floor(getFloatFrame() + 0.5)); }
void OP_Context::setFrame(fpreal frame) { time_ = CHgetTimeFromFrame(frame); }

OP_Operator::OP_Operator(const char* name, const char* english, OP_Constructor construct,
                         PRM_Template* templates, unsigned min_sources, unsigned max_sources,
                         CH_LocalVariable* variables, unsigned flags, const char** labels, int,
                         const char* submenu)
    : name_(name),
      english_(english),
      submenu_(submenu ? submenu : ""),
      construct_(construct),
      templates_(templates),
      min_(min_sources),
      max_(max_sources),
      flags_(flags),
      variables_(variables)
{
    for (unsigned i = 0; labels && labels[i]; ++i) labels_.emplace_back(labels[i]);
}
OP_Operator::OP_Operator(const char* name, const char* english, OP_Constructor construct,
                         PRM_Template* templates, const char*, unsigned min_sources,
                         unsigned max_sources, CH_LocalVariable* variables, unsigned flags,
                         const char** labels, int max_outputs, const char* submenu)
    : OP_Operator(name, english, construct, templates, min_sources, max_sources, variables, flags,
                  labels, max_outputs, submenu)
{
}

bool OP_OperatorTable::addOperator(OP_Operator* op)
{
    std::unique_ptr<OP_Operator> own(op);
    if (getOperator(op->getName())) return false;
    operators_.push_back(std::move(own));
    return true;
}
OP_Operator* OP_OperatorTable::getOperator(const char* name) const
{
    for (const auto& op : operators_)
        if (op->getName() == name) return op.get();
    return nullptr;
}

OP_Network::~OP_Network()
{
    finish_destroying();
    while (!nodes_.empty()) destroyNode(nodes_.back().get());
}

OP_Node* OP_Network::createNode(const char* type, const char* name)
{
    OP_Operator* op = OPgetDirector()->sop_table().getOperator(type);
    if (!op) return nullptr;
    const std::string base = name ? name : std::string(type) + "1";
    std::string unique = base;
    for (int i = 2; findNode(unique.c_str()); ++i) unique = base + std::to_string(i);
    nodes_.emplace_back(op->getConstructor()(this, unique.c_str(), op));
    return nodes_.back().get();
}

OP_Node* OP_Network::findNode(const char* name) const
{
    for (const auto& n : nodes_)
        if (n->getName() == name) return n.get();
    return nullptr;
}

void OP_Network::destroyNode(OP_Node* node)
{
    for (auto it = nodes_.begin(); it != nodes_.end(); ++it)
        if (it->get() == node) {
            const bool must_wait = node->stop_cooking();
            node->opChanged(OP_NODE_PREDELETE);
            std::unique_ptr<OP_Node> gone = std::move(*it);
            nodes_.erase(it);
            if (must_wait) leaving_.push_back(std::move(gone));
            return;
        }
}

void OP_Network::finish_destroying() { leaving_.clear(); }

OP_Node::OP_Node(OP_Network* parent, const char* name, OP_Operator* op)
    : parent_(parent), name_(name), operator_(op)
{
    static std::atomic<int> next{1};
    unique_id_ = next++;
    add_parms(op->getParmTemplates(), "");
}

OP_Node::~OP_Node()
{
    for (OP_Node* reader : std::vector<OP_Node*>(outputs_))
        for (unsigned i = 0; i < reader->nInputs(); ++i)
            if (reader->getInput(i) == this) reader->setInput(i, nullptr);
    for (unsigned i = 0; i < nInputs(); ++i) setInput(i, nullptr);
}

UT_StringHolder OP_Node::getFullPath() const
{
    return UT_StringHolder((parent_ ? parent_->path() : "") + "/" + name_.c_str());
}
void OP_Node::getFullPath(UT_String& path) const { path = getFullPath().c_str(); }

OP_ERROR OP_Node::setInput(unsigned index, OP_Node* node, unsigned)
{
    if (inputs_.size() <= index) {
        inputs_.resize(index + 1, nullptr);
        locked_inputs_.resize(index + 1, false);
    }
    if (OP_Node* old = inputs_[index]) {
        if (locked_inputs_[index]) { // what it has cooked stays with who locked it
            locked_inputs_[index] = false;
            old->count_lock(-1);
        }
        auto& readers = old->outputs_;
        readers.erase(std::find(readers.begin(), readers.end(), this));
    }
    inputs_[index] = node;
    if (node) node->outputs_.push_back(this);
    opChanged(OP_INPUT_REWIRED);
    mark_dirty();
    return UT_ERROR_NONE;
}

OP_Node* OP_Node::getInput(unsigned index, bool) const
{
    return index < inputs_.size() ? inputs_[index] : nullptr;
}
int OP_Node::nConnectedInputs() const
{
    return int(
        std::count_if(inputs_.begin(), inputs_.end(), [](OP_Node* n) { return n != nullptr; }));
}
const char* OP_Node::inputLabel(unsigned index) const
{
    const auto& labels = operator_->input_labels();
    return index < labels.size() ? labels[index].c_str() : "Sub-Network Input";
}

void OP_Node::opChanged(OP_EventType, void*) {}
void OP_Node::forceRecook(bool) { mark_dirty(); }

void OP_Node::mark_dirty()
{
    dirty_ = true;
    ++version_;
    for (OP_Node* reader : outputs_) reader->mark_dirty();
}

bool OP_Node::needs_cook(fpreal time) const
{
    return dirty_ || cook_count_ == 0 || (flags_.getTimeDep() && cooked_time_ != time);
}

void OP_Node::cooked_at(fpreal time, OP_VERSION version_at_start)
{
    dirty_ = version_ != version_at_start; // changed meanwhile
    cooked_time_ = time;
    ++cook_count_;
}

void OP_Node::add_library_error(int code, const char* text, UT_ErrorSeverity severity)
{
    errors_.add("OP", code, text, severity);
}

OP_Node::CookScope::CookScope(OP_Node& node) : node_(node)
{
    const std::lock_guard<std::mutex> lock(node_.cooks_mutex_);
    node_.cooks_.push_back({std::this_thread::get_id(), &standin::escape_of_this_thread()});
}
OP_Node::CookScope::~CookScope()
{
    const std::lock_guard<std::mutex> lock(node_.cooks_mutex_);
    node_.cooks_.pop_back();
}

bool OP_Node::stop_cooking()
{
    bool by_this_thread = false;
    {
        const std::lock_guard<std::mutex> lock(cooks_mutex_);
        for (const Cook& c : cooks_) {
            *c.escape = true;
            by_this_thread = by_this_thread || c.thread == std::this_thread::get_id();
        }
    }
    if (!by_this_thread) const std::lock_guard<std::recursive_mutex> wait(cook_mutex_);
    return by_this_thread;
}

OP_ERROR OP_Node::lockInput(int index, OP_Context& context)
{
    OP_Node* input = getInput(unsigned(index));
    if (!input) {
        if (unsigned(index) < operator_->getMinSources())
            add_library_error(OP_ERR_NOT_ENOUGH_SRC, "Not enough sources specified.",
                              UT_ERROR_ABORT);
        return error();
    }
    const std::lock_guard<std::recursive_mutex> lock(input->cook_mutex());
    input->cook(context);
    if (input->flags().getTimeDep()) flags_.setTimeDep(true);
    if (input->error() >= UT_ERROR_ABORT) {
        UT_String why;
        input->getErrorMessages(why, UT_ERROR_ABORT);
        UT_WorkBuffer text;
        text.sprintf("Invalid source %s. Error: %s", input->getFullPath().c_str(), why.c_str());
        add_library_error(OP_ERR_INVALID_SRC, text.buffer(), UT_ERROR_ABORT);
        return error();
    }
    if (!locked_inputs_[std::size_t(index)]) {
        locked_inputs_[std::size_t(index)] = true;
        input->count_lock(1);
    }
    input_locked(index);
    return error();
}

void OP_Node::unlockInput(int index)
{
    if (!is_input_locked(index)) return;
    locked_inputs_[std::size_t(index)] = false;
    input_unlocked(index);
    if (OP_Node* input = getInput(unsigned(index))) input->count_lock(-1);
}
OP_ERROR OP_Node::lockInputs(OP_Context& context)
{
    for (unsigned i = 0; i < std::max(nInputs(), operator_->getMinSources()); ++i)
        if (lockInput(int(i), context) >= UT_ERROR_ABORT) break;
    return error();
}
void OP_Node::unlockInputs()
{
    for (unsigned i = 0; i < nInputs(); ++i) unlockInput(int(i));
}
bool OP_Node::is_input_locked(int index) const
{
    return std::size_t(index) < locked_inputs_.size() && locked_inputs_[std::size_t(index)];
}

OP_ERROR OP_AutoLockInputs::lock(OP_Context& context)
{
    const unsigned n = std::max(node_->nInputs(), node_->getOperator()->getMinSources());
    for (unsigned i = 0; i < n; ++i)
        if (lockInput(exint(i), context) >= UT_ERROR_ABORT) break;
    return node_->error();
}
OP_ERROR OP_AutoLockInputs::lockInput(exint index, OP_Context& context)
{
    node_->lockInput(int(index), context);
    if (node_->is_input_locked(int(index))) locked_.push_back(int(index));
    return node_->error();
}
void OP_AutoLockInputs::unlockInput(exint index)
{
    node_->unlockInput(int(index));
    locked_.erase(std::remove(locked_.begin(), locked_.end(), int(index)), locked_.end());
}
void OP_AutoLockInputs::unlock()
{
    for (const int i : locked_) node_->unlockInput(i);
    locked_.clear();
}
