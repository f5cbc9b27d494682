#pragma once
#include <SIM/SIM_Guide.h>

/// Guides that are drawn for each object.
class SIM_GuidePerObject : public SIM_Guide
{
public:
    explicit SIM_GuidePerObject(const SIM_Data* creator) : SIM_Guide(creator) {}
};
