#include "tests/hdk_standin/standin.h"

#include <UT/UT_Interrupt.h>

#include <atomic>
#include <functional>
#include <string>

namespace
{

/// What one cooking thread knows of Escape.
struct ThreadState {
    int depth = 0;
    exint polls = 0;
    exint interrupt_after = -1; ///< polls until Escape; −1: never
    std::atomic<bool> pressed{false};
    std::function<void()> meanwhile; ///< what else happens when Escape is asked for
    int last_percent = -1;
    std::string last_text;
};

ThreadState& state()
{
    thread_local ThreadState s;
    return s;
}

std::atomic<int> next_thread{0};
std::atomic<exint> polls_by_others{0};

} // namespace

int UT_Thread::getMyThreadId()
{
    thread_local const int id = next_thread++;
    return id;
}
bool UT_Thread::isMainThread() { return getMyThreadId() == 0; }

UT_Interrupt* UTgetInterrupt()
{
    static UT_Interrupt boss;
    return &boss;
}

int UT_Interrupt::opStart(const char* opname, int, int, int* opid)
{
    ThreadState& s = state();
    if (opname) s.last_text = opname;
    if (opid) *opid = s.depth;
    ++s.depth;
    return 1;
}

int UT_Interrupt::opInterrupt(int percent)
{
    ThreadState& s = state();
    ++s.polls;
    if (percent >= 0) s.last_percent = percent;
    if (s.depth == 0) return 0;
    if (s.meanwhile) std::function<void()>(s.meanwhile)(); // it may set another
    if (s.interrupt_after >= 0 && s.interrupt_after-- == 0) s.pressed = true;
    return s.pressed;
}

void UT_Interrupt::opEnd(int)
{
    ThreadState& s = state();
    if (--s.depth == 0) s.pressed = false;
}

void UT_Interrupt::setOpText(const char* text) { state().last_text = text ? text : ""; }
void UT_Interrupt::interrupt() { state().pressed = true; }

UT_AutoInterrupt::UT_AutoInterrupt(const char* operation, UT_Interrupt* boss) : boss_(boss)
{
    boss_->opStart(operation);
}
UT_AutoInterrupt::UT_AutoInterrupt(const char* operation, UT_Interrupt::Priority,
                                   UT_Interrupt* boss)
    : UT_AutoInterrupt(operation, boss)
{
}
UT_AutoInterrupt::~UT_AutoInterrupt() { boss_->opEnd(); }
bool UT_AutoInterrupt::wasInterrupted(int percent) const
{
    if (UT_Thread::getMyThreadId() != thread_) ++polls_by_others;
    if (!interrupted_) interrupted_ = boss_->opInterrupt(percent) != 0;
    return interrupted_;
}

namespace standin
{

void interrupt_after(exint polls)
{
    state().interrupt_after = polls;
    state().pressed = false;
}
void while_polling(std::function<void()> what) { state().meanwhile = std::move(what); }
std::atomic<bool>& escape_of_this_thread() { return state().pressed; }
exint foreign_polls() { return polls_by_others; }
exint interrupt_polls() { return state().polls; }
int interrupt_depth() { return state().depth; }
int last_percent() { return state().last_percent; }
std::string last_operation() { return state().last_text; }

} // namespace standin
