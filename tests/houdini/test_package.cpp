// Files that Houdini reads and nothing here can run: their form, and that they agree with the code.
#include "plugin/houdini/help_cards.h"
#include "plugin/houdini/node_interface.h"
#include "tests/hdk_standin/dialog_script.h"
#include "tests/houdini/stage.h"
#include "tests/support/animated_source.h"
#include "tests/support/places.h"

#include <OP/OP_Director.h>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

using namespace selvage;
using selvage::test::sheet_geometry;
namespace fs = std::filesystem;

namespace
{

const fs::path root = test::source_folder();
const fs::path package = root / "plugin/houdini/package";

std::string read(const fs::path& path)
{
    std::ifstream in(path);
    EXPECT_TRUE(in) << path << " is missing";
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

/// Section names on disk: _ becomes __, / becomes _1, : becomes _8.
std::string encoded(const std::string& name)
{
    std::string out;
    for (const char c : name)
        out += c == '_' ? "__" : c == '/' ? "_1" : c == ':' ? "_8" : std::string(1, c);
    return out;
}

std::vector<std::pair<std::string, std::string>> sections_of(const fs::path& folder)
{
    std::istringstream in(read(folder / "Sections.list"));
    std::string line;
    std::getline(in, line);
    EXPECT_EQ(line, "\"\"") << folder;
    std::vector<std::pair<std::string, std::string>> out;
    while (std::getline(in, line)) {
        const auto tab = line.find('\t');
        EXPECT_NE(tab, std::string::npos) << folder << ": " << line;
        out.emplace_back(line.substr(0, tab), line.substr(tab + 1));
    }
    return out;
}

/// What is wrong with the nesting of tags; empty if nothing. CDATA and declarations are passed
/// over.
std::string xml_complaint(const std::string& xml)
{
    std::vector<std::string> open;
    for (std::size_t at = xml.find('<'); at != std::string::npos; at = xml.find('<', at)) {
        if (xml.compare(at, 9, "<![CDATA[") == 0) {
            at = xml.find("]]>", at);
            if (at == std::string::npos) return "CDATA does not end";
            continue;
        }
        const auto end = xml.find('>', at);
        if (end == std::string::npos) return "a tag does not end";
        const std::string tag = xml.substr(at + 1, end - at - 1);
        at = end;
        if (tag[0] == '?' || tag[0] == '!') continue;
        const std::string name = tag.substr(0, tag.find_first_of(" /", tag[0] == '/' ? 1 : 0));
        if (tag[0] == '/') {
            if (open.empty() || "/" + open.back() != tag) return "unexpected <" + tag + ">";
            open.pop_back();
        } else if (tag.back() != '/') {
            open.push_back(name);
        }
    }
    return open.empty() ? "" : "<" + open.back() + "> is not closed";
}

std::vector<fs::path> assets()
{
    std::vector<fs::path> out;
    for (const auto& entry : fs::directory_iterator(root / "otls")) out.push_back(entry.path());
    return out;
}

void lint_definition(const fs::path& folder)
{
    std::set<std::string> listed;
    for (const auto& [file, section] : sections_of(folder)) {
        EXPECT_TRUE(fs::exists(folder / file)) << folder / file;
        EXPECT_EQ(file, encoded(section));
        listed.insert(file);
    }
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        EXPECT_TRUE(name == "Sections.list" || listed.count(name)) << entry.path();
    }
    EXPECT_NO_THROW(standin::parse_dialog_script(read(folder / "DialogScript"))) << folder;
    EXPECT_TRUE(nlohmann::json::accept(read(folder / "ExtraFileOptions"))) << folder;
    EXPECT_EQ(xml_complaint(read(folder / "Tools.shelf")), "") << folder;
    std::istringstream options(read(folder / "TypePropertiesOptions"));
    for (std::string line; std::getline(options, line);)
        EXPECT_TRUE(line.find(" := ") != std::string::npos && line.back() == ';') << line;
}

} // namespace

TEST(Package, GeneratedFilesAreUpToDate)
{
    for (const auto& files : {houdini::help_cards(), houdini::material_presets()})
        for (const auto& file : files)
            EXPECT_TRUE(read(package / file.path) == file.text) << "run ./dev docs: " << file.path;
    for (const houdini::SolverAsset& asset : houdini::solver_assets()) {
        EXPECT_EQ(read(root / asset.folder() / "DialogScript"), asset_dialog_script(asset))
            << "run ./dev docs";
        EXPECT_EQ(read(root / asset.folder() / "Help"), asset_help(asset)) << "run ./dev docs";
    }
}

TEST(Package, HelpCardsHaveASummaryInputsParametersAndAnIcon)
{
    std::vector<std::pair<std::string, std::string>> cards;
    for (const auto& file : houdini::help_cards()) cards.emplace_back(file.path, file.text);
    for (const fs::path& asset : assets())
        for (const auto& [file, section] : sections_of(asset))
            if (fs::is_directory(asset / file))
                cards.emplace_back(section, read(asset / file / "Help"));
    EXPECT_EQ(cards.size(), 11u);
    for (const auto& [name, text] : cards) {
        for (const char* part : {"\n\"\"\"", "@parameters\n\n"})
            EXPECT_NE(text.find(part), std::string::npos) << name << " " << part;
        if (name.find("/dop/") == std::string::npos) {
            EXPECT_NE(text.find("@inputs\n\n"), std::string::npos) << name;
        }
        std::istringstream icon(text.substr(text.find("#icon: SOP/") + 11));
        std::string file;
        icon >> file;
        EXPECT_TRUE(fs::exists(package / "config/Icons" / ("SOP_" + file + ".svg"))) << name;
    }
}

TEST(Package, TheSolversCardNamesEveryAttributeThatIsRead)
{
    std::string card;
    for (const auto& file : houdini::help_cards())
        if (file.path == "help/nodes/sop/selvage_solver.txt") card = file.text;
    card = card.substr(card.find("@attributes"));
    for (const char* name : {"P",
                             "v",
                             "mass",
                             "stopped",
                             "rest",
                             "rest_blend",
                             "rest_scale",
                             "materialuv",
                             "uv",
                             "id",
                             "pscale",
                             "width",
                             "friction",
                             "dynamicfriction",
                             "layer",
                             "disableself",
                             "disableexternal",
                             "collisionignore",
                             "collisiongroup",
                             "orient",
                             "skinprim",
                             "skinprimuv",
                             "stiffness_scale",
                             "target_scale",
                             "sv_material",
                             "type",
                             "restlength",
                             "stiffness",
                             "compressstiffness",
                             "target_prim"})
        EXPECT_TRUE(std::regex_search(
            card, std::regex("\n([^ \n][^\n]*, )?" + std::string(name) + "(, [^\n]*)?:\n")))
            << name;
}

TEST(Package, EveryNodeHasAHelpCardAndAnIcon)
{
    test::Stage stage;
    int nodes = 0;
    for (const auto& op : OPgetDirector()->sop_table().operators()) {
        const std::string type = op->getName().c_str();
        if (type.rfind("selvage_", 0) != 0) continue;
        ++nodes;
        EXPECT_TRUE(fs::exists(package / "help/nodes/sop" / (type + ".txt"))) << type;
        const std::string svg = read(package / "config/Icons" / ("SOP_" + type + ".svg"));
        EXPECT_EQ(xml_complaint(svg), "") << type;
        EXPECT_EQ(std::string(op->getIconName().c_str()), "SOP_" + type);
    }
    EXPECT_EQ(nodes, 7);
}

TEST(Package, EveryParameterHasATooltip)
{
    const PRM_Template* t = houdini::SOP_SelvageSolver::templates();
    std::set<std::string> names;
    for (; t->getType() != PRM_LIST_TERMINATOR; ++t) {
        if (t->getType() == PRM_SWITCHER) continue;
        EXPECT_TRUE(names.insert(t->getToken()).second) << t->getToken();
        EXPECT_STRNE(t->getHelpText(), "") << t->getToken();
        for (const PRM_Template* row = t->getMultiParmTemplate();
             row && row->getType() != PRM_LIST_TERMINATOR; ++row) {
            EXPECT_TRUE(names.insert(row->getToken()).second) << row->getToken();
            EXPECT_STRNE(row->getHelpText(), "") << row->getToken();
        }
    }
    for (const auto& folder : houdini::node_folders())
        for (const auto& row : folder.parameters) EXPECT_TRUE(names.count(row.token)) << row.token;
}

TEST(Package, JsonAndShelvesAreWellFormed)
{
    const auto json = nlohmann::json::parse(read(package / "packages/selvage.json"));
    // Libraries are found through HOUDINI_PATH: HOUDINI_DSO_PATH without its "&" would hide
    // Houdini's own.
    const std::string text = json.dump();
    EXPECT_EQ(text.find("HOUDINI_DSO_PATH"), std::string::npos);
    const std::string folder = "$HOUDINI_PACKAGE_PATH/../selvage";
    EXPECT_EQ(json["hpath"].get<std::vector<std::string>>(),
              (std::vector<std::string>{folder, folder + "/$SELVAGE_BUILD"}));
    for (const char* version :
         {"20.5", "21.0", "22.0"}) // as plugin/houdini/CMakeLists.txt installs
        EXPECT_NE(text.find(fmt::format("\"houdini{}\"", version)), std::string::npos);
    EXPECT_EQ(xml_complaint(read(package / "toolbar/selvage.shelf")), "");
}

TEST(Package, PresetsSetParametersThatTheNodeHas)
{
    test::Stage stage;
    auto& source = stage.add_source(sheet_geometry(4));
    auto& plain = stage.add_solver(source);
    auto& preset = stage.add_solver(source);
    test::set(plain, "material", "denim");
    const auto file = nlohmann::json::parse(read(package / "presets/selvage/denim.json"));
    EXPECT_GT(file["parms"].size(), 20u);
    for (const auto& [token, value] : file["parms"].items()) {
        ASSERT_TRUE(preset.hasParm(token.c_str())) << token;
        if (value.is_string())
            test::set(preset, token.c_str(), value.get<std::string>().c_str());
        else
            test::set(preset, token.c_str(), value.get<double>());
    }
    EXPECT_EQ(stage.positions(preset, 4), stage.positions(plain, 4));
}

TEST(Assets, AreExpandedAsHoudiniReadsThem)
{
    ASSERT_FALSE(assets().empty());
    for (const fs::path& asset : assets()) {
        EXPECT_EQ(asset.extension(), ".hda");
        const std::string index = read(asset / "INDEX__SECTION");
        for (const char* key : {"Operator:", "Label:", "Path:", "Icon:", "Table:", "License:",
                                "Inputs:", "Subnet:", "Modified:"})
            EXPECT_NE(index.find(key), std::string::npos) << asset << " " << key;
        int definitions = 0;
        for (const auto& [file, section] : sections_of(asset)) {
            EXPECT_TRUE(fs::exists(asset / file)) << asset / file;
            EXPECT_EQ(file, encoded(section));
            if (!fs::is_directory(asset / file)) continue;
            ++definitions;
            EXPECT_NE(index.find("oplib:/" + section + "?" + section), std::string::npos) << index;
            lint_definition(asset / file);
        }
        EXPECT_EQ(definitions, 1) << asset;
    }
}

TEST(Assets, HaveTheSolversParameters)
{
    for (const houdini::SolverAsset& asset : houdini::solver_assets()) {
        const auto script = standin::parse_dialog_script(asset_dialog_script(asset));
        std::set<std::string> names;
        for (const auto* parm : standin::all_parms(script)) names.insert(parm->name);
        std::size_t left_out = 0;
        for (const auto& folder : houdini::node_folders()) {
            const bool out = std::count(asset.left_out.begin(), asset.left_out.end(), folder.label);
            left_out += out;
            for (const auto& row : folder.parameters)
                EXPECT_EQ(names.count(row.token), out || !folder.list.empty() ? 0u : 1u)
                    << asset.name << " " << row.token;
        }
        EXPECT_EQ(left_out, asset.left_out.size()) << "labels of folders have changed";
        for (const auto& row : houdini::node_head()) EXPECT_TRUE(names.count(row.token));
        EXPECT_EQ(script.input_labels.size(), 4u);
    }
}

TEST(Assets, ThereIsOneForEveryKind)
{
    std::set<std::string> names;
    for (const fs::path& asset : assets()) names.insert(asset.stem().string());
    EXPECT_EQ(names, (std::set<std::string>{"selvage_cloth", "selvage_hair", "selvage_wedge"}));
    for (const char* asset : {"selvage_cloth", "selvage_hair"}) { // icons that the package has
        const std::string index =
            read(root / "otls" / (asset + std::string(".hda")) / "INDEX__SECTION");
        const auto at = index.find("Icon:") + 5;
        std::istringstream line(index.substr(at));
        std::string icon;
        line >> icon;
        EXPECT_EQ(xml_complaint(read(package / "config/Icons" / (icon + ".svg"))), "") << asset;
    }
}

/// In Houdini, hou.pwd() of a button is not the asset, and a parameter of another version is None.
TEST(Assets, ScriptsTakeTheirNodeFromTheEventAndMissNoParameter)
{
    for (const houdini::SolverAsset& asset : houdini::solver_assets()) {
        const std::string ds = asset_dialog_script(asset);
        EXPECT_EQ(ds.find("hou.pwd"), std::string::npos);
        EXPECT_NE(ds.find("kwargs['node'].node('solver')"), std::string::npos);
    }
    const std::string script =
        read(root / "otls/selvage_wedge.hda/selvage_8_8Top_1wedge_8_81.0/OnCreated");
    EXPECT_FALSE(std::regex_search(script, std::regex(R"(parm\("[a-z0-9]+"\)\.)"))) << script;
}

TEST(Assets, TheLinterSeesMistakes)
{
    EXPECT_EQ(encoded("selvage::Sop/a_b::1.0"), "selvage_8_8Sop_1a__b_8_81.0");
    EXPECT_NE(xml_complaint("<a><b></a></b>"), "");
    EXPECT_NE(xml_complaint("<a>"), "");
    EXPECT_EQ(xml_complaint("<a><b/><![CDATA[<c>]]></a>"), "");
    EXPECT_THROW(standin::parse_dialog_script("{ parm { label x } }"), std::runtime_error);
}
