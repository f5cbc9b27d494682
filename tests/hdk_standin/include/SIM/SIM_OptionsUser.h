#pragma once
#include <SIM/SIM_Data.h>

/// Gives a data class the accessors that GETSET_DATA_FUNCS_… are written with.
class SIM_OptionsUser
{
public:
    explicit SIM_OptionsUser(SIM_Data* data) : data_(data) {}

protected:
    SIM_Data& getData() { return *data_; }
    const SIM_Data& getData() const { return *data_; }

private:
    SIM_Data* data_;
};
