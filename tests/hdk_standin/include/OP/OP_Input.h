#pragma once
#include <OP/OP_Node.h>
