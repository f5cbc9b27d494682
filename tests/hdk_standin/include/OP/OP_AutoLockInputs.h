#pragma once
#include <OP/OP_Node.h>

/// Cooks and holds inputs until it goes out of scope.
class OP_AutoLockInputs
{
public:
    explicit OP_AutoLockInputs(OP_Node* node = nullptr) : node_(node) {}
    ~OP_AutoLockInputs() { unlock(); }
    OP_AutoLockInputs(const OP_AutoLockInputs&) = delete;
    OP_AutoLockInputs& operator=(const OP_AutoLockInputs&) = delete;
    void setNode(OP_Node* node) { node_ = node; }
    OP_ERROR lock(OP_Context& context);
    OP_ERROR lockInput(exint index, OP_Context& context);
    void unlockInput(exint index);
    void unlock();

private:
    OP_Node* node_;
    std::vector<int> locked_;
};
