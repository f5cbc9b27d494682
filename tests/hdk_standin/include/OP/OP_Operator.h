#pragma once
#include <CH/CH_LocalVariable.h>
#include <PRM/PRM_Include.h>
#include <UT/UT_String.h>

#include <string>
#include <vector>

class OP_Network;
class OP_Node;
class OP_Operator;
typedef OP_Node* (*OP_Constructor)(OP_Network*, const char*, OP_Operator*);

#define OP_FLAG_NETWORK 0x01
#define OP_FLAG_GENERATOR 0x02
#define OP_FLAG_UNORDERED 0x04
#define OP_FLAG_OUTPUT 0x08
#define OP_MULTI_INPUT_MAX 9999

/// A node type.
class OP_Operator
{
public:
    OP_Operator(const char* name, const char* english, OP_Constructor construct,
                PRM_Template* templates, unsigned min_sources, unsigned max_sources = 9999,
                CH_LocalVariable* variables = nullptr, unsigned flags = 0,
                const char** input_labels = nullptr, int max_outputs = 1,
                const char* tab_submenu = nullptr);
    OP_Operator(const char* name, const char* english, OP_Constructor construct,
                PRM_Template* templates, const char* child_table, unsigned min_sources,
                unsigned max_sources = 9999, CH_LocalVariable* variables = nullptr,
                unsigned flags = 0, const char** input_labels = nullptr, int max_outputs = 1,
                const char* tab_submenu = nullptr);
    virtual ~OP_Operator() = default;

    const UT_StringHolder& getName() const { return name_; }
    const UT_StringHolder& getEnglish() const { return english_; }
    OP_Constructor getConstructor() const { return construct_; }
    const PRM_Template* getParmTemplates() const { return templates_; }
    unsigned getMinSources() const { return min_; }
    unsigned getMaxSources() const { return max_; }
    unsigned getFlags() const { return flags_; }
    const CH_LocalVariable* getVariables() const { return variables_; }
    const std::vector<std::string>& input_labels() const { return labels_; }
    void setIconName(const char* icon) { icon_ = icon; }
    const UT_StringHolder& getIconName() const { return icon_; }
    void setOpTabSubMenuPath(const char* path) { submenu_ = path; }
    void setObsoleteTemplates(const PRM_Template*) {}
    void setIsThreadSafe(bool) {}
    virtual bool getOpHelpURL(UT_String&) { return false; }
    virtual bool getHDKHelp(UT_String&) const { return false; }
    virtual bool getVersion(UT_String&) { return false; }

private:
    UT_StringHolder name_, english_, icon_, submenu_;
    OP_Constructor construct_;
    PRM_Template* templates_;
    unsigned min_, max_, flags_;
    CH_LocalVariable* variables_;
    std::vector<std::string> labels_;
};
