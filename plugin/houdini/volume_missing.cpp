// In the place of volume_input.cpp where neither the host nor the system has OpenVDB.
#include "core/base/error.h"
#include "plugin/houdini/volume_input.h"

namespace selvage::houdini
{

std::vector<Volume> read_volumes(const GU_Detail&, const VolumeNames&, const std::string& who)
{
    throw InputError(who + ": this build of Selvage has no OpenVDB, and volumes need it. Turn them "
                           "into polygons with a Convert VDB node.");
}

} // namespace selvage::houdini
