#pragma once
#include <GA/GA_ElementGroup.h>
