#include "core/base/after_fork.h"

#include <tbb/task_arena.h>

namespace selvage
{

void run_after_fork(const std::function<void()>& body)
{
    tbb::task_arena alone(1);
    alone.execute(body);
}

} // namespace selvage
