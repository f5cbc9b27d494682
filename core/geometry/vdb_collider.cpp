// The core's only door to OpenVDB.
#include "core/geometry/vdb_collider.h"

#include "core/base/after_fork.h"
#include "core/geometry/vdb_grid.h"

#pragma GCC visibility push(default)
#include <openvdb/io/Stream.h>
#include <openvdb/tools/MeshToVolume.h>
#pragma GCC visibility pop

#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>

namespace selvage
{
namespace
{

/// The library's exceptions, and those of the stream that it reads, in our words.
template <class Body> auto translating(Body&& body)
{
    openvdb::initialize(); // as often as one likes
    try {
        return body();
    } catch (const InputError&) {
        throw;
    } catch (const openvdb::Exception& e) {
        throw InputError(
            fmt::format("it is no volume file that OpenVDB understands ({}).", e.what()));
    } catch (const std::ios_base::failure&) {
        throw InputError("it is cut short or damaged.");
    } catch (const std::bad_alloc&) {
        throw InputError("it is damaged, or too large for this machine.");
    }
}

/// Texts say their own lengths, and OpenVDB makes room for them before it looks whether they are
/// there: a damaged length would take 4 GB. Walks over those in front of the values of each grid;
/// of files that do not say where the next one begins, of the first.
void check_texts(std::string_view bytes)
{
    std::size_t at = 0;
    const auto skip = [&](std::uint64_t count) {
        if (count > bytes.size() - at) throw InputError("it is cut short or damaged.");
        at += std::size_t(count);
    };
    const auto number = [&](auto value) {
        const std::size_t from = at;
        skip(sizeof value);
        std::memcpy(&value, bytes.data() + from, sizeof value);
        return value;
    };
    const auto text = [&] { skip(number(std::uint32_t())); };
    const auto metadata = [&] { // names, types and values, all with their lengths
        for (auto left = number(std::uint32_t()); left > 0; --left)
            for (int k = 0; k < 3; ++k) text();
    };
    if (number(std::int64_t()) != openvdb::OPENVDB_MAGIC)
        throw InputError("it is no volume file of OpenVDB (.vdb).");
    const auto version = number(std::uint32_t());
    constexpr std::uint32_t oldest = openvdb::OPENVDB_FILE_VERSION_NODE_MASK_COMPRESSION;
    if (version < oldest)
        throw InputError(fmt::format("it is a volume file of format {}, older than {}. Write it "
                                     "again with OpenVDB 3 or newer.",
                                     version, oldest));
    skip(2 * sizeof(std::uint32_t)); // version of the library
    const bool says_where = number(char()) != 0;
    skip(36); // its own number
    metadata();
    for (auto left = number(std::uint32_t()); left > 0; --left) {
        for (int k = 0; k < 3; ++k) text(); // name, type, name of what it is an instance of
        number(std::int64_t());
        number(std::int64_t());
        const auto end = number(std::int64_t());
        number(std::uint32_t()); // compression
        metadata();
        text(); // kind of transform
        if (!says_where) return;
        if (end < std::int64_t(at)) throw InputError("it is cut short or damaged.");
        skip(std::uint64_t(end) - at);
    }
}

Volume named_volume(const openvdb::GridBase::Ptr& grid)
{
    const std::string name = grid->getName();
    try {
        Volume v = vdb::volume_of(grid);
        v.name = name;
        return v;
    } catch (const InputError& e) {
        throw InputError(fmt::format("grid '{}': {}", name, e.what()));
    }
}

/// One end of a pipe to a child process; whatever does not come through ends the conversation.
class Line
{
public:
    /// How long to wait for the other end [ms].
    explicit Line(int file, int patience = -1) : file_(file), patience_(patience) {}

    void send(const void* data, std::size_t size) const
    {
        for (auto from = static_cast<const char*>(data); size > 0;) {
            const ssize_t n = ::write(file_, from, size);
            if (n < 0 && errno == EINTR) continue;
            if (n <= 0) throw std::runtime_error("nobody listens");
            from += n, size -= std::size_t(n);
        }
    }
    void receive(void* data, std::size_t size) const
    {
        for (auto to = static_cast<char*>(data); size > 0;) {
            pollfd ready{file_, POLLIN, 0};
            const int heard = ::poll(&ready, 1, patience_);
            if (heard < 0 && errno == EINTR) continue;
            if (heard == 0) throw InputError("it is damaged: OpenVDB does not come to an end.");
            const ssize_t n = ::read(file_, to, size);
            if (n < 0 && errno == EINTR) continue;
            if (n <= 0) throw InputError("it is damaged: OpenVDB broke down over it.");
            to += n, size -= std::size_t(n);
        }
    }
    template <class T> void send_value(const T& value) const { send(&value, sizeof value); }
    template <class T> T receive_value() const
    {
        T value;
        receive(&value, sizeof value);
        return value;
    }
    template <class List> void send_list(const List& list) const
    {
        send_value(std::uint64_t(list.size()));
        send(list.data(), list.size() * sizeof(list[0]));
    }
    /// A child that a damaged file has led astray may say anything: no list is longer than `most`.
    template <class List> List receive_list(std::uint64_t most) const
    {
        const auto count = receive_value<std::uint64_t>();
        if (count > most) throw InputError("it is damaged: OpenVDB makes no sense of it.");
        List list;
        list.resize(std::size_t(count));
        receive(list.data(), list.size() * sizeof(list[0]));
        return list;
    }

private:
    int file_, patience_;
};

constexpr std::uint64_t longest_text = 1 << 20;

void send_volume(const Line& line, const Volume& v)
{
    line.send_list(v.name);
    line.send_value(v.kind);
    line.send_value(v.field != nullptr);
    if (!v.field) return;
    const DistanceSamples& s = v.field->samples();
    line.send(s.axes.data(), sizeof(double) * 9);
    line.send(s.origin.data(), sizeof(double) * 3);
    line.send_value(s.background);
    line.send(s.first_block.data(), sizeof(int) * 3);
    line.send(s.block_count.data(), sizeof(int) * 3);
    line.send_list(s.block);
    line.send_list(s.values);
}

Volume receive_volume(const Line& line)
{
    Volume v;
    v.name = line.receive_list<std::string>(longest_text);
    v.kind = line.receive_value<Volume::Kind>();
    if (!line.receive_value<bool>()) return v;
    DistanceSamples s;
    line.receive(s.axes.data(), sizeof(double) * 9);
    line.receive(s.origin.data(), sizeof(double) * 3);
    s.background = line.receive_value<double>();
    line.receive(s.first_block.data(), sizeof(int) * 3);
    line.receive(s.block_count.data(), sizeof(int) * 3);
    s.block = line.receive_list<std::vector<std::int32_t>>(std::uint64_t(vdb::most_blocks));
    const auto most_values = s.block.size() * DistanceSamples::size;
    s.values = line.receive_list<std::vector<float>>(most_values);
    const auto blocks = std::int64_t(s.values.size()) / DistanceSamples::size;
    bool sound = s.block_count.minCoeff() > 0 &&
                 s.block_count.cast<double>().prod() == double(s.block.size()) &&
                 std::int64_t(s.values.size()) == blocks * DistanceSamples::size;
    for (const std::int32_t b : s.block)
        sound = sound && b >= DistanceSamples::inside && b < blocks;
    if (!sound) throw InputError("it is damaged: OpenVDB makes no sense of it.");
    v.field = std::make_shared<DistanceField>(std::move(s));
    return v;
}

/// [s] of a processor: a hundred times what reading takes.
int longest_reading(std::size_t file_size) { return 3 + int(file_size / 1000000); }

/// OpenVDB believes what a file says of itself: damaged ones make it write over its own memory, ask
/// for more than there is, or never end. It reads in a process of its own, therefore.
void limit_child(std::size_t file_size)
{
    const int nowhere = ::open("/dev/null", O_WRONLY);
    if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO); // where the C library complains
    const auto limit = [](auto what, rlim_t most) {
        const rlimit value{most, most};
        ::setrlimit(what, &value);
    };
    std::ifstream statm("/proc/self/statm");
    rlim_t pages = 0;
    statm >> pages;
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, rlim_t(longest_reading(file_size)));
    if (pages > 0)
        limit(RLIMIT_AS, pages * rlim_t(::sysconf(_SC_PAGESIZE)) + 64 * file_size + (1u << 29));
}

/// Sends why not, or nothing and the volumes.
void answer(const Line& line, const std::string& bytes)
{
    std::vector<Volume> volumes;
    std::string refusal;
    try {
        translating([&] {
            std::istringstream in(bytes, std::ios::binary);
            in.exceptions(std::ios::failbit | std::ios::badbit); // one that is cut short ends there
            const openvdb::GridPtrVecPtr grids =
                openvdb::io::Stream(in, /*delayLoad*/ false).getGrids();
            for (const openvdb::GridBase::Ptr& grid : *grids) volumes.push_back(named_volume(grid));
        });
    } catch (const std::exception& e) {
        refusal = e.what();
        if (refusal.empty()) refusal = "it cannot be read.";
    }
    try {
        line.send_list(refusal);
        if (!refusal.empty()) return;
        line.send_value(std::uint64_t(volumes.size()));
        for (const Volume& v : volumes) send_volume(line, v);
    } catch (const std::exception&) { // the other end has heard enough
    }
}

struct Child {
    pid_t process;
    int line;
    ~Child()
    {
        ::close(line);
        ::kill(process, SIGKILL);
        while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {}
    }
};

} // namespace

bool has_openvdb() { return true; }

std::vector<Volume> read_vdb(const std::string& bytes)
{
    translating([&] { check_texts(bytes); });
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw InputError("it cannot be read: too many open files.");
    const pid_t child = ::fork();
    if (child == 0) {
        limit_child(bytes.size());
        run_after_fork([&] { answer(Line(ends[1]), bytes); });
        ::_exit(0);
    }
    ::close(ends[1]);
    if (child < 0) {
        ::close(ends[0]);
        throw InputError("it cannot be read: no process can be started for it.");
    }
    const Child reaped{child, ends[0]};
    // On a machine busy with much else.
    const Line line(ends[0], std::min(20'000 * longest_reading(bytes.size()), 3'600'000));
    if (const auto refusal = line.receive_list<std::string>(longest_text); !refusal.empty())
        throw InputError(refusal);
    std::vector<Volume> volumes;
    for (auto left = line.receive_value<std::uint64_t>(); left > 0; --left)
        volumes.push_back(receive_volume(line));
    return volumes;
}

std::string write_vdb(const std::vector<Volume>& volumes)
{
    return translating([&] {
        openvdb::GridPtrVec grids;
        for (const Volume& v : volumes)
            if (v.field) grids.push_back(vdb::grid_of(v));
        std::ostringstream out(std::ios::binary);
        openvdb::io::Stream(out).write(grids);
        return out.str();
    });
}

DistanceSamples distance_of_surface(const VecX& x, const std::vector<Vec3i>& triangles,
                                    double voxel_size, double band)
{
    openvdb::initialize();
    std::vector<openvdb::Vec3s> points;
    std::vector<openvdb::Vec3I> faces;
    for (Eigen::Index i = 0; i < x.size(); i += 3)
        points.emplace_back(float(x[i]), float(x[i + 1]), float(x[i + 2]));
    for (const Vec3i& t : triangles)
        faces.emplace_back(std::uint32_t(t[0]), std::uint32_t(t[1]), std::uint32_t(t[2]));
    const auto transform = openvdb::math::Transform::createLinearTransform(voxel_size);
    return vdb::samples_of(*openvdb::tools::meshToLevelSet<openvdb::FloatGrid>(*transform, points,
                                                                               faces, float(band)));
}

} // namespace selvage
