#pragma once
#include <PRM/PRM_Include.h>

#include <functional>
#include <string>
#include <vector>

/// A parameter's values on a node: constants, expressions, or curves over time.
class PRM_Parm
{
public:
    PRM_Parm(const PRM_Template& t, const std::string& token);
    const char* getToken() const { return token_.c_str(); }
    const PRM_Template* getTemplatePtr() const { return template_; }
    const PRM_Type& getType() const { return template_->getType(); }
    int getVectorSize() const { return template_->getVectorSize(); }
    bool isTimeDependent() const;
    bool isDefault() const { return !changed_; }
    int getMultiParmNumItems() const;

    struct Value {
        fpreal number = 0;
        std::string text;                    ///< of strings
        std::string expression;              ///< evaluated when not empty
        std::function<fpreal(fpreal)> curve; ///< of time; wins over all
    };
    std::vector<Value>& values() { return values_; }
    const std::vector<Value>& values() const { return values_; }
    void mark_changed() { changed_ = true; }

private:
    const PRM_Template* template_;
    std::string token_;
    std::vector<Value> values_;
    bool changed_ = false;
};
