#pragma once
#include <GA/GA_Range.h>
