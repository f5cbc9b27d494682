#include "plugin/houdini/SIM_SelvageState.h"

#include "core/io/geo_reader.h"
#include "core/io/geo_writer.h"
#include "core/shot/state_checkpoint.h"
#include "plugin/houdini/cook_guard.h"

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

std::string encoded(const SIM_SelvageState::Snapshot& s)
{
    Checkpoint c = checkpoint_of({s.step, s.state, ""});
    c.texts["kind"] = kind_names[int(s.kind)];
    const auto add = [&](const char* name, const std::shared_ptr<const Geometry>& geometry) {
        if (geometry) c.texts[name] = write_geo(*geometry, GeoEncoding::binary);
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
        return std::make_shared<const Geometry>(read_geo(text->second));
    };
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
