#pragma once
#include <GU/GU_Detail.h>

#include <memory>
#include <vector>

/// Makes groups for the detail that a pattern is about.
class GroupCreator
{
public:
    explicit GroupCreator(const GU_Detail* gdp, bool /*ref_ok*/ = true) : gdp_(gdp) {}
    const GU_Detail* gdp() const { return gdp_; }

private:
    const GU_Detail* gdp_;
};

/// Groups from what users type: names, '*' and '?' in names, numbers, ranges ("0-9:2"), and the
/// same after '^' or '!' to take them out again. Null where a name is unknown. Groups that are not
/// simply one of the detail's live until destroyAdhocGroups.
class GOP_Manager
{
public:
    using GroupCreator = ::GroupCreator;
    const GA_PointGroup* parsePointGroups(const char* pattern, const GroupCreator& creator,
                                          bool numbers_ok = true, bool ordered = false,
                                          bool strict = false);
    const GA_PrimitiveGroup* parsePrimitiveGroups(const char* pattern, const GroupCreator& creator,
                                                  bool numbers_ok = true, bool ordered = false,
                                                  bool strict = false);
    void destroyAdhocGroups();

private:
    std::vector<std::unique_ptr<GA_PointGroup>> points_;
    std::vector<std::unique_ptr<GA_PrimitiveGroup>> primitives_;
};
