#include "core/shot/state_checkpoint.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <system_error>

namespace selvage
{
namespace
{

namespace fs = std::filesystem;

constexpr const char* prefix = "state.";

std::vector<double> doubles(const VecX& v) { return {v.data(), v.data() + v.size()}; }
VecX vector(const std::vector<double>& v)
{
    return Eigen::Map<const VecX>(v.data(), Eigen::Index(v.size()));
}

/// Two numbers per key: doubles hold 53 bits.
std::vector<double> numbers(const std::vector<std::uint64_t>& keys)
{
    std::vector<double> n;
    for (const std::uint64_t k : keys) n.insert(n.end(), {double(k >> 32), double(k & 0xffffffff)});
    return n;
}
std::vector<std::uint64_t> keys_of(const std::vector<double>& n)
{
    std::vector<std::uint64_t> keys;
    for (std::size_t i = 0; i + 1 < n.size(); i += 2)
        keys.push_back(std::uint64_t(n[i]) << 32 | std::uint64_t(n[i + 1]));
    return keys;
}

/// Three numbers per entry.
std::vector<double> numbers(const std::vector<ReleasedVertex>& vertices)
{
    std::vector<double> n;
    for (const ReleasedVertex& r : vertices)
        n.insert(n.end(), {double(r.vertex), double(r.body), double(r.side)});
    return n;
}
std::vector<double> numbers(const std::vector<ContactPair>& pairs)
{
    std::vector<double> n;
    for (const ContactPair& p : pairs)
        n.insert(n.end(), {double(p.kind), double(p.a), double(p.b)});
    return n;
}
Releases releases_of(const Checkpoint& c)
{
    Releases r;
    const auto vertices = c.arrays.find("released"), pairs = c.arrays.find("ignored_pairs");
    if (vertices != c.arrays.end())
        for (std::size_t i = 0; i + 2 < vertices->second.size(); i += 3) {
            const double* n = vertices->second.data() + i;
            r.vertices.push_back({std::int32_t(n[0]), std::int32_t(n[1]), std::int32_t(n[2])});
        }
    if (pairs != c.arrays.end())
        for (std::size_t i = 0; i + 2 < pairs->second.size(); i += 3) {
            const double* n = pairs->second.data() + i;
            r.pairs.push_back({PairKind(int(n[0])), std::int32_t(n[1]), std::int32_t(n[2])});
        }
    return r;
}

/// Checkpoints in the folder by frame.
std::map<int, fs::path> saved_states(const std::string& folder)
{
    std::map<int, fs::path> found;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        if (name.rfind(prefix, 0) != 0) continue;
        char* end = nullptr;
        const long frame =
            std::strtol(name.c_str() + std::char_traits<char>::length(prefix), &end, 10);
        if (end && std::string(end) == ".checkpoint") found[int(frame)] = entry.path();
    }
    return found;
}

} // namespace

SavedState state_of(const Checkpoint& c)
{
    SavedState s;
    const std::vector<double>& scalars = c.arrays.at("scalars");
    if (scalars.size() != 3) throw InputError("The checkpoint lacks values.");
    s.frame = int(scalars[0]);
    s.state.time = scalars[1];
    s.state.h_prev = scalars[2];
    s.state.x = vector(c.arrays.at("x"));
    s.state.v = vector(c.arrays.at("v"));
    s.state.x_prev = vector(c.arrays.at("x_prev"));
    s.state.v_prev = vector(c.arrays.at("v_prev"));
    s.state.creases = vector(c.arrays.at("creases"));
    if (const auto broken = c.arrays.find("broken"); broken != c.arrays.end())
        s.state.broken = vector(broken->second);
    s.state.colliders = vector(c.arrays.at("colliders"));
    s.state.released = releases_of(c);
    if (c.arrays.count("rod_directors") > 0) {
        s.state.rod_directors = vector(c.arrays.at("rod_directors"));
        s.state.rod_twists = vector(c.arrays.at("rod_twists"));
        s.state.rod_spins = vector(c.arrays.at("rod_spins"));
    }
    if (c.arrays.count("strand_contacts") > 0) {
        s.state.strand_contacts = keys_of(c.arrays.at("strand_contacts"));
        s.state.strand_forces = vector(c.arrays.at("strand_forces"));
        s.state.strand_loads = vector(c.arrays.at("strand_loads"));
    }
    s.fingerprint = c.texts.at("fingerprint");
    return s;
}

Checkpoint checkpoint_of(const SavedState& saved)
{
    Checkpoint c;
    c.texts["fingerprint"] = saved.fingerprint;
    c.arrays["scalars"] = {double(saved.frame), saved.state.time, saved.state.h_prev};
    c.arrays["x"] = doubles(saved.state.x);
    c.arrays["v"] = doubles(saved.state.v);
    c.arrays["x_prev"] = doubles(saved.state.x_prev);
    c.arrays["v_prev"] = doubles(saved.state.v_prev);
    c.arrays["creases"] = doubles(saved.state.creases);
    c.arrays["broken"] = doubles(saved.state.broken);
    c.arrays["colliders"] = doubles(saved.state.colliders);
    c.arrays["released"] = numbers(saved.state.released.vertices);
    c.arrays["ignored_pairs"] = numbers(saved.state.released.pairs);
    c.arrays["rod_directors"] = doubles(saved.state.rod_directors);
    c.arrays["rod_twists"] = doubles(saved.state.rod_twists);
    c.arrays["rod_spins"] = doubles(saved.state.rod_spins);
    c.arrays["strand_contacts"] = numbers(saved.state.strand_contacts);
    c.arrays["strand_forces"] = doubles(saved.state.strand_forces);
    c.arrays["strand_loads"] = doubles(saved.state.strand_loads);
    return c;
}

void save_state(const std::string& folder, const SavedState& saved)
{
    write_checkpoint(
        (fs::path(folder) / fmt::format("{}{}.checkpoint", prefix, saved.frame)).string(),
        checkpoint_of(saved));

    auto all = saved_states(folder);
    while (all.size() > 2) {
        std::error_code ignored;
        fs::remove(all.begin()->second, ignored);
        all.erase(all.begin());
    }
}

std::optional<SavedState> load_latest_state(const std::string& folder, int last)
{
    const auto all = saved_states(folder);
    for (auto it = all.rbegin(); it != all.rend(); ++it) {
        if (it->first > last) continue;
        try {
            return state_of(read_checkpoint(it->second.string()));
        } catch (const std::exception&) { // damaged: the one before it will do
        }
    }
    return std::nullopt;
}

void remove_states_after(const std::string& folder, int frame)
{
    for (const auto& [saved, path] : saved_states(folder)) {
        std::error_code ignored;
        if (saved > frame) fs::remove(path, ignored);
    }
}

} // namespace selvage
