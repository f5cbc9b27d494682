#pragma once

#include <SYS/SYS_Types.h>

#include <atomic>
#include <functional>
#include <string>

/// What tests may do to the stand-in and no plugin can see.
namespace standin
{

/// Presses Escape on this thread at the n-th poll from now; −1: never.
void interrupt_after(exint polls);
/// Does this at every poll of this thread from now on, as a host that handles events meanwhile;
/// null: nothing.
void while_polling(std::function<void()> what);
/// Escape of the thread that calls; any may press it.
std::atomic<bool>& escape_of_this_thread();
exint interrupt_polls();      ///< so far, on this thread
int interrupt_depth();        ///< operations begun and not ended
exint foreign_polls();        ///< so far, by threads other than the one that began the operation
int last_percent();           ///< of progress
std::string last_operation(); ///< text of the newest operation

/// Options so far that were asked for as another type than they have.
exint mistyped_options();

/// Registers the data types that Houdini has by itself; call once before a simulation.
void initialize_sim();

} // namespace standin
