#include "tests/support/places.h"

// The module order of docs/architecture.md: an include may point to the left only.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace
{

using Allowed = std::map<std::string, std::set<std::string>>;

/// What each folder may include besides itself.
const Allowed allowed = [] {
    Allowed a;
    a["base"] = {};
    a["math"] = {"base"};
    a["geometry"] = {"base", "math"};
    a["linear"] = {"base", "math"};
    a["energy"] = {"base", "math", "geometry", "linear"};
    a["contact"] = {"base", "math", "geometry", "linear", "energy"};
    a["model"] = {"base", "math", "geometry", "linear", "energy", "contact"};
    a["solver"] = {"base", "math", "geometry", "linear", "energy", "contact", "model"};
    a["io"] = {"base", "math", "geometry"};
    a["check"] = {"base", "math", "geometry"}; // on its own, so that it can judge the solver
    a["render"] = {"base", "math", "geometry", "io"};
    a["example"] = {"base", "math", "geometry", "io"};
    a["session"] = {"base",    "math",  "geometry", "linear", "energy",
                    "contact", "model", "solver",   "io"};
    a["shot"] = a["session"];
    a["shot"].insert("session");
    a["bench"] = a["shot"];
    a["bench"].insert({"shot", "example", "check"}); // it reports what the judge says
    a["cli"] = a["bench"];
    a["cli"].insert({"bench", "render"});
    return a;
}();

/// "file includes X" complaints for the tree below root.
std::vector<std::string> wrong_includes(const std::filesystem::path& root)
{
    const std::regex include(R"(^\s*#include\s+"(core|tests|plugin)/([a-z_]+)/?)");
    std::vector<std::string> wrong;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "core")) {
        const auto extension = entry.path().extension();
        if (extension != ".h" && extension != ".cpp") continue;
        const std::string folder = entry.path().parent_path().filename().string();
        std::ifstream in(entry.path());
        for (std::string line; std::getline(in, line);) {
            std::smatch m;
            if (!std::regex_search(line, m, include)) continue;
            const bool known = allowed.count(folder) != 0;
            if (m[1] != "core" || !known || (m[2] != folder && !allowed.at(folder).count(m[2])))
                wrong.push_back(entry.path().string() + ": " + line);
        }
    }
    return wrong;
}

} // namespace

TEST(Includes, PointLeftOnly)
{
    for (const std::string& complaint : wrong_includes(selvage::test::source_folder()))
        ADD_FAILURE() << complaint;
}

TEST(Includes, AnArrowToTheRightIsFound)
{
    const auto root = std::filesystem::temp_directory_path() / "selvage_include_test";
    std::filesystem::create_directories(root / "core" / "base");
    std::ofstream(root / "core" / "base" / "x.h") << "#include \"core/solver/stepper.h\"\n";
    EXPECT_EQ(wrong_includes(root).size(), 1u);
    std::filesystem::remove_all(root);
}
