#include "plugin/houdini/SIM_SelvageState.h"

#include "core/io/geo_reader.h"
#include "core/io/geo_writer.h"
#include "core/shot/state_checkpoint.h"
#include "plugin/houdini/cook_guard.h"

#include <UT/UT_IStream.h>

#include <cstring>

namespace selvage::houdini
{
namespace
{

const char* const kind_names[] = {"cloth", "solid", "hair"}; // in the order of ObjectKind

ObjectKind kind_named(const std::string& name)
{
    for (int k = 0; k < 3; ++k)
        if (name == kind_names[k]) return ObjectKind(k);
    throw std::runtime_error("The file holds '" + name + "', which this version does not know.");
}

/// Numbers as they lie in memory, which is little-endian wherever Selvage runs.
template <class T> std::string bytes_of(const std::vector<T>& numbers)
{
    return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)};
}
template <class T> std::vector<T> numbers_of(const std::string& bytes)
{
    std::vector<T> numbers(bytes.size() / sizeof(T));
    std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(T));
    return numbers;
}

/// Where lattice points lie: 18 numbers behind those that are there.
template <class Samples> void add_lattice(const Samples& s, std::vector<double>& to)
{
    to.insert(to.end(), s.axes.data(), s.axes.data() + 9);
    to.insert(to.end(), s.origin.data(), s.origin.data() + 3);
    for (int k = 0; k < 3; ++k) to.push_back(s.first_block[k]);
    for (int k = 0; k < 3; ++k) to.push_back(s.block_count[k]);
}
/// The same, behind the first number.
template <class Samples> void read_lattice(const std::vector<double>& from, Samples& s)
{
    s.axes = Eigen::Map<const Mat3>(&from[1]);
    s.origin = Eigen::Map<const Vec3>(&from[10]);
    for (int k = 0; k < 3; ++k) {
        s.first_block[k] = int(from[std::size_t(13 + k)]);
        s.block_count[k] = int(from[std::size_t(16 + k)]);
    }
}

/// Volumes are no part of geometry files.
void add_volume(Checkpoint& c, const std::string& key, const Volume& v)
{
    c.texts[key] = v.name;
    std::vector<double>& shape = c.arrays[key] = {double(v.kind)};
    if (!v.field) return;
    const DistanceSamples& d = v.field->samples();
    add_lattice(d, shape);
    shape.push_back(d.background);
    c.texts[key + " blocks"] = bytes_of(d.block);
    c.texts[key + " values"] = bytes_of(d.values);
}

Volume volume_of(const Checkpoint& c, const std::string& key)
{
    Volume v;
    v.name = c.texts.at(key);
    const std::vector<double>& shape = c.arrays.at(key);
    v.kind = Volume::Kind(int(shape.at(0)));
    if (shape.size() < 20) return v;
    DistanceSamples d;
    read_lattice(shape, d);
    d.background = shape[19];
    d.block = numbers_of<std::int32_t>(c.texts.at(key + " blocks"));
    d.values = numbers_of<float>(c.texts.at(key + " values"));
    v.field = std::make_shared<DistanceField>(std::move(d));
    return v;
}

std::string volume_key(const std::string& geometry, std::size_t i)
{
    return geometry + " volume " + std::to_string(i);
}

std::string encoded(const SIM_SelvageState::Snapshot& s)
{
    Checkpoint c = checkpoint_of({s.step, s.state, ""});
    c.texts["kind"] = kind_names[int(s.kind)];
    c.texts["material"] = s.material;
    c.texts["hair material"] = s.hair_material;
    c.arrays["curves"] = {double(s.coupled), double(s.rooted)};
    std::vector<double>& parts = c.arrays["collider parts"];
    for (const ColliderPart& p : s.colliders.parts) {
        parts.push_back(p.object);
        parts.push_back(double(p.points));
    }
    const auto add = [&](const char* name, const std::shared_ptr<const Geometry>& geometry) {
        if (!geometry) return;
        c.texts[name] = write_geo(*geometry, GeoEncoding::binary);
        for (std::size_t i = 0; i < geometry->volumes.size(); ++i)
            add_volume(c, volume_key(name, i), geometry->volumes[i]);
    };
    add("start", s.start);
    if (s.targets != s.start) add("targets", s.targets);
    add("start_colliders", s.start_colliders);
    add("colliders", s.colliders.geometry);
    add("constraints", s.constraints);
    add("start_rest", s.start_rest);
    add("rest", s.rest);
    return encode_checkpoint(c);
}

std::shared_ptr<const SIM_SelvageState::Snapshot> decoded(const std::string& bytes)
{
    const Checkpoint c = decode_checkpoint(bytes);
    auto s = std::make_shared<SIM_SelvageState::Snapshot>();
    SavedState saved = state_of(c);
    s->step = saved.frame;
    s->state = std::move(saved.state);
    s->kind = kind_named(c.texts.at("kind"));
    const auto geometry = [&](const char* name) -> std::shared_ptr<const Geometry> {
        const auto text = c.texts.find(name);
        if (text == c.texts.end()) return nullptr;
        Geometry g = read_geo(text->second);
        for (std::size_t i = 0; c.texts.count(volume_key(name, i)); ++i)
            g.volumes.push_back(volume_of(c, volume_key(name, i)));
        return std::make_shared<const Geometry>(std::move(g));
    };
    s->material = c.texts.at("material");
    s->hair_material = c.texts.at("hair material");
    s->coupled = c.arrays.at("curves").at(0) != 0;
    s->rooted = c.arrays.at("curves").at(1) != 0;
    const std::vector<double>& parts = c.arrays.at("collider parts");
    for (std::size_t i = 0; i + 1 < parts.size(); i += 2)
        s->colliders.parts.push_back({int(parts[i]), std::int64_t(parts[i + 1])});
    s->start = geometry("start");
    if (!s->start) throw std::runtime_error("The file lacks the geometry of the start.");
    s->targets = geometry("targets");
    if (!s->targets) s->targets = s->start;
    s->start_colliders = geometry("start_colliders");
    s->colliders.geometry = geometry("colliders");
    s->constraints = geometry("constraints");
    s->start_rest = geometry("start_rest");
    s->rest = geometry("rest");
    return s;
}

} // namespace

void SIM_SelvageState::makeEqualSubclass(const SIM_Data* source)
{
    BaseClass::makeEqualSubclass(source);
    snapshot = SIM_DATA_CASTCONST(source, SIM_SelvageState)->snapshot;
}

int64 SIM_SelvageState::getMemorySizeSubclass() const
{
    return int64(sizeof *this) + (snapshot ? int64(snapshot->state.bytes()) : 0);
}

void SIM_SelvageState::saveSubclass(std::ostream& out) const
{
    BaseClass::saveSubclass(out);
    cook_guard(
        [&] {
            const std::string bytes = snapshot ? encoded(*snapshot) : "";
            const int64 size = int64(bytes.size());
            out.write(reinterpret_cast<const char*>(&size), sizeof size);
            out.write(bytes.data(), size);
        },
        [&](const char*) { out.setstate(std::ios::failbit); });
}

bool SIM_SelvageState::loadSubclass(UT_IStream& in)
{
    if (!BaseClass::loadSubclass(in)) return false;
    // Piece by piece: a damaged length must not ask for more memory than the file has bytes.
    constexpr int64 piece = 1 << 20;
    int64 left = 0;
    if (in.bread(&left) != 1 || left < 0) return false;
    if (left == 0) {
        snapshot.reset();
        return true;
    }
    return cook_guard(
        [&] {
            std::string bytes;
            while (left > 0) {
                const std::size_t at = bytes.size(), more = std::size_t(std::min(left, piece));
                bytes.resize(at + more);
                if (in.bread(&bytes[at], exint(more)) != exint(more))
                    throw std::runtime_error("The file ends early.");
                left -= int64(more);
            }
            snapshot = decoded(bytes);
        },
        [&](const char*) { snapshot.reset(); }); // the host says that the file is bad
}

} // namespace selvage::houdini
