#include "tests/support/shot_folder.h"

#include "core/io/geometry_file.h"
#include "tests/support/animated_source.h"

#include <fstream>
#include <sstream>

namespace selvage::test
{

ShotFolder::ShotFolder(const std::string& extra, int cells)
{
    write_geometry(file("sheet.bgeo"), sheet_geometry(cells));
    std::ofstream(shot()) << R"({ "selvage": 1, "frames": [1, 12], )" << extra << R"(
  "solver": { "linear": "ldlt" },
  "cloth": [ { "name": "sheet", "geometry": "sheet.bgeo", "pins": { "group": "top" } } ] })";
}

std::map<std::string, std::string> ShotFolder::output() const
{
    std::map<std::string, std::string> files;
    if (!has_output()) return files;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path() / "sim")) {
        const std::string name = entry.path().filename().string();
        if (name[0] == '.') continue;
        std::ifstream in(entry.path(), std::ios::binary);
        std::stringstream bytes;
        bytes << in.rdbuf();
        files[name] = bytes.str();
    }
    return files;
}

bool ShotFolder::has_output() const { return std::filesystem::exists(folder_.path() / "sim"); }

} // namespace selvage::test
