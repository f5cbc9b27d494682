// Writes the files of the Houdini package that are made from the parameter table:
//   houdini_package_files SOURCE_FOLDER
#include "plugin/houdini/help_cards.h"

#include <filesystem>
#include <fstream>

int main(int argc, char** argv)
{
    namespace fs = std::filesystem;
    if (argc != 2) return 2;
    const fs::path root = argv[1];
    const auto write = [](const fs::path& path, const std::string& text) {
        fs::create_directories(path.parent_path());
        std::ofstream(path) << text;
    };
    using namespace selvage::houdini;
    for (const auto& files : {help_cards(), material_presets()})
        for (const auto& file : files)
            write(root / "plugin/houdini/package" / file.path, file.text);
    for (const SolverAsset& asset : solver_assets()) {
        write(root / asset.folder() / "DialogScript", asset_dialog_script(asset));
        write(root / asset.folder() / "Help", asset_help(asset));
    }
}
