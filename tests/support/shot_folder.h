#pragma once

#include "tests/support/temporary_folder.h"

#include <map>
#include <string>

namespace selvage::test
{

/// A folder with a small shot in it: sheet.bgeo hung by its top row, shot.json, frames 1 to 12.
class ShotFolder
{
public:
    /// `extra` is put into the shot file as it is, for example "\"substeps\": 2,".
    explicit ShotFolder(const std::string& extra = "", int cells = 8);

    std::string file(const std::string& name) const { return folder_.file(name); }
    std::string shot() const { return file("shot.json"); }
    /// Final output files by name, with their bytes; hidden ones are left out.
    std::map<std::string, std::string> output() const;
    bool has_output() const;

private:
    TemporaryFolder folder_;
};

} // namespace selvage::test
