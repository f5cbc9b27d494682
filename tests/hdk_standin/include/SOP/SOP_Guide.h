#pragma once
#include <SOP/SOP_Node.h>
