#pragma once
#include <PRM/PRM_Include.h>

/// What kind of DOP node makes a data, and with which parameters.
class SIM_DopDescription
{
public:
    SIM_DopDescription(bool creates_dop, const char* dop_name, const char* english,
                       const char* data_name, const char* data_type, const PRM_Template* templates)
        : creates_(creates_dop),
          dop_name_(dop_name ? dop_name : ""),
          english_(english ? english : ""),
          data_name_(data_name ? data_name : ""),
          data_type_(data_type ? data_type : ""),
          templates_(templates)
    {
    }
    bool createDop() const { return creates_; }
    const char* getDopName() const { return dop_name_.c_str(); }
    const char* getDopEnglish() const { return english_.c_str(); }
    const char* getDataName() const { return data_name_.c_str(); }
    const char* getDataType() const { return data_type_.c_str(); }
    const PRM_Template* getTemplates() const { return templates_; }
    void setDefaultUniqueDataName(bool unique) { unique_ = unique; }
    bool getDefaultUniqueDataName() const { return unique_; }
    void setGuideTemplates(const PRM_Template* guides) { guides_ = guides; }
    const PRM_Template* getGuideTemplates() const { return guides_; }

private:
    bool creates_, unique_ = false;
    std::string dop_name_, english_, data_name_, data_type_;
    const PRM_Template* templates_;
    const PRM_Template* guides_ = nullptr;
};
