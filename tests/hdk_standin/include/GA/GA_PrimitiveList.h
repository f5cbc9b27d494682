#pragma once
#include <GA/GA_Detail.h>
