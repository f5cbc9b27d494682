#pragma once
#include <SYS/SYS_Types.h>
#include <UT/UT_Thread.h>

/// The user's Escape key. Operations nest; each thread that cooks has its own.
class UT_Interrupt
{
public:
    enum Priority { PRIORITY_DEFAULT, PRIORITY_HIGH };

    int opStart(const char* opname = nullptr, int npoll = 0, int immediate_dialog = 0,
                int* opid = nullptr);
    /// Non-zero once the user wants out. Polling outside opStart … opEnd never interrupts.
    int opInterrupt(int percent = -1);
    void opEnd(int opid = -1);
    void setOpText(const char* text);
    void setLongOpText(const char* text) { setOpText(text); }
    void setEnabled(bool) {}
    int isEnabled() const { return 1; }
    int getInterrupt() { return opInterrupt(); }
    void interrupt();
};
UT_Interrupt* UTgetInterrupt();

class UT_AutoInterrupt
{
public:
    explicit UT_AutoInterrupt(const char* operation, UT_Interrupt* boss = UTgetInterrupt());
    UT_AutoInterrupt(const char* operation, UT_Interrupt::Priority,
                     UT_Interrupt* boss = UTgetInterrupt());
    ~UT_AutoInterrupt();
    UT_AutoInterrupt(const UT_AutoInterrupt&) = delete;
    UT_AutoInterrupt& operator=(const UT_AutoInterrupt&) = delete;
    bool wasInterrupted(int percent = -1) const;
    bool wasStarted() const { return true; }

private:
    UT_Interrupt* boss_;
    int thread_ = UT_Thread::getMyThreadId(); ///< that may ask
    mutable bool interrupted_ = false;
};
