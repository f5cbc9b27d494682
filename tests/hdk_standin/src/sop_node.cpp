#include <SOP/SOP_Node.h>
#include <SOP/SOP_NodeVerb.h>
#include <UT/UT_Assert.h>

#include <sstream>

PRM_ChoiceList SOP_Node::pointGroupMenu(PRM_CHOICELIST_TOGGLE, static_cast<PRM_Name*>(nullptr));
PRM_ChoiceList SOP_Node::primGroupMenu(PRM_CHOICELIST_TOGGLE, static_cast<PRM_Name*>(nullptr));
PRM_ChoiceList SOP_Node::groupMenu(PRM_CHOICELIST_TOGGLE, static_cast<PRM_Name*>(nullptr));
PRM_ChoiceList SOP_Node::allGroupMenu(PRM_CHOICELIST_TOGGLE, static_cast<PRM_Name*>(nullptr));
PRM_ChoiceList SOP_Node::pointAttribMenu(PRM_CHOICELIST_TOGGLE, static_cast<PRM_Name*>(nullptr));
PRM_SpareData SOP_Node::theFirstInput("sop_input", "0");
PRM_SpareData SOP_Node::theSecondInput("sop_input", "1");
PRM_SpareData SOP_Node::theThirdInput("sop_input", "2");
PRM_SpareData SOP_Node::theFourthInput("sop_input", "3");

const PRM_SpareData* SOP_Node::getGroupSelectButton(GA_GroupType, OP_Node*, int,
                                                    const PRM_SpareData*)
{
    static const PRM_SpareData button("script_action", "select group");
    return &button;
}

SOP_Node::SOP_Node(OP_Network* net, const char* name, OP_Operator* op) : OP_Node(net, name, op) {}
SOP_Node::~SOP_Node() = default;

void SOP_Node::add_library_error(int code, const char* text, UT_ErrorSeverity severity)
{
    getErrorManager().add("SOP", code, text, severity);
}
OP_ERROR SOP_Node::addError(int code, const char* text)
{
    return getErrorManager().add("SOP", code, text, UT_ERROR_ABORT);
}
OP_ERROR SOP_Node::addWarning(int code, const char* text)
{
    return getErrorManager().add("SOP", code, text, UT_ERROR_WARNING);
}
OP_ERROR SOP_Node::addMessage(int code, const char* text)
{
    return getErrorManager().add("SOP", code, text, UT_ERROR_MESSAGE);
}

bool SOP_Node::cook(OP_Context& context)
{
    const std::lock_guard<std::recursive_mutex> lock(cook_mutex());
    if (!needs_cook(context.getTime())) return error() < UT_ERROR_ABORT;
    const CookScope cooking(*this);
    const OP_VERSION version = getVersionParms();
    clear_errors();
    flags().setTimeDep(false);
    const unsigned needed = getOperator()->getMinSources();
    for (unsigned i = 0; i < needed; ++i)
        if (!getInput(i)) {
            getErrorManager().add("OP", OP_ERR_NOT_ENOUGH_SRC, "Not enough sources specified.",
                                  UT_ERROR_ABORT);
            cooked_at(context.getTime(), version);
            return false;
        }
    // Somebody holds the old result: leave it to them and go on with a copy.
    if (handle_.isNull()) {
        handle_.allocateAndSet(new GU_Detail);
    } else if (is_locked() || handle_.use_count() > 1) {
        GU_DetailHandle fresh;
        fresh.allocateAndSet(new GU_Detail(handle_.gdp()));
        handle_ = fresh;
    }
    gdp = handle_.gdpNC();
    if (flags().getBypass() && getInput(0)) {
        OP_AutoLockInputs inputs(this);
        if (inputs.lockInput(0, context) < UT_ERROR_ABORT) duplicateSource(0, context);
    } else {
        cookMySop(context);
        if (!mySopFlags.getManagesDataIDs()) gdp->bumpAllDataIds();
    }
    gdp->incrementMetaCacheCount();
    gdp = nullptr;
    groups_.destroyAdhocGroups();
    unlockInputs();
    cooked_at(context.getTime(), version);
    return error() < UT_ERROR_ABORT;
}

OP_ERROR SOP_Node::cookMySop(OP_Context& context)
{
    if (cookVerb()) return cookMyselfAsVerb(context);
    return error();
}
OP_ERROR SOP_Node::cookMyGuide1(OP_Context&) { return error(); }
GU_DetailHandle SOP_Node::cookMySopOutput(OP_Context&, int, SOP_Node*) { return GU_DetailHandle(); }
GU_DetailHandle SOP_Node::cookOutput(OP_Context& context, int output, SOP_Node* interests)
{
    GU_DetailHandle first = getCookedGeoHandle(context);
    if (output == 0 || first.isNull()) return first;
    const std::lock_guard<std::recursive_mutex> lock(cook_mutex());
    const GU_DetailHandle own = cookMySopOutput(context, output, interests);
    return own.isNull() ? first : own;
}

bool SOP_Node::built_in_variable(const std::string& name, fpreal& value) const
{
    const std::size_t i = !name.empty() && name.back() == '2' ? 1 : 0; // of the second geometry
    const std::string base = name.substr(0, name.size() - i);
    const GU_Detail* detail = current_[i].gdp();
    if (!detail) return false;
    if (base == "NPT") {
        value = fpreal(detail->getNumPoints());
        return true;
    }
    const GA_Offset point = myCurPtOff[i];
    if (!GAisValid(point)) return false;
    if (base == "PT") {
        value = fpreal(detail->pointIndex(point));
        return true;
    }
    const struct {
        const char* attribute;
        const char* names[3];
    } known[] = {{"P", {"TX", "TY", "TZ"}},
                 {"Cd", {"CR", "CG", "CB"}},
                 {"N", {"NX", "NY", "NZ"}},
                 {"v", {"VX", "VY", "VZ"}},
                 {"uv", {"MAPU", "MAPV", "MAPW"}}};
    for (const auto& k : known)
        for (int c = 0; c < 3; ++c) {
            if (base != k.names[c]) continue;
            const GA_Attribute* a = detail->findFloatTuple(GA_ATTRIB_POINT, k.attribute, c + 1);
            value = a ? a->number(point, c) : 0;
            return true;
        }
    return false;
}
OP_ERROR SOP_Node::cookInputGroups(OP_Context&, int) { return error(); }

GU_DetailHandle SOP_Node::getGuideGeoHandle(OP_Context& context)
{
    const std::lock_guard<std::recursive_mutex> lock(cook_mutex());
    if (!mySopFlags.getNeedGuide1() || !cook(context)) return GU_DetailHandle();
    if (guide_.isNull()) guide_.allocateAndSet(new GU_Detail);
    myGuide1 = guide_.gdpNC();
    cookMyGuide1(context);
    myGuide1 = nullptr;
    return guide_;
}

GU_DetailHandle SOP_Node::getCookedGeoHandle(OP_Context& context, int force)
{
    if (force) forceRecook();
    const std::lock_guard<std::recursive_mutex> lock(cook_mutex());
    return cook(context) ? handle_ : GU_DetailHandle();
}
const GU_Detail* SOP_Node::getCookedGeo(OP_Context& context, int force)
{
    if (force) forceRecook();
    return cook(context) ? handle_.gdp() : nullptr;
}

void SOP_Node::input_locked(int index)
{
    if (input_handles_.size() <= std::size_t(index)) input_handles_.resize(std::size_t(index) + 1);
    const auto* input = dynamic_cast<const SOP_Node*>(getInput(unsigned(index)));
    input_handles_[std::size_t(index)] = input ? input->handle_ : GU_DetailHandle();
}
void SOP_Node::input_unlocked(int index) { input_handles_[std::size_t(index)].clear(); }

GU_DetailHandle SOP_Node::inputGeoHandle(unsigned index) const
{
    UT_ASSERT(!getInput(index) || is_input_locked(int(index)));
    return is_input_locked(int(index)) ? input_handles_[index] : GU_DetailHandle();
}
const GU_Detail* SOP_Node::inputGeo(unsigned index) const { return inputGeoHandle(index).gdp(); }

OP_ERROR SOP_Node::duplicateSource(unsigned index, OP_Context&, GU_Detail* to, bool)
{
    if (const GU_Detail* source = inputGeo(index)) (to ? to : gdp)->replaceWith(*source);
    return error();
}
OP_ERROR SOP_Node::duplicatePointSource(unsigned index, OP_Context& context)
{
    return duplicateSource(index, context);
}
OP_ERROR SOP_Node::duplicateChangedSource(unsigned index, OP_Context& context, int* changed, bool)
{
    if (changed) *changed = 1;
    return duplicateSource(index, context);
}

namespace
{

/// Whether a name matches a pattern of '*' (anything) and '?' (any letter).
bool matches(const char* pattern, const char* name)
{
    if (*pattern == '*') return matches(pattern + 1, name) || (*name && matches(pattern, name + 1));
    if (!*pattern || !*name) return *pattern == *name;
    return (*pattern == '?' || *pattern == *name) && matches(pattern + 1, name + 1);
}

/// Fills `to` from a pattern: names, '*' and '?' in names, numbers, ranges ("0-9:2"), and the same
/// after '^' or '!' to take them out again. False where a name is unknown. `named` is set to an
/// existing group when the pattern is just its name.
template <class Group>
bool parse_pattern(const std::string& pattern, const GU_Detail& detail, Group& to, GA_Size elements,
                   const std::list<Group>& groups, const Group*& named)
{
    std::istringstream words(pattern);
    int count = 0;
    for (std::string w; words >> w; ++count) {
        const bool take_out = w[0] == '^' || w[0] == '!';
        if (take_out) w.erase(0, 1);
        Group found(detail);
        if (w == "*") {
            found.addAll();
        } else if (std::isdigit(static_cast<unsigned char>(w[0]))) {
            const auto dash = w.find('-'), colon = w.find(':');
            const exint first = std::stoll(w);
            const exint last = dash == std::string::npos ? first : std::stoll(w.substr(dash + 1));
            const exint step = colon == std::string::npos ? 1 : std::stoll(w.substr(colon + 1));
            for (exint i = first; i <= std::min(last, elements - 1); i += std::max<exint>(step, 1))
                found.addIndex(i);
        } else {
            const bool wild = w.find_first_of("*?") != std::string::npos;
            bool known = wild;
            for (const Group& g : groups)
                if (matches(w.c_str(), g.getName().c_str())) {
                    known = true;
                    found.addRange(g.range());
                    if (!wild && !take_out) named = &g;
                }
            if (!known) return false;
        }
        const GA_Range range = found.range();
        for (GA_Iterator it(range); !it.atEnd(); ++it) to.setElement(*it, !take_out);
    }
    if (count != 1) named = nullptr;
    return true;
}

} // namespace

const GA_PointGroup* GOP_Manager::parsePointGroups(const char* pattern, const GroupCreator& creator,
                                                   bool, bool ordered, bool)
{
    const GU_Detail& d = *creator.gdp();
    auto group = std::make_unique<GA_PointGroup>(d, "", ordered);
    const GA_PointGroup* named = nullptr;
    if (!parse_pattern(pattern, d, *group, d.getNumPoints(), d.point_groups(), named))
        return nullptr;
    if (named) return named;
    points_.push_back(std::move(group));
    return points_.back().get();
}

const GA_PrimitiveGroup* GOP_Manager::parsePrimitiveGroups(const char* pattern,
                                                           const GroupCreator& creator, bool,
                                                           bool ordered, bool)
{
    const GU_Detail& d = *creator.gdp();
    auto group = std::make_unique<GA_PrimitiveGroup>(d, "", ordered);
    const GA_PrimitiveGroup* named = nullptr;
    if (!parse_pattern(pattern, d, *group, d.getNumPrimitives(), d.primitive_groups(), named))
        return nullptr;
    if (named) return named;
    primitives_.push_back(std::move(group));
    return primitives_.back().get();
}

void GOP_Manager::destroyAdhocGroups()
{
    points_.clear();
    primitives_.clear();
}

OP_ERROR SOP_Node::cookInputPointGroups(OP_Context& context, const GA_PointGroup*& group, int alone,
                                        bool, int parm, int, bool, bool ordered, bool, int input)
{
    UT_String pattern;
    evalString(pattern, parm, 0, context.getTime());
    group = nullptr;
    if (!pattern.isstring()) return error();
    const GU_Detail* detail = alone ? inputGeo(unsigned(input)) : gdp;
    group = parsePointGroups(pattern, GroupCreator(detail), true, ordered);
    if (!group) addError(SOP_ERR_BADGROUP, pattern);
    return error();
}
OP_ERROR SOP_Node::cookInputPrimitiveGroups(OP_Context& context, const GA_PrimitiveGroup*& group,
                                            int alone, bool, int parm, int, bool, bool ordered,
                                            bool, int input)
{
    UT_String pattern;
    evalString(pattern, parm, 0, context.getTime());
    group = nullptr;
    if (!pattern.isstring()) return error();
    const GU_Detail* detail = alone ? inputGeo(unsigned(input)) : gdp;
    group = parsePrimitiveGroups(pattern, GroupCreator(detail), true, ordered);
    if (!group) addError(SOP_ERR_BADGROUP, pattern);
    return error();
}

OP_ERROR SOP_Node::cookMyselfAsVerb(OP_Context& context)
{
    const SOP_NodeVerb* verb = cookVerb();
    OP_AutoLockInputs inputs(this);
    if (inputs.lock(context) >= UT_ERROR_ABORT) return error();
    const std::unique_ptr<SOP_NodeParms> parms(verb->allocParms());
    const SOP_GraphProxy graph(*this);
    parms->loadFromOp(SOP_NodeParms::LoadParms(&graph, context));
    if (!verb_cache_) verb_cache_.reset(verb->allocCache());
    std::vector<GU_DetailHandle> sources;
    for (unsigned i = 0; i < nInputs(); ++i) sources.push_back(inputGeoHandle(i));
    const SOP_NodeVerb::CookMode mode = verb->cookMode(parms.get());
    if ((mode == SOP_NodeVerb::COOK_INPLACE || mode == SOP_NodeVerb::COOK_DUPLICATE) &&
        !sources.empty())
        duplicateSource(0, context);
    if (mode == SOP_NodeVerb::COOK_GENERATOR || mode == SOP_NodeVerb::COOK_INSTANCE)
        gdp->clearAndDestroy();
    GU_DetailHandle target;
    target.allocateAndSet(gdp, false);
    verb->cook(SOP_NodeVerb::CookParms(target, std::move(sources), parms.get(), verb_cache_.get(),
                                       context, this, &getErrorManager()));
    return error();
}
