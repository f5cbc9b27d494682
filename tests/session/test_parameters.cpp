#include "core/base/error.h"
#include "core/session/parameter_set.h"
#include "tests/support/messages.h"
#include "tests/support/places.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <set>
#include <sstream>

using namespace selvage;
using test::message_of;

TEST(Parameters, TableIsSound)
{
    std::set<std::string> seen;
    for (const Parameter& p : parameter_table()) {
        const std::string key = std::string(p.scope) + "/" + std::string(p.name);
        EXPECT_TRUE(seen.insert(key).second) << key;
        EXPECT_GT(p.help.size(), 10u) << key;
        EXPECT_GT(p.label.size(), 2u) << key;
        EXPECT_EQ(p.type == ParameterType::choice, !p.choices.empty()) << key;
        if (p.default_value.empty()) continue;
        ParameterSet set{std::string(p.scope)};
        EXPECT_NO_THROW(set.set_json(std::string(p.name), std::string(p.default_value))) << key;
    }
}

TEST(Parameters, ReferencePageIsUpToDate)
{
    std::ifstream in(selvage::test::source_folder() / "docs/parameters.md");
    std::stringstream page;
    page << in.rdbuf();
    EXPECT_EQ(page.str(), parameters_markdown()) << "run ./dev docs";
}

TEST(Parameters, JsonListsEveryParameter)
{
    EXPECT_EQ(nlohmann::json::parse(parameters_json()).size(), parameter_table().size());
}

TEST(Parameters, DefaultsAreUsedUntilSet)
{
    ParameterSet s("solver");
    EXPECT_EQ(s.real("tolerance"), 0.01);
    EXPECT_FALSE(s.has("tolerance"));
    s.set_text("tolerance", "1e-3");
    EXPECT_EQ(s.real("tolerance"), 1e-3);
    EXPECT_EQ(s.text("method"), "barrier");
}

TEST(Parameters, KeysInterpolateAndHold)
{
    ParameterSet s("");
    s.set_json("gravity", R"({"keys": [[10, [0, -10, 0]], [20, [0, 10, 0]]]})");
    EXPECT_EQ(s.vector("gravity", 0)[1], -10);
    EXPECT_EQ(s.vector("gravity", 15)[1], 0);
    EXPECT_EQ(s.vector("gravity", 99)[1], 10);
}

TEST(Parameters, ErrorsNameTheKeyAndTheRemedy)
{
    ParameterSet s("solver");
    EXPECT_NE(message_of([&] { s.set_json("tolerence", "1"); }).find("'tolerance'"),
              std::string::npos);
    EXPECT_NE(message_of([&] { s.set_json("tolerance", "-1"); }).find("out of range"),
              std::string::npos);
    EXPECT_NE(message_of([&] { s.set_json("tolerance", "\"x\""); }).find("number"),
              std::string::npos);
    EXPECT_NE(message_of([&] { s.set_json("method", "\"x\""); }).find("barrier"),
              std::string::npos);
    EXPECT_NE(message_of([&] { s.set_json("max_iterations", "1.5"); }).find("integer"),
              std::string::npos);
    EXPECT_NE(
        message_of([&] { s.set_json("max_iterations", R"({"keys": [[1, 2]]})"); }).find("animated"),
        std::string::npos);
    ParameterSet shot("");
    EXPECT_NE(message_of([&] { shot.set_json("frames", "[5, 1]"); }).find("first not after"),
              std::string::npos);
    EXPECT_NE(message_of([&] {
                  shot.set_json("gravity", R"({"keys": [[2, [0,0,0]], [1, [0,0,0]]]})");
              }).find("ascend"),
              std::string::npos);
}

TEST(Parameters, StrangeJsonIsRefused)
{
    ParameterSet shot("");
    const std::string nested(100000, '['), closed = nested + std::string(100000, ']');
    for (const std::string& json :
         {std::string(R"({"keys": [[1, {"keys": [[1, [0, 0, 0]]]}]]})"), std::string("[1, 2"),
          std::string("1e999"), std::string("[0, 1e999, 0]"), nested, closed,
          std::string(R"({"keys": {}})"), std::string(R"({"keys": [[1]]})"),
          std::string(R"({"keys": [[1, "x"]]})"), std::string(R"({"keys": [], "k": 1})")}) {
        EXPECT_NE(message_of([&] { shot.set_json("gravity", json); }), "") << json.substr(0, 60);
        EXPECT_NE(message_of([&] { shot.set_text("gravity", json); }), "") << json.substr(0, 60);
    }
    EXPECT_FALSE(nested_too_deeply(R"({"a": "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\""})"));
    EXPECT_TRUE(nested_too_deeply(nested));
}

TEST(Parameters, AgreeUntilFindsTheFirstDifference)
{
    ParameterSet a(""), b("");
    EXPECT_EQ(ParameterSet::agree_until(a, b, 1, 50), 50);
    a.set_json("wind", R"({"keys": [[1, [0, 0, 0]], [10, [0, 0, 0]], [20, [1, 0, 0]]]})");
    b.set_json("wind", R"({"keys": [[1, [0, 0, 0]], [10, [0, 0, 0]], [20, [2, 0, 0]]]})");
    EXPECT_EQ(ParameterSet::agree_until(a, b, 1, 50), 10);
    b.set("substeps", 3.0);
    EXPECT_EQ(ParameterSet::agree_until(a, b, 1, 50), 0);
}
