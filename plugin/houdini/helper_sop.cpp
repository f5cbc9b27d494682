#include "plugin/houdini/helper_sop.h"

#include "core/base/error.h"

#include <PRM/PRM_TemplateBuilder.h>

#include <map>
#include <memory>

namespace selvage::houdini
{

PRM_Template* helper_templates(const HelperInfo& info)
{
    static std::map<std::string, std::unique_ptr<PRM_TemplateBuilder>> all;
    auto& builder = all[info.type];
    if (!builder) builder = std::make_unique<PRM_TemplateBuilder>(info.type, info.dialog_script);
    return builder->templates();
}

GA_Range HelperWork::points_of(const char* parm, fpreal time)
{
    const std::string name = text(parm, time);
    if (name.empty()) return gdp->getPointRange();
    const GA_PointGroup* group =
        groups_.parsePointGroups(name.c_str(), GOP_Manager::GroupCreator(gdp));
    if (!group)
        throw InputError("Input 1 has no point group '" + name +
                         "'. Make it with a Group node, or leave the field empty for all points.");
    return gdp->getPointRange(group);
}

} // namespace selvage::houdini
