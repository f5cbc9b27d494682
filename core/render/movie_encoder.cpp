#include "core/render/movie_encoder.h"

#include "core/base/error.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char** environ;

namespace selvage
{
namespace
{

/// Removed at the end, whatever happens.
struct ScratchFile {
    std::string path;
    ~ScratchFile() { std::remove(path.c_str()); }
};

/// One file with all frames behind each other. The encoder reads it as its standard input, so that
/// no name of ours is ever taken for a pattern, a protocol or an option.
void concatenate(const std::vector<std::string>& files, const std::string& target)
{
    std::ofstream out(target, std::ios::binary);
    for (const std::string& file : files) {
        std::ifstream in(file, std::ios::binary);
        if (!in) throw FileError("Cannot read frame '" + file + "' for the movie.");
        out << in.rdbuf();
    }
    out.close();
    if (!out)
        throw FileError("Cannot write '" + target +
                        "' for the movie. Check that the folder is writable and has space left.");
}

std::vector<std::string> arguments(const std::string& encoder, const std::string& target,
                                   double fps)
{
    char rate[32];
    std::snprintf(rate, sizeof rate, "%.6g", fps);
    // yuv420p halves the colour resolution and so needs even sizes.
    return {encoder,
            "-hide_banner",
            "-loglevel",
            "error",
            "-y",
            "-f",
            "image2pipe",
            "-framerate",
            rate,
            "-c:v",
            "png",
            "-i",
            "pipe:0",
            "-vf",
            "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709",
            "-c:v",
            "libx264",
            "-crf",
            "17",
            "-pix_fmt",
            "yuv420p",
            "-colorspace",
            "bt709",
            "-color_primaries",
            "bt709",
            "-color_trc",
            "bt709",
            "-movflags",
            "+faststart",
            "-f",
            "mp4",
            "file:" + target};
}

/// Starts the child with its standard streams on files; 0 when there is no such program.
pid_t start(const std::vector<std::string>& words, const std::string& input, const std::string& log)
{
    std::vector<char*> argv;
    for (const std::string& w : words) argv.push_back(const_cast<char*>(w.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t streams;
    posix_spawn_file_actions_init(&streams);
    posix_spawn_file_actions_addopen(&streams, 0, input.c_str(), O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&streams, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&streams, 2, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    pid_t child = 0;
    const int error = posix_spawnp(&child, argv[0], &streams, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&streams);
    if (error == ENOENT || error == EACCES) return 0;
    if (error != 0)
        throw FileError("Cannot start '" + words[0] + "': " + std::strerror(error) + ".");
    return child;
}

/// Exit status as of waitpid; polls, so that the user can stop the child.
int wait_for(pid_t child, const Cancel& cancel, bool& cancelled)
{
    int status = 0;
    for (;;) {
        const pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child) return status;
        if (ended < 0 && errno != EINTR) return -1;
        if (!cancelled && cancel.requested()) {
            cancelled = true;
            kill(child, SIGKILL);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

std::string last_words(const std::string& log)
{
    std::ifstream in(log);
    std::string text, line;
    while (std::getline(in, line))
        if (!line.empty()) text += (text.empty() ? "" : "; ") + line;
    return text.size() > 600 ? "..." + text.substr(text.size() - 600) : text;
}

} // namespace

EncodeStatus encode_movie(const std::vector<std::string>& png_files, const std::string& movie,
                          double fps, const std::string& encoder, const Cancel& cancel)
{
    if (png_files.empty()) throw InputError("Movie '" + movie + "' has no frames.");
    const std::string unique = movie + ".tmp" + std::to_string(::getpid());
    const ScratchFile stream{unique + ".frames"}, log{unique + ".log"}, target{unique + ".mp4"};
    concatenate(png_files, stream.path);
    const pid_t child = start(arguments(encoder, target.path, fps), stream.path, log.path);
    if (child == 0) return EncodeStatus::no_encoder;
    bool cancelled = false;
    const int status = wait_for(child, cancel, cancelled);
    if (cancelled) return EncodeStatus::cancelled;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        throw FileError("Cannot make movie '" + movie + "': " + encoder +
                        " said: " + last_words(log.path));
    if (std::rename(target.path.c_str(), movie.c_str()) != 0)
        throw FileError("Cannot write movie '" + movie + "': " + std::strerror(errno) + ".");
    return EncodeStatus::done;
}

} // namespace selvage
