#pragma once
#include <UT/UT_StringHolder.h>
/// Usual attribute names.
namespace GA_Names
{
inline const UT_StringHolder P("P"), v("v"), N("N"), Cd("Cd"), uv("uv"), mass("mass"),
    pscale("pscale"), id("id"), rest("rest"), orient("orient"), name("name");
}
