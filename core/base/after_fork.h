#pragma once

#include <functional>

namespace selvage
{

/// Runs body in a child that fork() has just made. The threading library still counts on threads
/// that only the parent has: parallel loops in body, also those of libraries that use it, run on
/// this one thread and do not wait for others.
void run_after_fork(const std::function<void()>& body);

} // namespace selvage
