#pragma once
class UT_Axis3
{
public:
    enum axis { INVALID_AXIS = -1, XAXIS = 0, YAXIS = 1, ZAXIS = 2 };
};
