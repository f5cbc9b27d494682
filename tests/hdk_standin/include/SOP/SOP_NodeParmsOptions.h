#pragma once
#include <SOP/SOP_NodeVerb.h>
