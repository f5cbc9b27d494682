// Damaged files: whatever the bytes, a reader returns or throws InputError, in bounded memory.
#include "core/base/error.h"
#include "core/example/sphere.h"
#include "core/geometry/triangulate.h"
#include "core/geometry/vdb_collider.h"
#include "core/io/atomic_file.h"
#include "core/io/blosc_container.h"
#include "core/io/checkpoint.h"
#include "core/io/geo_reader.h"
#include "core/io/geo_writer.h"
#include "core/io/obj.h"
#include "core/io/pc2.h"
#include "core/io/read_budget.h"
#include "core/shot/shot_file.h"
#include "tests/io/rich_geometry.h"
#include "tests/support/counted_memory.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <set>

using namespace selvage;
using namespace selvage::test;

namespace
{

/// Damages files in the ways that disks, networks and careless programs do.
class Mutator
{
public:
    explicit Mutator(std::vector<std::string> originals) : originals_(std::move(originals)) {}

    std::string next()
    {
        std::string file = originals_[below(originals_.size())];
        for (std::size_t n = 1 + below(4); n > 0; --n) damage(file);
        return file;
    }
    std::size_t below(std::size_t n) { return n ? std::size_t(random_() % n) : 0; }

private:
    void damage(std::string& file)
    {
        if (file.empty()) return;
        const std::size_t at = below(file.size());
        switch (below(8)) {
        case 0: file[at] = char(file[at] ^ (1 << below(8))); break;
        case 1: file[at] = char(random_()); break;
        case 2: file.resize(at); break;
        case 3: inflate(file, at); break;
        case 4: { // splice in a piece of a file
            const std::string& other = originals_[below(originals_.size())];
            const std::size_t from = below(other.size());
            file.insert(at, other.substr(from, below(200)));
            break;
        }
        case 5: file.erase(at, below(40)); break;
        case 6: { // overwrite with a piece of a file
            const std::string& other = originals_[below(originals_.size())];
            const std::size_t from = below(other.size());
            const std::string piece = other.substr(from, below(60));
            file.replace(at, std::min(piece.size(), file.size() - at), piece);
            break;
        }
        case 7: enlarge_number(file, at); break;
        }
    }
    /// A huge length or count, as binary readers meet it.
    void inflate(std::string& file, std::size_t at)
    {
        static const std::string lengths[] = {
            std::string("\xf8\xff\xff\xff\xff\xff\xff\xff\x7f", 9),
            std::string("\xf4\xff\xff\xff\xff", 5), std::string("\xf2\xff\xff", 3),
            std::string("\xff\xff\xff\x7f", 4), std::string("\x00\x00\x00\x00\x00\x00\x00\x10", 8)};
        const std::string& value = lengths[below(std::size(lengths))];
        file.replace(at, std::min(value.size(), file.size() - at), value);
    }
    /// The same for text: more digits to the next number.
    void enlarge_number(std::string& file, std::size_t at)
    {
        const std::size_t digit = file.find_first_of("0123456789", at);
        if (digit == std::string::npos) return;
        static const char* numbers[] = {"99999999999999999999", "2000000000", "-1", "1e999", "0x",
                                        "4294967296",           "100000"};
        file.replace(digit, 1, numbers[below(std::size(numbers))]);
    }

    std::vector<std::string> originals_;
    std::mt19937_64 random_{20240607};
};

constexpr int count = 10000;

/// Reads 10,000 damaged files; limit(size) is the memory that reading `size` bytes may use. None
/// may take long (one that never ends is ended by the test runner).
void survive(Mutator& mutator, const std::function<std::string(std::string)>& finish,
             const std::function<void(const std::string&)>& read,
             const std::function<std::size_t(std::size_t)>& limit,
             std::chrono::seconds patience = std::chrono::seconds(20))
{
    int refused = 0;
    for (int i = 0; i < count; ++i) {
        const std::string file = finish(mutator.next());
        const PeakMemory memory;
        const auto start = std::chrono::steady_clock::now();
        try {
            read(file);
        } catch (const InputError&) {
            ++refused;
        } catch (const std::exception& e) {
            FAIL() << "mutation " << i << ": " << e.what();
        }
        ASSERT_LE(memory.bytes(), limit(file.size())) << "mutation " << i;
        // These files are a few kB: milliseconds, and far less than this on any machine.
        ASSERT_LT(std::chrono::steady_clock::now() - start, patience) << "mutation " << i;
    }
    EXPECT_GT(refused, count / 10); // the damage is real
    EXPECT_LT(refused, count);      // and not always noticed at the first byte
}

std::string same(std::string file) { return file; }
std::size_t geo_limit(std::size_t size)
{
    return ReadBudget::multiple * size + ReadBudget::base + (std::size_t(1) << 20);
}

/// Ours, and Houdini's where they are at hand (they use tokens and other spellings).
std::vector<std::string> geo_files(GeoEncoding encoding)
{
    std::vector<std::string> files = {write_geo(rich_geometry(), encoding),
                                      write_geo(plain_geometry(), encoding),
                                      write_geo(grid_geometry(5), encoding)};
    const std::filesystem::path folder = fixtures_folder() / "bgeo";
    const char* extension = encoding == GeoEncoding::text ? ".geo" : ".bgeo";
    std::error_code none;
    std::set<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none))
        if (entry.path().extension() == extension) found.insert(entry.path());
    for (const auto& path : found) files.push_back(read_file(path.string()));
    return files;
}

} // namespace

TEST(CountedMemory, SeesWhatIsAllocated)
{
    const PeakMemory memory;
    std::vector<char>(std::size_t(5) << 20).swap(*std::make_unique<std::vector<char>>());
    EXPECT_GE(memory.bytes(), std::size_t(5) << 20);
    EXPECT_LT(memory.bytes(), std::size_t(6) << 20);
}

TEST(MutationFull, Geo)
{
    Mutator mutator(geo_files(GeoEncoding::text));
    survive(
        mutator, same, [](const std::string& f) { read_geo(f); }, geo_limit);
}

TEST(MutationFull, Bgeo)
{
    Mutator mutator(geo_files(GeoEncoding::binary));
    survive(
        mutator, same, [](const std::string& f) { read_geo(f); }, geo_limit);
}

TEST(MutationFull, BgeoSc)
{
    std::vector<std::string> files;
    for (const std::string& f : geo_files(GeoEncoding::binary)) files.push_back(blosc_compress(f));
    Mutator mutator(files);
    survive(
        mutator, same,
        [](const std::string& f) {
            const std::string content = blosc_decompress(f);
            const PeakMemory memory;
            const auto check = [&] { EXPECT_LE(memory.bytes(), geo_limit(content.size())); };
            try {
                read_geo(content);
            } catch (const InputError&) {
                check();
                throw;
            }
            check();
        },
        [](std::size_t size) {
            return (ReadBudget::multiple + 1) * blosc_content_limit(size) + ReadBudget::base +
                   (std::size_t(1) << 20);
        });
}

TEST(MutationFull, Obj)
{
    Mutator mutator({write_obj(plain_geometry()), write_obj(grid_geometry(4)),
                     "o a\ng b c\nusemtl d\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\n"
                     "f -3/1/1 2//1 3\nl 1 2 \\\n3\n"});
    survive(
        mutator, same, [](const std::string& f) { read_obj(f); }, geo_limit);
}

TEST(MutationFull, Pc2)
{
    PointCache cache;
    cache.point_count = 20;
    cache.samples.assign(5, std::vector<float>(60, 1.5f));
    Mutator mutator({write_pc2(cache)});
    survive(
        mutator, same, [](const std::string& f) { read_pc2(f); },
        [](std::size_t size) { return 2 * size + (std::size_t(1) << 20); });
}

TEST(MutationFull, Checkpoint)
{
    Checkpoint c;
    c.texts = {{"scene", "a text"}, {"version", "3"}};
    c.arrays = {{"x", std::vector<double>(30, 0.5)}, {"v", std::vector<double>(30, -1)}};
    Mutator mutator({encode_checkpoint(c)});
    // Every second file gets its length and checksum right again, so that what lies behind them is
    // tested as well.
    const auto forge = [&](std::string file) {
        if (file.size() >= 32 && mutator.below(2)) {
            const std::uint64_t length = file.size() - 32;
            const std::uint64_t sum = checksum64(std::string_view(file).substr(32));
            std::memcpy(file.data(), encode_checkpoint(Checkpoint()).data(), 16);
            std::memcpy(file.data() + 16, &length, 8);
            std::memcpy(file.data() + 24, &sum, 8);
        }
        return file;
    };
    survive(
        mutator, forge, [](const std::string& f) { decode_checkpoint(f); },
        [](std::size_t size) { return 4 * size + (std::size_t(1) << 20); });
}

TEST(MutationFull, PointCacheReader)
{
    PointCache cache;
    cache.point_count = 20;
    cache.samples.assign(5, std::vector<float>(60, 1.5f));
    Mutator mutator({write_pc2(cache)});
    const TemporaryFolder folder;
    const std::string path = folder.file("a.pc2");
    survive(
        mutator, same,
        [&](const std::string& f) {
            std::ofstream(path, std::ios::binary) << f;
            const PointCacheReader reader(path);
            const std::vector<double> frames = reader.frames();
            for (const double frame : {frames.front(), frames.back(), frames.back() - 0.5})
                reader.at(frame);
        },
        [](std::size_t size) { return 8 * size + (std::size_t(1) << 20); });
}

TEST(MutationFull, Vdb)
{
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "OpenVDB reads in a process of its own, and is not instrumented";
#endif
    if (!has_openvdb()) GTEST_SKIP() << "built without OpenVDB";
    const Geometry ball = sphere(0.1, 2, Vec3(0.05, 0, 0));
    Volume volume{"ball", Volume::Kind::signed_distance,
                  std::make_shared<DistanceField>(
                      distance_of_surface(ball.positions(), triangulate(ball).triangles, 0.03))};
    Mutator mutator({write_vdb({volume})});
    survive(
        mutator, same, [](const std::string& f) { read_vdb(f); },
        [](std::size_t size) { return 64 * size + (std::size_t(160) << 20); },
        std::chrono::seconds(120)); // what never ends is stopped after 3 s of computing
}

TEST(MutationFull, ShotFile)
{
    Mutator mutator({R"({ "selvage": 1, "fps": 24, "frames": [1001, 1096], "substeps": 2,
  "gravity": [0, -9.81, 0], "wind": { "keys": [[1001, [0, 0, 0]], [1040, [0, 0, -4]]] },
  "solver": { "integrator": "bdf2", "tolerance": 1e-2 }, "preroll": { "frames": 24 },
  "cloth": [ { "name": "cape", "geometry": "geo/cape.bgeo.sc", "material": "wool", "bend_warp": 2e-5,
      "pins": { "group": "collar", "target": "geo/cape_anim.$F4.bgeo.sc" },
      "local_space": { "geometry": "geo/body.$F4.bgeo.sc", "group": "torso", "inherit": 0.6 } } ],
  "colliders": [ { "name": "body", "geometry": "geo/body.$F4.bgeo.sc", "friction": 0.4 },
                 { "name": "floor", "plane": { "normal": [0, 1, 0] } } ],
  "pairs": [ { "a": "cape", "b": "floor", "collide": false } ],
  "output": "sim/$NAME.$F4.bgeo.sc" })",
                     R"({ // comments are read, too
  "solver": { "method": "hair" }, "turbulence": { "amplitude": 2, "seed": 7 },
  "hair": [ { "name": "fringe", "geometry": "guides.bgeo", "radius_ramp": [[0, 1], [1, 0.2]] } ],
  "solids": [ { "name": "belly", "geometry": "tets.bgeo", "model": "arap" } ],
  "attachments": [ { "name": "strap", "cloth": "bag", "group": "top", "to": "body" } ],
  "seams": [ { "name": "\u00e4 \\ \"", "cloth": "bag", "group": "a", "close": [1, 20] } ] })"});
    survive(
        mutator, same, [](const std::string& f) { parse_shot(f, "/nowhere/shot.json"); },
        [](std::size_t size) { return 64 * size + (std::size_t(1) << 20); });
}
