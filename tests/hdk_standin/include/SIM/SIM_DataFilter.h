#pragma once
#include <SIM/SIM_Data.h>

class SIM_DataFilter
{
public:
    virtual ~SIM_DataFilter() = default;
    virtual bool matches(const SIM_Data& data, const std::string& name) const = 0;
};
class SIM_DataFilterAll : public SIM_DataFilter
{
public:
    bool matches(const SIM_Data&, const std::string&) const override { return true; }
};
class SIM_DataFilterNone : public SIM_DataFilter
{
public:
    bool matches(const SIM_Data&, const std::string&) const override { return false; }
};
class SIM_DataFilterByType : public SIM_DataFilter
{
public:
    explicit SIM_DataFilterByType(const char* type) : type_(type) {}
    bool matches(const SIM_Data& data, const std::string&) const override
    {
        return data.getIsDataTypeOf(type_);
    }

private:
    std::string type_;
};
class SIM_DataFilterByName : public SIM_DataFilter
{
public:
    explicit SIM_DataFilterByName(const char* name) : name_(name) {}
    bool matches(const SIM_Data&, const std::string& name) const override { return name == name_; }

private:
    std::string name_;
};
class SIM_DataFilterRootData : public SIM_DataFilterAll
{
};
