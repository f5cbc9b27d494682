#pragma once
#include <SYS/SYS_Types.h>

#include <thread>
class UT_Thread
{
public:
    static int getNumProcessors() { return int(std::thread::hardware_concurrency()); }
    static int getMyThreadId();
    static bool isMainThread();
};
inline int SYSgetSTID() { return UT_Thread::getMyThreadId(); }
