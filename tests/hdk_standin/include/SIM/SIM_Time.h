#pragma once
#include <SYS/SYS_Types.h>

/// Seconds of simulation; behaves like a number.
class SIM_Time
{
public:
    SIM_Time(fpreal seconds = 0) : seconds_(seconds) {}
    operator fpreal() const { return seconds_; }
    SIM_Time& operator+=(fpreal b)
    {
        seconds_ += b;
        return *this;
    }
    SIM_Time& operator-=(fpreal b)
    {
        seconds_ -= b;
        return *this;
    }

private:
    fpreal seconds_;
};
