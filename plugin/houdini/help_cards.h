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

/// A digital asset over the solver: its name after "selvage::", and the folders of the solver that
/// it does without.
struct SolverAsset {
    std::string name, label, first_input;
    std::vector<std::string> left_out;
    std::string icon, summary, use; ///< of its help card

    std::string folder() const; ///< of its definition, relative to the source tree
};
const std::vector<SolverAsset>& solver_assets();

/// The sections DialogScript and Help of an asset.
std::string asset_dialog_script(const SolverAsset& asset);
std::string asset_help(const SolverAsset& asset);

} // namespace selvage::houdini
