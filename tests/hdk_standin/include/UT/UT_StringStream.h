#pragma once
#include <UT/UT_IStream.h>
#include <UT/UT_OStream.h>
