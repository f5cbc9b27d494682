#pragma once
#include <OP/OP_Operator.h>

#include <memory>
#include <set>

class OP_OperatorTable
{
public:
    /// Owns it; false (and the operator is gone) where the name is taken.
    bool addOperator(OP_Operator* op);
    void addOpHidden(const char* name) { hidden_.insert(name); }
    void delOpHidden(const char* name) { hidden_.erase(name); }
    OP_Operator* getOperator(const char* name) const;
    int entries() const { return int(operators_.size()); }
    const std::vector<std::unique_ptr<OP_Operator>>& operators() const { return operators_; }

private:
    std::vector<std::unique_ptr<OP_Operator>> operators_;
    std::set<std::string> hidden_;
};
