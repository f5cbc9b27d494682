#pragma once
#include <SIM/SIM_DopDescription.h>

#include <functional>

class SIM_Data;

/// Makes data of one type; known by name.
class SIM_DataFactory
{
public:
    using Make = std::function<SIM_Data*(const SIM_DataFactory*)>;
    SIM_DataFactory(const char* type, const char* description, const SIM_DopDescription* dop,
                    Make make)
        : type_(type), description_(description), dop_(dop), make_(std::move(make))
    {
    }
    const std::string& getDataType() const { return type_; }
    const std::string& getDescription() const { return description_; }
    const SIM_DopDescription* getDopDescription() const { return dop_; }
    /// The caller owns it; initialised, with the description's defaults as options.
    SIM_Data* create() const;

    static void add(std::unique_ptr<SIM_DataFactory> factory);
    static const SIM_DataFactory* find(const std::string& type);

private:
    std::string type_, description_;
    const SIM_DopDescription* dop_;
    Make make_;
};
