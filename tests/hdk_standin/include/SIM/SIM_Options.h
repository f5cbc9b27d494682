#pragma once
#include <UT/UT_Options.h>
/// A data's parameters by name.
class SIM_Options : public UT_Options
{
};
