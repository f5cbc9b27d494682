#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

namespace selvage::test
{

struct ProcessResult {
    int exit_code = -1; ///< 128 + signal when it was ended by one
    std::string out, err;
};

/// A program running in the background, its output going to files in a temporary folder.
class Subprocess
{
public:
    explicit Subprocess(const std::vector<std::string>& arguments);
    ~Subprocess();
    Subprocess(const Subprocess&) = delete;
    Subprocess& operator=(const Subprocess&) = delete;

    void signal(int number);
    ProcessResult wait();

private:
    std::string folder_;
    pid_t process_;
    bool waited_ = false;
};

ProcessResult run(const std::vector<std::string>& arguments);

} // namespace selvage::test
