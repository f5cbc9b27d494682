#pragma once
#include <PRM/PRM_Include.h>

#include <memory>

/// Makes templates from a dialog script (a "DS file"). Errors are thrown as std::runtime_error with
/// the line; the real one prints them.
class PRM_TemplateBuilder
{
public:
    PRM_TemplateBuilder(const UT_StringHolder& name, const char* ds_text,
                        const char** cpp_options = nullptr, int extra_parms = 0);
    ~PRM_TemplateBuilder();
    PRM_Template* templates() const;
    void setCallback(const char* parm, PRM_CallbackFunc callback);
    void setChoiceListPtr(const UT_StringRef& parm, PRM_ChoiceList* choices);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};
