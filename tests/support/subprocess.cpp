#include "tests/support/subprocess.h"

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace selvage::test
{
namespace
{

std::string content(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

void redirect(int descriptor, const std::string& path)
{
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(file, descriptor);
    close(file);
}

} // namespace

Subprocess::Subprocess(const std::vector<std::string>& arguments)
{
    folder_ = (std::filesystem::temp_directory_path() / "selvage-run-XXXXXX").string();
    if (!mkdtemp(folder_.data())) throw std::runtime_error("cannot make a temporary folder");
    std::vector<char*> argv;
    for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    process_ = fork();
    if (process_ < 0) throw std::runtime_error("cannot fork");
    if (process_ == 0) {
        redirect(STDOUT_FILENO, folder_ + "/out");
        redirect(STDERR_FILENO, folder_ + "/err");
        execv(argv[0], argv.data());
        _exit(127);
    }
}

Subprocess::~Subprocess()
{
    if (!waited_) {
        kill(process_, SIGKILL);
        waitpid(process_, nullptr, 0);
    }
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

void Subprocess::signal(int number) { kill(process_, number); }

ProcessResult Subprocess::wait()
{
    int status = 0;
    waitpid(process_, &status, 0);
    waited_ = true;
    ProcessResult r;
    r.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    r.out = content(folder_ + "/out");
    r.err = content(folder_ + "/err");
    return r;
}

ProcessResult run(const std::vector<std::string>& arguments)
{
    return Subprocess(arguments).wait();
}

} // namespace selvage::test
