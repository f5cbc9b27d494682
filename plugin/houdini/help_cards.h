#pragma once

#include <string>
#include <vector>

namespace selvage::houdini
{

/// A file of the installed package whose text comes from the parameter table and the nodes.
struct PackageFile {
    std::string path; ///< relative to the package: "help/nodes/sop/selvage_solver.txt"
    std::string text;
};

/// Help cards in Houdini's wiki markup, one per node, every parameter with its tooltip.
std::vector<PackageFile> help_cards();

/// Material presets as JSON, one file each: the parameter values that select_preset of
/// scripts/python/selvage_presets.py sets, ready to be changed.
std::vector<PackageFile> material_presets();

/// The DialogScript section of the Selvage Cloth asset.
std::string cloth_asset_dialog_script();

} // namespace selvage::houdini
