#include "core/base/error.h"
#include "core/io/atomic_file.h"
#include "core/shot/shot_file.h"
#include "tests/support/messages.h"
#include "tests/support/places.h"

#include <gtest/gtest.h>

using namespace selvage;
using test::expect_says;

namespace
{

const std::string minimal = R"({ "selvage": 1, "frames": [1, 20],
  "cloth": [ { "name": "cape", "geometry": "cape.bgeo", "pins": { "group": "collar" } } ],
  "colliders": [ { "name": "body", "geometry": "body.$F4.bgeo.sc" } ] })";

std::string message_of(const std::string& json, const Overrides& overrides = {})
{
    return test::message_of([&] { parse_shot(json, "shot.json", overrides); });
}

} // namespace

TEST(ShotFile, ReadsObjectsAndParameters)
{
    const Shot shot = parse_shot(minimal, "/shots/a/shot.json");
    EXPECT_EQ(shot.setup.first_frame(), 1);
    EXPECT_EQ(shot.setup.last_frame(), 20);
    ASSERT_EQ(shot.setup.cloths.size(), 1u);
    EXPECT_EQ(shot.setup.cloths[0].pins.text("group"), "collar");
    EXPECT_FALSE(shot.setup.cloths[0].geometry->animated());
    EXPECT_TRUE(shot.setup.colliders.at(0).geometry->animated());
    EXPECT_EQ(shot.setup.colliders[0].geometry->describe(7), "body.0007.bgeo.sc");
    EXPECT_EQ(shot.output_path("cape"), "/shots/a/sim/cape.$F4.bgeo.sc");
}

TEST(ShotFile, OverridesReachEveryScope)
{
    const Shot shot = parse_shot(minimal, "shot.json",
                                 {{"substeps", "4"},
                                  {"solver.tolerance", "1e-3"},
                                  {"cloth.cape.material", "denim"},
                                  {"cloth.*.pins.stiffness", "50"},
                                  {"colliders.body.friction", "0.1"},
                                  {"gravity", "[0, -1, 0]"}});
    EXPECT_EQ(shot.setup.shot.integer("substeps"), 4);
    EXPECT_EQ(shot.setup.solver.real("tolerance"), 1e-3);
    EXPECT_EQ(shot.setup.cloths[0].cloth.text("material"), "denim");
    EXPECT_EQ(shot.setup.cloths[0].pins.real("stiffness"), 50);
    EXPECT_EQ(shot.setup.colliders[0].collider.real("friction"), 0.1);
    EXPECT_EQ(shot.setup.shot.vector("gravity")[1], -1);
}

TEST(ShotFile, ForcesHaveKeysOfTheirOwn)
{
    const std::string json = R"({ "turbulence": { "amplitude": 2 },
      "cloth": [ { "name": "bag", "geometry": "bag.bgeo", "pressure": { "model": "gas" } } ],
      "attachments": [ { "name": "strap", "cloth": "bag", "group": "top", "to_geometry": "bar.$F4.bgeo" } ],
      "seams": [ { "name": "side", "cloth": "bag", "group": "a", "to_group": "b", "close": [1, 20] } ] })";
    const Shot shot = parse_shot(json, "shot.json",
                                 {{"turbulence.seed", "3"},
                                  {"attachments.strap.stiffness", "50"},
                                  {"seams.*.close", "[5, 9]"},
                                  {"cloth.bag.pressure.pressure", "20"}});
    EXPECT_EQ(shot.setup.turbulence.real("amplitude"), 2);
    EXPECT_EQ(shot.setup.turbulence.integer("seed"), 3);
    EXPECT_EQ(shot.setup.cloths.at(0).pressure.text("model"), "gas");
    EXPECT_EQ(shot.setup.cloths[0].pressure.real("pressure"), 20);
    EXPECT_EQ(shot.setup.attachments.at(0).attachment.real("stiffness"), 50);
    EXPECT_TRUE(shot.setup.attachments[0].to_geometry->animated());
    EXPECT_EQ(shot.setup.seams.at(0).seam.vector("close")[0], 5);
    expect_says(message_of(R"({"seams": [ { "name": "side", "clothe": "bag" } ]})"),
                {"Seam 'side'", "'clothe'", "'cloth'"});
    expect_says(message_of(R"({"attachments": [ { "cloth": "bag" } ]})"), {"'name' is missing"});
}

TEST(ShotFile, PlanesAndPairsNeedNoGeometry)
{
    const std::string json = R"({
      "cloth": [ { "name": "cape", "geometry": "cape.bgeo" } ],
      "colliders": [ { "name": "floor", "plane": { "point": [0, 1, 0], "normal": {"keys": [[1, [0,1,0]], [9, [1,1,0]]]} } } ],
      "pairs": [ { "a": "cape", "b": "floor", "collide": false, "friction": 0.2 } ] })";
    const Shot shot =
        parse_shot(json, "shot.json",
                   {{"colliders.floor.plane.point", "[0, 2, 0]"}, {"pairs.*.friction", "0.3"}});
    EXPECT_TRUE(shot.setup.colliders.at(0).is_plane());
    EXPECT_EQ(shot.setup.colliders[0].plane.vector("point")[1], 2);
    EXPECT_EQ(shot.setup.colliders[0].plane.vector("normal", 5)[0], 0.5);
    EXPECT_FALSE(shot.setup.colliders[0].geometry);
    EXPECT_EQ(shot.setup.pairs.at(0).pair.real("friction"), 0.3);
    EXPECT_EQ(shot.setup.pairs[0].pair.real("collide"), 0);
    expect_says(message_of(R"({"colliders": [ { "name": "floor" } ]})"), {"'geometry' is missing"});
    expect_says(message_of(R"({"pairs": [ { "a": "cape" } ]})"), {"'b' is missing"});
    expect_says(message_of(R"({"colliders": [ { "name": "floor", "plane": {"pont": [0,0,0]} } ]})"),
                {"Collider 'floor'", "'pont'", "'point'"});
}

TEST(ShotFile, ErrorsNameThePlaceAndTheNearestKey)
{
    expect_says(message_of("{ \"fps\": 24, }"), {"shot.json", "not valid JSON", "line 1"});
    expect_says(message_of(R"({"gravty": [0,0,0]})"), {"'gravty'", "'gravity'"});
    expect_says(message_of(R"({"solver": {"tolerence": 1}})"),
                {"solver", "'tolerence'", "'tolerance'"});
    expect_says(
        message_of(R"({"cloth": [{"name": "a", "geometry": "x.bgeo", "materiel": "silk"}]})"),
        {"Cloth 'a'", "'materiel'", "'material'"});
    expect_says(message_of(R"({"cloth": [{"geometry": "x.bgeo"}]})"),
                {"Cloth 1", "'name'", "missing"});
    expect_says(message_of(R"({"cloth": [{"name": "a"}]})"),
                {"Cloth 'a'", "'geometry'", "missing"});
    expect_says(message_of(R"({"cloth": {"name": "a"}})"), {"'cloth'", "list"});
    expect_says(message_of(R"({"colider": []})"), {"'colider'", "'colliders'"});
    expect_says(message_of(R"([1, 2])"), {"shot.json", "object"});
    expect_says(message_of(minimal, {{"cloth.skirt.material", "silk"}}), {"--set", "'skirt'"});
    expect_says(message_of(minimal, {{"cloth.skirt.material", "silk"}}), {"has 'cape'"});
    expect_says(message_of(minimal, {{"seams.*.close", "[1, 2]"}}), {"--set", "none of this kind"});
    expect_says(message_of(minimal, {{"cloth.cape.material.x", "silk"}}), {"--set", "material"});
    expect_says(message_of(minimal, {{"cloth.cape.pin.group", "top"}}), {"'pin'", "'pins'"});
    expect_says(message_of(minimal, {{"solvr.tolerance", "1"}}), {"'solvr'", "'solver'"});
    EXPECT_THROW(read_shot("/nowhere/shot.json"), FileError);
}

TEST(ShotFile, KeysGivenTwiceAndStrangeNumbersAreRefused)
{
    expect_says(message_of(R"({"cloth": [], "fps": 24, "cloth": []})"),
                {"shot.json", "'cloth'", "twice"});
    expect_says(message_of(R"({"solver": {"tolerance": 1, "tolerance": 2}})"),
                {"'tolerance'", "twice"});
    EXPECT_EQ(message_of(R"({"cloth": [{"name": "a", "geometry": "x.bgeo"},
                                       {"name": "b", "geometry": "x.bgeo"}]})"),
              ""); // once in each
    expect_says(message_of(R"({"fps": 1e999})"), {"shot.json", "1e999"});
    expect_says(message_of("{\"gravity\": " + std::string(1000000, '[')), {"nested"});
}

TEST(ShotFile, KnowsTheFilesThatAreReadOverTheShot)
{
    const Shot shot = parse_shot(R"({ "cloth": [ { "name": "a", "geometry": "geo/a.$F4.bgeo",
        "initial": "sim/a.$F4.bgeo", "pins": { "target": "../pins.pc2" } } ] })",
                                 "/shots/x/shot.json");
    EXPECT_EQ(shot.inputs,
              (std::vector<std::string>{"/shots/pins.pc2", "/shots/x/geo/a.$F4.bgeo"}));
}

TEST(ShotFile, ExamplesOfTheManualAreShots)
{
    int shots = 0;
    for (const char* page : {"README.md", "docs/shots.md", "docs/forces.md", "docs/contact.md",
                             "docs/hair.md", "docs/materials.md"}) {
        const std::string text = read_file((test::source_folder() / page).string());
        const std::string fence = "\n```json\n";
        for (std::size_t at = text.find(fence); at != text.npos; at = text.find(fence, at + 1)) {
            const std::size_t from = at + fence.size();
            std::string json = text.substr(from, text.find("\n```", from) - from);
            if (json.rfind("{ \"name\"", 0) == 0) json = "\"cloth\": [" + json + "]";
            if (json[0] != '{') json = "{" + json + "}";
            EXPECT_EQ(message_of(json), "") << page << ": " << json;
            ++shots;
        }
    }
    EXPECT_GE(shots, 14);
}

TEST(ShotFile, FingerprintFollowsTheParameters)
{
    const Shot a = parse_shot(minimal, "shot.json"),
               b = parse_shot(minimal, "shot.json", {{"substeps", "2"}});
    EXPECT_EQ(a.fingerprint(), parse_shot(minimal, "other.json").fingerprint());
    EXPECT_NE(a.fingerprint(), b.fingerprint());
    EXPECT_EQ(a.fingerprint(),
              parse_shot(minimal, "shot.json", {{"frames", "[1, 400]"}}).fingerprint());
    EXPECT_NE(a.fingerprint(),
              parse_shot(minimal, "shot.json", {{"frames", "[2, 20]"}}).fingerprint());
}
