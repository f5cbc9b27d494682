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

/// Volumes are no part of geometry files.
void add_volume(Checkpoint& c, const std::string& key, const Volume& v)
{
    c.texts[key] = v.name;
    std::vector<double>& shape = c.arrays[key] = {double(v.kind)};
    if (!v.field) return;
    const DistanceSamples& d = v.field->samples();
    shape.insert(shape.end(), d.axes.data(), d.axes.data() + 9);
    shape.insert(shape.end(), d.origin.data(), d.origin.data() + 3);
    shape.push_back(d.background);
    for (int k = 0; k < 3; ++k) shape.push_back(d.first_block[k]);
    for (int k = 0; k < 3; ++k) shape.push_back(d.block_count[k]);
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
    d.axes = Eigen::Map<const Mat3>(&shape[1]);
    d.origin = Eigen::Map<const Vec3>(&shape[10]);
    d.background = shape[13];
    for (int k = 0; k < 3; ++k) {
        d.first_block[k] = int(shape[std::size_t(14 + k)]);
        d.block_count[k] = int(shape[std::size_t(17 + k)]);
    }
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
    const auto add = [&](const char* name, const std::shared_ptr<const Geometry>& geometry) {
        if (!geometry) return;
        c.texts[name] = write_geo(*geometry, GeoEncoding::binary);
        for (std::size_t i = 0; i < geometry->volumes.size(); ++i)
            add_volume(c, volume_key(name, i), geometry->volumes[i]);
    };
    add("start", s.start);
    add("start_colliders", s.start_colliders);
    add("colliders", s.colliders);
    add("constraints", s.constraints);
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
    if (const auto material = c.texts.find("material"); material != c.texts.end())
        s->material = material->second;
    s->start = geometry("start");
    if (!s->start) throw std::runtime_error("The file lacks the geometry of the start.");
    s->start_colliders = geometry("start_colliders");
    s->colliders = geometry("colliders");
    s->constraints = geometry("constraints");
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
        [&](const char* what) {
            addError(nullptr, SIM_MESSAGE, what, UT_ERROR_WARNING);
            snapshot.reset();
        });
}

} // namespace selvage::houdini
