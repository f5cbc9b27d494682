#pragma once
#include <SIM/SIM_Guide.h>

/// Guides that look the same for every object.
class SIM_GuideShared : public SIM_Guide
{
public:
    SIM_GuideShared(const SIM_Data* creator, bool /*separate_per_time*/) : SIM_Guide(creator) {}
};
