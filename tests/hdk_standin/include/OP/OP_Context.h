#pragma once
#include <SYS/SYS_Types.h>

/// When, and for whom, a node is cooked.
class OP_Context
{
public:
    OP_Context() = default;
    explicit OP_Context(fpreal time, int thread = 0) : time_(time), thread_(thread) {}
    fpreal getTime() const { return time_; }
    void setTime(fpreal time) { time_ = time; }
    fpreal getFloatFrame() const;
    exint getFrame() const; ///< nearest whole frame
    void setFrame(fpreal frame);
    int getThread() const { return thread_; }

private:
    fpreal time_ = 0;
    int thread_ = 0;
};
